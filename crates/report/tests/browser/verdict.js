// Runs last: drives the page and leaves what was seen where --dump-dom shows it.
window.addEventListener("load", async () => {
  const seen = { ready: document.documentElement.dataset.ready === "true", load_ms: Math.round(performance.now()) };
  try { await window.drive(seen); } catch (error) { seen.failure = String(error && error.stack); }
  seen.troubles = window.troubles;
  const verdict = document.createElement("pre");
  verdict.id = "verdict";
  verdict.textContent = JSON.stringify(seen);
  document.body.replaceChildren(verdict);
  document.head.replaceChildren();
});
