// Loads and reactions as arrows: a shaft and a head for a force, two heads for a moment.
class Arrows {
  constructor(machine) {
    this.all = (machine.arrows || []).map((arrow) => ({ ...arrow, moved: arrayOf(arrow.moved), forces: arrayOf(arrow.forces), moments: arrayOf(arrow.moments) }));
    this.scale = machine.arrow_scale;
    this.longest = 0.2 * machine.size;
    this.unit = 0.011 * machine.size;
  }

  kinds() { return new Set(this.all.map((arrow) => arrow.kind)); }

  vector(values, frame) { return [0, 1, 2].map((c) => values[3 * frame + c]); }

  at(arrow, parts, frame, scale) {
    if (arrow.part == null) return arrow.point;
    const m = parts[arrow.part].matrix, p = arrow.point.map((x, c) => x + (arrow.moved.length ? scale * arrow.moved[3 * frame + c] : 0));
    return [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
  }

  // What to draw. A load ends at its point, a reaction begins there.
  shapes(parts, frame, scale, shown) {
    const out = [];
    for (const arrow of this.all) {
      if (!shown[arrow.kind] || (arrow.part != null && !parts[arrow.part].visible)) continue;
      const point = this.at(arrow, parts, frame, scale);
      for (const [values, largest, heads] of [[arrow.forces, this.scale.force, 1], [arrow.moments, this.scale.moment, 2]]) {
        const v = this.vector(values, frame), size = Math.hypot(...v);
        // A fiftieth of the largest is a dot.
        if (!(size > 0.02 * largest)) continue;
        const n = times(v, 1 / size), long = (this.longest * size) / largest, head = Math.min(0.6 * long, 3 * this.unit);
        const from = arrow.kind === "load" ? sub(point, times(n, long)) : point, to = add(from, times(n, long));
        const paint = heads === 1 ? (arrow.kind === "load" ? "--load" : "--reaction") : "--moment";
        out.push(["cylinder", along(from, sub(to, times(n, head)), 0.45 * this.unit), paint]);
        for (let k = 0; k < heads; k++) out.push(["point", along(sub(to, times(n, head * (1 + 0.7 * k))), sub(to, times(n, 0.7 * head * k)), 1.3 * this.unit), paint]);
      }
    }
    return out;
  }

  // In words, at a frame.
  text(arrow, frame) {
    const [force, moment] = [arrow.forces, arrow.moments].map((values) => Math.hypot(...this.vector(values, frame))), { units, factors } = this.scale;
    return `${arrow.name}: ${readable(force * factors[0])} ${units[0]}, ${readable(moment * factors[1])} ${units[1]}`;
  }
}
