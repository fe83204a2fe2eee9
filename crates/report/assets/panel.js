// The list of links: each is shown or hidden, or shown alone.
class Panel {
  constructor(player) {
    this.player = player;
    const { parts } = player.stage, box = player.root.querySelector(".panel-links");
    this.rows = parts.map((part, k) => {
      const seen = element("input", { type: "checkbox", checked: true, onchange: () => this.set((one, j) => (j === k ? seen.checked : one.visible)) });
      const alone = element("button", { type: "button", "aria-label": `Show ${part.name} alone`, onclick: () => this.alone(k) }, "only");
      return { seen, row: element("li", {}, element("label", {}, seen, element("i", { style: `background:var(${part.colour})` }), part.name), alone) };
    });
    const all = element("button", { type: "button", onclick: () => this.set(() => true) }, "Show all");
    box.hidden = parts.length < 2;
    box.append(element("ul", {}, ...this.rows.map(({ row }) => row)), all);
  }

  // A second time it brings the others back.
  alone(k) {
    const { parts } = this.player.stage, is = parts.every((part, j) => part.visible === (j === k));
    this.set((_, j) => is || j === k);
  }

  set(visible) {
    const { stage } = this.player;
    stage.parts.forEach((part, k) => { part.visible = visible(part, k); });
    this.rows.forEach(({ seen }, k) => { seen.checked = stage.parts[k].visible; });
    if (!stage.moved) stage.home(stage.angles);
    this.player.range();
    stage.redraw();
  }
}
