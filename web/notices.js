/** The licences of the packages whose code is in the bundle, collected while it is built. */

import { existsSync, readdirSync, readFileSync } from "node:fs";

const NOTICES = "THIRD_PARTY_LICENSES.txt";
const IN_PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Two plugins: workers are bundles of their own, whose packages count as well. */
export function thirdPartyNotices() {
  const folders = new Set();
  const collect = (bundle) => {
    for (const { moduleIds = [] } of Object.values(bundle)) {
      for (const id of moduleIds) {
        const folder = IN_PACKAGE.exec(id.replace(/^\0/, "").replaceAll("\\", "/"))?.[1];
        if (folder && existsSync(`${folder}/package.json`)) folders.add(folder);
      }
    }
  };
  return {
    worker: { name: "notices-of-workers", generateBundle: (_, bundle) => collect(bundle) },
    page: {
      name: "third-party-notices",
      generateBundle(_, bundle) {
        collect(bundle);
        this.emitFile({ type: "asset", fileName: NOTICES, source: noticesOf([...folders]) });
      },
    },
  };
}

function noticesOf(folders) {
  const notices = new Map(folders.map((folder) => noticeOf(folder)));
  const names = [...notices.keys()].sort();
  const rule = "=".repeat(80);
  return (
    `The page of Seamark contains code of these packages:\n${names.map((name) => `  ${name}\n`).join("")}` +
    names.map((name) => `\n${rule}\n${name}\n${rule}\n\n${notices.get(name)}\n`).join("")
  );
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf-8"));
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)/i.test(file))
    .sort();
  if (files.length === 0)
    throw new Error(`the package ${name} is in the bundle and brings no licence text: '${folder}'`);
  return [
    `${name} ${version} (${license})`,
    files.map((file) => readFileSync(`${folder}/${file}`, "utf-8").trim()).join("\n\n"),
  ];
}
