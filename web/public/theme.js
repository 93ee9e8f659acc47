// Runs before the first paint, so that a dark page never flashes white. src/base/theme.ts takes over from here.
(() => {
  let wish = "system";
  try {
    wish = localStorage.getItem("seamark.theme") || wish;
  } catch {
    // Storage may be switched off: the system's wish is then all there is.
  }
  const dark = wish === "dark" || (wish !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
