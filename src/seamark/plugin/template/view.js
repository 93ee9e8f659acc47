// @ts-check
import { createChart, createTable, requestJson } from "./seamark-plugin.js";

/** @type {import("./seamark-plugin.js").View} */
export default {
  mount(element, context) {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL("./view.css", import.meta.url).href;

    const select = document.createElement("select");
    select.ariaLabel = "Tag";
    select.className = "control";
    const [bar, plot, list] = ["bar", "plot", "list"].map((name) => {
      const part = document.createElement("div");
      part.className = `counts-${name}`;
      return part;
    });
    if (!bar || !plot || !list) return;
    bar.append(select);
    element.append(style, bar, plot, list);

    const scalars = () => context.get().tags.scalars ?? [];
    const first = () => scalars().find(({ tag }) => !tag.startsWith("system/")) ?? scalars()[0];
    const tag = () => context.url.get("tag") ?? first()?.tag ?? "";
    /** @type {Record<string, number>} */
    let counts = {};
    let error = "";
    let version = "";

    const curves = () => ({ label: `${tag()} of the shown runs`, title: tag(), series: [{ tag: tag() }] });
    /** @returns {import("./seamark-plugin.js").TableSpec} */
    const table = () => ({
      label: "Points of the shown runs",
      columns: [{ id: "points", title: "Points", look: "bar" }],
      rows: context.get().shown.map((run) => ({ key: run, cells: { points: counts[run] ?? null } })),
      empty: error || "No run is shown.",
    });
    const chart = createChart(plot, context, curves());
    const rows = createTable(list, context, table());

    /** Requests the counts if the tag or its data changed. */
    async function read() {
      const current = `${context.revisionOf("scalars", tag())} ${tag()}`;
      if (current === version) return;
      version = current;
      try {
        counts = /** @type {Record<string, number>} */ (await requestJson(context.address("counts", { tag: tag() })));
        error = "";
      } catch (failure) {
        [counts, error] = [{}, String(failure)];
      }
      rows.update(table());
    }

    function draw() {
      setOptions(select, scalars(), tag());
      chart.update(curves());
      rows.update(table());
      void read();
    }

    // Calls draw, as every change of the address does.
    select.onchange = () => context.url.set("tag", select.value);
    const unsubscribe = context.subscribe(draw);
    draw();
    return () => {
      unsubscribe();
      chart.destroy();
      rows.destroy();
    };
  },
};

/**
 * Changes a select only if its options changed, so that it can stay open while runs log.
 * @param {HTMLSelectElement} select
 * @param {readonly { tag: string }[]} entries
 * @param {string} value
 */
function setOptions(select, entries, value) {
  const isCurrent = entries.length === select.length && entries.every(({ tag }, i) => select.options[i]?.value === tag);
  if (!isCurrent) select.replaceChildren(...entries.map(({ tag }) => new Option(tag, tag)));
  select.value = value;
}
