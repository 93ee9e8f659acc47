/**
 * Finishes HTML that the server has made safe: formulas are typeset and code is coloured, each with its package fetched when the first
 * text needs it. Nothing here takes HTML from what was logged: formulas and code are read as text.
 */

/** A page of formulas; more are left as TeX. */
const MAX_FORMULAS = 500;
/** Colouring works with patterns over the whole text. */
const MAX_CODE = 50_000;

export async function typeset(root: HTMLElement): Promise<void> {
  await Promise.all([formulas(root), code(root)]);
}

async function formulas(root: HTMLElement): Promise<void> {
  const found = [...root.querySelectorAll<HTMLElement>("code.math-inline, code.math-display")].slice(0, MAX_FORMULAS);
  if (found.length === 0) return;
  const { typesetFormula } = await import("./formula");
  for (const element of found) {
    const holder = document.createElement("span");
    const isDisplay = element.classList.contains("math-display");
    holder.className = isDisplay ? "formula display" : "formula";
    typesetFormula(element.textContent ?? "", holder, isDisplay);
    element.replaceWith(holder);
  }
}

async function code(root: HTMLElement): Promise<void> {
  const found = [...root.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')];
  if (found.length === 0) return;
  const { coloured } = await import("./code_colours");
  for (const element of found) {
    const text = element.textContent ?? "";
    const html = text.length <= MAX_CODE ? coloured(text, element.className.slice("language-".length)) : null;
    if (html !== null) element.innerHTML = html;
  }
}
