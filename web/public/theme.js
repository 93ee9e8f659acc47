// Runs before the first paint, so that a dark page never flashes white. src/base/theme.svelte.ts takes over from here.
(() => {
  let wish = "system";
  try {
    wish = localStorage.getItem("seamark.theme") || wish;
  } catch {
    // Storage may be switched off: the system's wish is then all there is.
  }
  const asked = /[?&]darkMode=(true|false)\b/.exec(location.search + location.hash);
  if (asked) wish = asked[1] === "true" ? "dark" : "light";
  const dark = wish === "dark" || (wish !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
