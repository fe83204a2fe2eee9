// Runs before the page: keeps what went wrong.
window.troubles = [];
window.addEventListener("error", (event) => window.troubles.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => window.troubles.push("rejected: " + event.reason));
for (const level of ["error", "warn"]) {
  const plain = console[level].bind(console);
  console[level] = (...words) => { window.troubles.push(level + ": " + words.join(" ")); plain(...words); };
}
