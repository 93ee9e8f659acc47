/** KaTeX, in a file of its own so that it is fetched only when there is a formula. */

import katex from "katex";
import "katex/dist/katex.css";

/** Into `holder`, through the DOM: the page's content policy forbids style attributes in HTML. What is no TeX stands there in red. */
export function typesetFormula(tex: string, holder: HTMLElement, isDisplay: boolean): void {
  try {
    katex.render(tex, holder, {
      displayMode: isDisplay,
      throwOnError: false,
      trust: false,
      strict: false,
      maxExpand: 500,
      maxSize: 20,
      errorColor: "var(--err)",
    });
  } catch {
    holder.textContent = tex;
  }
}
