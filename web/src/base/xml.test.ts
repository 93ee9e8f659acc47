import { expect, test } from "vitest";
import { escapeXml } from "./xml";

test("names cannot break out of the text", () => {
  expect(escapeXml('<script>"&\u0001')).toBe("&lt;script&gt;&quot;&amp;\ufffd");
});
