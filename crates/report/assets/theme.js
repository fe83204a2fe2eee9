// Light or dark: the system's choice until the switch is used; kept for the next report where the browser allows it.
const theme = { listeners: [], printing: false };

function applyTheme(name) {
  document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.textContent = name === "dark" ? "Light" : "Dark";
  button.setAttribute("aria-label", `Switch to ${name === "dark" ? "light" : "dark"} colours`);
  for (const listener of theme.listeners) listener();
}

function startTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let kept = null;
  try { kept = localStorage.getItem("pliant-theme"); } catch { /* storage refused: the system's choice holds */ }
  applyTheme(kept || (system.matches ? "dark" : "light"));
  system.addEventListener("change", () => { if (!kept) applyTheme(system.matches ? "dark" : "light"); });
  document.getElementById("theme").addEventListener("click", () => {
    kept = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("pliant-theme", kept); } catch { /* for this page only */ }
    applyTheme(kept);
  });
  document.getElementById("print").addEventListener("click", () => window.print());
  // Paper is light, whatever the screen is.
  let before = null;
  addEventListener("beforeprint", () => { before = document.documentElement.dataset.theme; theme.printing = true; applyTheme("light"); });
  addEventListener("afterprint", () => { theme.printing = false; if (before) applyTheme(before); });
}

// The value of a colour variable now.
function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// [r, g, b] in 0…1 of a #rrggbb variable.
function rgbOf(name) {
  const hex = colourOf(name);
  const short = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
  return [1, 3, 5].map((at) => parseInt(short.slice(at, at + 2), 16) / 255);
}
