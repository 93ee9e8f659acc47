import { expect, test } from "vitest";
import { choicesOf, newShare, shareProblem, type ShareForm, type SharedPage } from "./share_form";

const PAGE: SharedPage = { run: null, shown: ["a", "b"], view: "#scalars&smoothing=0.5" };
const FORM: ShareForm = {
  what: "view",
  audience: "link",
  name: " For review ",
  expiresDays: "7",
  password: "",
  members: ["someone"],
};

test("a view has its runs and the address behind #", () =>
  expect(newShare(FORM, PAGE)).toEqual({
    name: "For review",
    runs: ["a", "b"],
    view: "scalars&smoothing=0.5",
    expires_days: 7,
    password: null,
    is_public: false,
    members: [],
  }));

test("the whole project names no runs, so later ones are in it", () =>
  expect(newShare({ ...FORM, what: "project", expiresDays: "" }, PAGE)).toMatchObject({
    runs: null,
    view: "",
    expires_days: null,
  }));

test("a run's page shares that run", () =>
  expect(newShare({ ...FORM, what: "run" }, { ...PAGE, run: "c" }).runs).toEqual(["c"]));

test("members get no password, and the public no list of people", () => {
  const secret = { ...FORM, password: "correct horse" };
  expect(newShare({ ...secret, audience: "members" }, PAGE)).toMatchObject({ password: null, members: ["someone"] });
  expect(newShare({ ...secret, audience: "public" }, PAGE)).toMatchObject({ is_public: true, members: [] });
});

test("what is missing is said", () => {
  expect(shareProblem(FORM, PAGE)).toBe("");
  expect(shareProblem(FORM, { ...PAGE, shown: [] })).toContain("No runs are shown");
  expect(shareProblem({ ...FORM, what: "project" }, { ...PAGE, shown: [] })).toBe("");
  expect(shareProblem({ ...FORM, audience: "members", members: [] }, PAGE)).toContain("at least one person");
  expect(shareProblem({ ...FORM, password: "short" }, PAGE)).toContain("has 5");
});

test("only a run's page offers that run", () => {
  expect(choicesOf(PAGE)).toEqual(["view", "shown", "project"]);
  expect(choicesOf({ ...PAGE, run: "c" })).toEqual(["run", "shown", "project"]);
});
