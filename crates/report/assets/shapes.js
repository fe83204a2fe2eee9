// Shapes of a deck: modes that play, static load cases that come and go.
class ShapePlayer extends ModePlayer {
  constructor(root, machine, page) {
    super(root, machine, page.modes, page.phases);
    this.what = page.what;
    this.status();
  }

  status() {
    if (!this.modeNames || !this.what) return;
    const label = `${this.what} ${this.modeNames[Number(this.at("mode").value)]}`;
    const status = this.root.querySelector(".status");
    status.replaceChildren(element("strong", {}, label), element("br"), `drawn × ${readable(this.stage.options.scale)}`);
  }
}

function startShapes(page) {
  const root = document.getElementById("machine"), views = {};
  if (!root || !page.machine) return views;
  try { views.machine = new ShapePlayer(root.querySelector(".machine"), page.machine, page); }
  catch (error) { root.querySelector(".machine").replaceChildren(element("p", { class: "muted", style: "padding:1rem" }, error.message)); }
  return views;
}
