// Names beside what they belong to, and pins of problems: text over the picture, moved with it.
class Labels {
  constructor(stage, root, machine) {
    this.stage = stage;
    this.box = element("div", { class: "labels" });
    root.querySelector(".stage").append(this.box);
    const name = (text, kind, at, part) => ({ at, part, node: element("span", { class: "name " + kind }, text) });
    const parts = stage.parts.map((part, k) => name(part.name, "link", part.box ? times(add(...part.box), 0.5) : [0, 0, 0], k));
    const joints = machine.symbols.filter((symbol) => !SPANS[symbol.kind] && !WHEELS[symbol.kind] && symbol.kind !== "free").map((symbol) => name(symbol.name, "joint", symbol.ends[1].point, symbol.ends[1].part));
    const spans = machine.symbols.filter((symbol) => SPANS[symbol.kind] && symbol.kind !== "payload" && symbol.kind !== "mass").map((symbol) => ({ symbol, node: element("span", { class: "name span" }, symbol.name) }));
    const triads = (machine.triads || []).map((triad) => name(triad.name.split(".").pop(), "interface", [triad.pose[3], triad.pose[7], triad.pose[11]], triad.part));
    this.names = [...parts, ...joints, ...spans, ...triads];
    this.pins = (machine.marks || []).map((mark) => ({
      at: mark.point, part: mark.part, mark,
      node: element("button", { type: "button", class: "pin " + (mark.isError ? "bad" : "warn"), title: mark.text, "aria-label": `Problem ${mark.label}: ${mark.text}`, onclick: () => this.chosen && this.chosen(mark) }, mark.label),
    }));
    this.box.append(...this.pins.map((pin) => pin.node));
    this.shown = false;
  }

  // Whether names are shown.
  show(on) {
    this.shown = on;
    for (const label of this.names) {
      if (!on) { label.node.remove(); continue; }
      label.node.hidden = false;
      this.box.append(label.node);
      label.width = label.node.offsetWidth;
    }
  }

  world({ at, part, symbol }) {
    const { stage } = this;
    if (symbol) {
      const { a, b } = stage.symbols.at(stage.symbols.all.find((one) => one.name === symbol.name), stage.parts, stage.frame, stage.options.scale);
      return times(add(a.point, b.point), 0.5);
    }
    if (part == null) return at;
    const m = stage.parts[part].matrix;
    return [0, 1, 2].map((r) => m[r] * at[0] + m[4 + r] * at[1] + m[8 + r] * at[2] + m[12 + r]);
  }

  place() {
    const taken = [];
    for (const label of [...this.pins, ...(this.shown ? this.names : [])]) {
      const part = label.part == null ? null : this.stage.parts[label.part];
      const [x, y, depth] = this.stage.onScreen(this.world(label)), { node } = label;
      // Pins at the same point stand beside each other; names that would cover others are left out.
      let at = x;
      const width = label.mark ? 25 : label.width, covers = () => taken.some(([px, py, w]) => Math.abs(px - at) < (w + width) / 2 && Math.abs(py - y) < 22);
      if (label.mark) while (covers()) at += 25;
      node.hidden = depth <= 0 || (part && !part.visible) || (!label.mark && covers());
      if (node.hidden) continue;
      taken.push([at, y, width]);
      node.style.transform = `translate(-50%, -50%) translate(${at.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }
}
