// Uses the page of a machine of which nothing has been computed.
window.drive = async (seen) => {
  const player = window.pliant.views.machine, stage = player.stage, root = document.querySelector(".machine");
  const control = (name) => root.querySelector(`[data-control="${name}"]`), gone = (name) => { const at = control(name); return (at.closest("label") || at).hidden; };
  stage.draw();
  seen.hidden = ["scale", "ghost", "range", "video"].map(gone);
  seen.time_hidden = root.querySelector(".controls.first").hidden;
  seen.checked = ["spiders", "axes", "frames", "path", "load"].map((name) => control(name).checked);
  seen.colour = control("colour").value;
  const pins = [...root.querySelectorAll(".labels .pin")].filter((pin) => !pin.hidden);
  seen.pins = pins.map((pin) => pin.textContent);
  // The pin stands where its point is drawn.
  const label = player.labels.pins[0], [x, y] = stage.onScreen(player.labels.world(label)), box = label.node.getBoundingClientRect(), view = stage.canvas.getBoundingClientRect();
  seen.pin_off = Math.hypot(box.left + box.width / 2 - view.left - x, box.top + box.height / 2 - view.top - y);
  pins[0].click();
  seen.chosen = [...document.querySelectorAll("ol.problems li.chosen")].map((row) => row.id);
  const before = [...stage.camera.target];
  document.querySelector('[data-problem="2"]').click();
  seen.looks_at = Math.hypot(...stage.camera.target.map((x, c) => x - before[c])) > 0;
  seen.pin_chosen = player.labels.pins[1].node.classList.contains("chosen");
  seen.marked = document.querySelector("ol.problems mark").textContent;
  seen.rows = document.querySelectorAll("ol.problems li").length;
  seen.mass = document.body.innerText.includes("the mass must not be negative");
  control("names").click();
  stage.draw();
  seen.names = [...root.querySelectorAll(".labels .name")].map((name) => name.textContent);
  const unnamed = [...document.querySelectorAll("button, select, input")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length && e.labels[0].textContent.trim())));
  seen.unnamed = unnamed.map((e) => e.outerHTML.slice(0, 80));
  seen.wider_than_window = document.documentElement.scrollWidth > document.documentElement.clientWidth;
};
