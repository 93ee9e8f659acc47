import { expect, test } from "vitest";
import { axisTitles } from "./titles";

test("axes have their title and what they explain; t-SNE has none", () => {
  const method = { components: [], dims: 2 } as const;
  expect(axisTitles({ titles: [], variance: [] }, method)).toEqual([]);
  expect(axisTitles({ titles: ["low → high", "b"], variance: [] }, method)).toEqual(["low → high", "b"]);
  const pca = { titles: ["PC1", "PC2", "PC3"], variance: [0.5, 0.25, 0.1] };
  expect(axisTitles(pca, { components: [2, 0], dims: 2 })).toEqual([
    "PC3 · 10.0% of the variance",
    "PC1 · 50.0% of the variance",
  ]);
  expect(axisTitles(pca, { components: [], dims: 3 })[0]).toBe("PC1 · 50.0%");
  expect(axisTitles({ titles: ["PC3", "PC1"], variance: [0.5, 0.25, 0.1] }, { components: [2, 0], dims: 2 })[0]).toBe(
    "PC3 · 10.0% of the variance",
  );
});
