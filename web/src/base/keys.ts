/**
 * The keys of the page, each with one meaning. Those of the shell work everywhere; a view takes its keys from KEYS, and
 * keys without a command are in FIXED_KEYS. keys.test.ts fails if a key gets a second meaning.
 */

export const SHELL_KEYS = {
  palette: "Ctrl+K",
  listKeys: "?",
  filterRuns: "/",
  findRuns: "Ctrl+F",
  runTable: "Shift+R",
  showAll: "a",
  showNone: "n",
  invert: "i",
  nextRun: "j",
  previousRun: "k",
  toggleRun: "Space",
  focusRun: "f",
  onlyRun: "Shift+F",
  openRun: "Shift+O",
  compareRuns: "Shift+D",
  starRun: "*",
  editRun: "r",
  copyPath: "c",
} as const;

export const KEYS = {
  filter: "t",
  searchTexts: "Shift+T",
  fullScreen: "e",
  pin: "p",
  play: "m",
  back: ",",
  forward: ".",
  reset: "0",
  lessSmoothing: "[",
  moreSmoothing: "]",
  logScale: "l",
  nextView: "v",
  compare: "d",
  asLogged: "w",
  swapRuns: "x",
  combineRuns: "o",
  linkSteps: "y",
  newestStep: "Shift+N",
  selectSteps: "s",
  stepGrid: "g",
  actualSize: "Shift+A",
  best: "b",
  oneColumn: "1",
  twoColumns: "2",
  threeColumns: "3",
  fourColumns: "4",
  previous: "ArrowLeft",
  next: "ArrowRight",
  larger: "+",
  smaller: "-",
} as const;

export const isShellKey = (key: string): boolean =>
  Object.values(SHELL_KEYS).some((known) => known.toLowerCase() === key.toLowerCase());

/** Keys without a command: Escape, and those of a chart or a table while it has the focus. Listed with the others. */
export const FIXED_KEYS: readonly { readonly title: string; readonly keys: string }[] = [
  { title: "Chart in focus: previous and next point", keys: "← →" },
  { title: "Chart in focus: zoom", keys: "+ −" },
  { title: "Chart in focus: show everything", keys: "0" },
  { title: "Table in focus: move", keys: "← ↑ ↓ →" },
  { title: "Projector in focus: find points", keys: "/" },
  { title: "Projector in focus: pan, box, lasso", keys: "V B S" },
  { title: "Projector in focus: two or three dimensions", keys: "2 3" },
  { title: "Projector in focus: isolate, hide, show all", keys: "I H A" },
  { title: "Projector in focus: undo isolate or hide", keys: "Ctrl+Z" },
  { title: "Projector in focus: labels", keys: "L" },
  { title: "Projector in focus: next and previous neighbour, back", keys: "N Shift+N ⌫" },
  { title: "Projector in focus: play the steps", keys: "Space" },
  { title: "Projector in focus: controls", keys: "C" },
  { title: "Projector in focus: show everything", keys: "0" },
  { title: "Projector in focus: clear the point, the selection, the search", keys: "Esc" },
  { title: "Page: close the topmost thing", keys: "Esc" },
];
