import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("a text is measured once in the font of the axes, its digits as zeros", async () => {
  const measured: string[] = [];
  const context = {
    font: "",
    measureText: (text: string) => (measured.push(`${context.font}: ${text}`), { width: text.length * 9 }),
  };
  vi.stubGlobal("document", { documentElement: null, createElement: () => ({ getContext: () => context }) });
  const tokens: Record<string, string> = { "--fs-axis": "10px", "--font": "Wide, serif" };
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: (name: string) => tokens[name] }));
  const { textWidth } = await import("./text_width");
  expect(["12.5k", "99.1k", "−0.1"].map(textWidth)).toEqual([45, 45, 36]);
  expect(measured).toEqual(["10px Wide, serif: 00.0k", "10px Wide, serif: −0.0"]);
});

test("without a page the width is estimated", async () => {
  const { textWidth } = await import("./text_width");
  expect(textWidth("abc")).toBeCloseTo(16.8);
});
