/** What a share consists of, as the dialog asks for it, and as the server takes it. */

import { passwordProblem } from "../people/password";

export type ShareWhat = "run" | "shown" | "view" | "project";
export type ShareAudience = "link" | "members" | "public";

export interface ShareForm {
  readonly what: ShareWhat;
  readonly audience: ShareAudience;
  readonly name: string;
  /** "" for never. */
  readonly expiresDays: string;
  readonly password: string;
  readonly members: readonly string[];
}

/** The page that the dialog was opened on. */
export interface SharedPage {
  /** The run whose page is open. */
  readonly run: string | null;
  /** Drawn in the charts. */
  readonly shown: readonly string[];
  /** The part of the address behind #. */
  readonly view: string;
}

export interface NewShare {
  readonly name: string;
  readonly runs: readonly string[] | null;
  readonly view: string;
  readonly expires_days: number | null;
  readonly password: string | null;
  readonly is_public: boolean;
  readonly members: readonly string[];
}

export function newShare(form: ShareForm, page: SharedPage): NewShare {
  return {
    name: form.name.trim(),
    runs: runsOf(form.what, page),
    view: form.what === "view" ? page.view.replace(/^#/, "") : "",
    expires_days: form.expiresDays === "" ? null : Number(form.expiresDays),
    password: form.audience === "link" && form.password !== "" ? form.password : null,
    is_public: form.audience === "public",
    members: form.audience === "members" ? form.members : [],
  };
}

function runsOf(what: ShareWhat, { run, shown }: SharedPage): readonly string[] | null {
  if (what === "project") return null;
  return what === "run" && run !== null ? [run] : shown;
}

/** What is missing, as a sentence, or "". */
export function shareProblem(form: ShareForm, page: SharedPage): string {
  if (runsOf(form.what, page)?.length === 0) return "No runs are shown: show those that you want to share.";
  if (form.audience === "members" && form.members.length === 0) return "Choose at least one person.";
  return form.audience === "link" && form.password !== "" ? passwordProblem(form.password) : "";
}

/** What there is to choose from: without a run's page no "this run". */
export const choicesOf = ({ run }: SharedPage): readonly ShareWhat[] =>
  run === null ? ["view", "shown", "project"] : ["run", "shown", "project"];
