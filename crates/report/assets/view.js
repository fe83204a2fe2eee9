// A machine of which nothing has been computed: its problems in the picture and in the list, and a page that follows the file.
const KEPT = "pliant-view";

function startView(page) {
  const root = document.querySelector("#machine .machine"), views = {};
  if (root && page.machine) {
    page.machine.plain = true;
    try {
      views.machine = new Player(root, page.machine);
      startProblems(views.machine);
    } catch (error) {
      root.replaceChildren(element("p", { class: "muted", style: "padding:1rem" }, error.message));
    }
  }
  if (page.live) startLive(views.machine);
  return views;
}

// A pin leads to its problem, the number of a problem to its pin.
function startProblems(player) {
  const { labels, stage } = player;
  const choose = (label) => {
    for (const pin of labels.pins) pin.node.classList.toggle("chosen", pin.mark.label === label);
    for (const row of document.querySelectorAll("ol.problems li")) row.classList.toggle("chosen", row.id === "problem-" + label);
  };
  labels.chosen = (mark) => { choose(mark.label); document.getElementById("problem-" + mark.label).scrollIntoView({ block: "center" }); };
  for (const button of document.querySelectorAll("[data-problem]")) button.addEventListener("click", () => {
    const pin = labels.pins.find((pin) => pin.mark.label === button.dataset.problem), world = labels.world(pin);
    choose(pin.mark.label);
    stage.moved = true;
    stage.camera.target = [0, 1, 2].map((r) => stage.upright[r] * world[0] + stage.upright[4 + r] * world[1] + stage.upright[8 + r] * world[2]);
    stage.redraw();
    stage.canvas.scrollIntoView({ block: "center" });
  });
}

// Loads the page anew when the server says that a file has changed; where one looked from stays.
function startLive(player) {
  const badge = element("div", { class: "live", role: "status" }, "follows the file");
  document.body.append(badge);
  const controls = player ? [...player.root.querySelectorAll("[data-control]")].filter((control) => control.matches("input, select")) : [];
  const kept = sessionStorage.getItem(KEPT);
  if (kept && player) {
    const { camera, moved, values, scroll } = JSON.parse(kept);
    for (const control of controls) {
      const value = values[control.dataset.control];
      if (value === undefined) continue;
      if (control.type === "checkbox") control.checked = value; else control.value = value;
      control.dispatchEvent(new Event(control.type === "range" ? "input" : "change"));
    }
    player.stage.moved = moved;
    if (moved) Object.assign(player.stage.camera, camera);
    scrollTo(0, scroll);
    player.stage.redraw();
  }
  const events = new EventSource("events");
  let version = null;
  events.addEventListener("message", (event) => {
    if (version === null) version = event.data;
    if (event.data === version) { badge.textContent = "follows the file"; return; }
    if (player) {
      const { azimuth, elevation, distance, target } = player.stage.camera, values = {};
      for (const control of controls) values[control.dataset.control] = control.type === "checkbox" ? control.checked : control.value;
      sessionStorage.setItem(KEPT, JSON.stringify({ camera: { azimuth, elevation, distance, target }, moved: player.stage.moved, values, scroll: scrollY }));
    }
    location.reload();
  });
  events.addEventListener("error", () => { badge.textContent = "the server has ended"; });
}
