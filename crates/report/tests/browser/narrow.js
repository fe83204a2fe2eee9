// What stands beyond the window, and controls that overlap. Runs in a frame, whose width no browser limits.
window.drive = async (seen) => {
  await new Promise((resolve) => setTimeout(resolve, 400));
  const box = (e) => e.getBoundingClientRect(), shown = (e) => e.checkVisibility() && box(e).width > 0 && box(e).height > 0; // What a closed <details> holds has a box and is not seen.
  const scrolls = (e) => { for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true; return false; };
  const name = (e) => `${e.tagName}.${e.className.baseVal ?? e.className} ${(e.textContent || "").slice(0, 30)}`;
  seen.width = innerWidth;
  seen.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  seen.scroll_width = document.documentElement.scrollWidth;
  seen.beyond = [...document.querySelectorAll("body *")].filter((e) => shown(e) && !e.closest("svg") && !scrolls(e) && box(e).right > innerWidth + 0.5).map(name);
  const controls = [...document.querySelectorAll("button, select, input, h2, h3, .status, .card")].filter((e) => shown(e) && !scrolls(e));
  const cross = (a, b) => Math.min(box(a).right, box(b).right) - Math.max(box(a).left, box(b).left) > 1 && Math.min(box(a).bottom, box(b).bottom) - Math.max(box(a).top, box(b).top) > 1;
  const over = (e) => { const at = getComputedStyle(e); return at.position === "absolute" || at.position === "sticky" || at.position === "fixed"; };
  const lifted = (e) => { for (let p = e; p && p !== document.body; p = p.parentElement) if (over(p)) return true; return false; };
  const flat = controls.filter((e) => !lifted(e));
  seen.overlaps = [];
  flat.forEach((a, k) => flat.slice(k + 1).forEach((b) => { if (!a.contains(b) && !b.contains(a) && cross(a, b)) seen.overlaps.push(`${name(a)} | ${name(b)}`); }));
  parent.postMessage(JSON.stringify(seen), "*");
};
