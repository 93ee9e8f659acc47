import { expect, test } from "vitest";
import { addChart, changeChart, moveCategory, moveChart, removeChart, renameCategory, stepFrom } from "./edit";
import { freeName, layoutJson, parseLayout, patternOf, sectionsOf, tagOf, type Chart, type Layout } from "./model";
import { MAX_TAGS, resolve } from "./resolve";

const lines = (title: string, ...patterns: string[]): Chart => ({ kind: "lines", title, patterns });
const margin = { value: "m", lower: "l", upper: "u" };
const layout: Layout = [
  { title: "one", closed: false, charts: [lines("a", "x"), lines("b", "y")] },
  {
    title: "two",
    closed: true,
    charts: [
      { kind: "margin", title: "c", series: [margin] },
      { kind: "none", title: "d" },
    ],
  },
];
const titles = (of: Layout): string =>
  of.map(({ title, charts }) => `${title}: ${charts.map((chart) => chart.title).join(" ")}`).join("; ");

test("a layout comes back from its JSON", () => {
  expect(parseLayout(JSON.parse(JSON.stringify(layoutJson(layout))))).toEqual(layout);
});

test("the dictionary that writers take is a layout, too", () => {
  const given = { one: { a: ["Multiline", ["x", "y"]], b: ["Margin", ["m", "l", "u"]], c: "?" } };
  expect(parseLayout(given)).toEqual([
    {
      title: "one",
      closed: false,
      charts: [lines("a", "x", "y"), { kind: "margin", title: "b", series: [margin] }, { kind: "none", title: "c" }],
    },
  ]);
});

test("what is no layout is refused with a sentence, and hostile parts become empty ones", () => {
  for (const given of [null, 1, "x", [], {}, { category: 3 }]) expect(() => parseLayout(given)).toThrow("not a layout");
  expect(
    parseLayout({
      category: [
        null,
        { title: 3, chart: [4, { title: [], multiline: { tag: [1, "x"] } }, { margin: { series: [{ value: "m" }] } }] },
      ],
    }),
  ).toEqual([
    {
      title: "",
      closed: false,
      charts: [lines("", "x"), { kind: "margin", title: "", series: [{ value: "m", lower: "", upper: "" }] }],
    },
  ]);
  expect(parseLayout(JSON.parse('{"__proto__": {"a": ["Multiline", ["x"]]}}'))[0]!.title).toBe("__proto__");
});

test("categories of one title are one", () => {
  const twice = {
    category: [
      { title: "a", chart: [{ title: "1" }] },
      { title: "a", chart: [{ title: "2" }] },
    ],
  };
  expect(titles(parseLayout(twice))).toBe("a: 1 2");
});

test("a picked tag becomes a pattern for itself alone, and is known again", () => {
  for (const tag of ["loss/train", "a.b[0]*(c)|d\\e^$", "<script>", "😀 {x}", "two\nlines"]) {
    expect(tagOf(patternOf(tag))).toBe(tag);
    expect(new RegExp(patternOf(tag)).test(tag)).toBe(true);
  }
  expect(new RegExp(patternOf("a.b")).test("axb")).toBe(false);
  for (const pattern of ["loss", "^a.*$", "^(a)$", "^a\\d$", "^a$$"]) expect(tagOf(pattern)).toBe(null);
});

test("cards of one title have keys of their own", () => {
  const [section] = sectionsOf([{ title: "t", closed: false, charts: [lines("a"), lines("a"), lines("b")] }]);
  expect(section!.cards.map(({ key }) => key)).toEqual(['["t","a"]', '["t","a",2]', '["t","b"]']);
});

test("a new name is not one that is taken", () => {
  expect(freeName("mine", [])).toBe("mine");
  expect(freeName("mine", ["mine", "mine 2"])).toBe("mine 3");
});

test("charts are added, changed and removed; a category goes with its last chart", () => {
  expect(titles(addChart(layout, "two", lines("e")))).toBe("one: a b; two: c d e");
  expect(titles(addChart(layout, "new", lines("e")))).toBe("one: a b; two: c d; new: e");
  expect(titles(changeChart(layout, { category: 0, chart: 1 }, "one", lines("z")))).toBe("one: a z; two: c d");
  expect(titles(changeChart(layout, { category: 0, chart: 1 }, "two", lines("z")))).toBe("one: a; two: c d z");
  expect(titles(removeChart(removeChart(layout, { category: 0, chart: 0 }), { category: 0, chart: 0 }))).toBe(
    "two: c d",
  );
  expect(titles(renameCategory(layout, 0, "first"))).toBe("first: a b; two: c d");
  expect(titles(renameCategory(layout, 0, "two"))).toBe("two: c d a b");
});

test("a category moves past its neighbour, and no further than the ends", () => {
  expect(titles(moveCategory(layout, 0, 1))).toBe("two: c d; one: a b");
  expect(titles(moveCategory(layout, 1, -1))).toBe("two: c d; one: a b");
  expect(moveCategory(layout, 0, -1)).toBe(layout);
  expect(moveCategory(layout, 1, 1)).toBe(layout);
});

test("a card is dropped before another, in its category or in the next", () => {
  expect(titles(moveChart(layout, { category: 0, chart: 0 }, { category: 0, chart: 2 }))).toBe("one: b a; two: c d");
  expect(titles(moveChart(layout, { category: 0, chart: 1 }, { category: 0, chart: 0 }))).toBe("one: b a; two: c d");
  expect(titles(moveChart(layout, { category: 0, chart: 0 }, { category: 1, chart: 1 }))).toBe("one: b; two: c a d");
  expect(moveChart(layout, { category: 9, chart: 0 }, { category: 0, chart: 0 })).toBe(layout);
});

test("keys move a card through the whole layout and back", () => {
  let position = { category: 0, chart: 0 };
  let now: Layout = layout;
  const seen = [];
  for (let step = 0; step < 3; step += 1) {
    const to = stepFrom(now, position, 1)!;
    now = moveChart(now, position, to);
    const category = now.findIndex(({ charts }) => charts.some(({ title }) => title === "a"));
    position = { category, chart: now[category]!.charts.findIndex(({ title }) => title === "a") };
    seen.push(titles(now));
  }
  expect(seen).toEqual(["one: b a; two: c d", "one: b; two: a c d", "one: b; two: c a d"]);
  expect(titles(moveChart(now, { category: 1, chart: 0 }, stepFrom(now, { category: 1, chart: 0 }, -1)!))).toBe(
    "one: b c; two: a d",
  );
  expect(stepFrom(layout, { category: 0, chart: 0 }, -1)).toBe(null);
  expect(stepFrom(layout, { category: 1, chart: 1 }, 1)).toBe(null);
});

test("lines take the tags of all patterns once; a bad pattern is reported while the others go on", () => {
  const matches = new Map<string, { tags: string[] } | { error: string }>([
    ["x", { tags: ["a", "b"] }],
    ["y", { tags: ["b", "c", "gone"] }],
    ["(", { error: "not one" }],
  ]);
  const of = (...patterns: string[]) =>
    resolve(
      lines("t", ...patterns),
      (pattern) => matches.get(pattern),
      (tag) => tag !== "gone",
    );
  expect(of("x", "(", "y")).toMatchObject({ tags: ["a", "b", "c"], problems: ["“(”: not one."], waiting: false });
  expect(of("x", "new")).toMatchObject({ tags: ["a", "b"], waiting: true });
  expect(of().problems).toEqual(["The chart names no tags."]);
  matches.set("many", { tags: Array.from({ length: MAX_TAGS + 7 }, (_, index) => `t${index}`) });
  expect(of("many")).toMatchObject({ left: 7 });
});

test("a margin series that misses one of three says which", () => {
  const of = (...series: (typeof margin)[]) =>
    resolve(
      { kind: "margin", title: "t", series },
      () => undefined,
      (tag) => tag !== "gone",
    );
  expect(of(margin)).toMatchObject({ tags: ["m", "l", "u"], problems: [], series: [margin] });
  expect(of(margin, { ...margin, upper: "" })).toMatchObject({
    problems: ["Series 2: no tag is given for upper."],
    series: [margin, { ...margin, upper: "" }],
  });
  expect(of({ ...margin, lower: "gone" })).toMatchObject({
    problems: ["No run logs “gone” (lower)."],
    tags: ["m", "u"],
  });
  expect(of({ ...margin, value: "gone" })).toMatchObject({ series: [], tags: [] });
  expect(
    resolve(
      { kind: "none", title: "t" },
      () => undefined,
      () => true,
    ).problems,
  ).toHaveLength(1);
});
