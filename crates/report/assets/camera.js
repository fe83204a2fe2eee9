// Where one looks from: the machine fills the view, seen from where it shows most.
const OPENING = 0.7;

class Camera {
  constructor(stage) {
    this.stage = stage;
    Object.assign(this, { azimuth: -0.9, elevation: 0.42, distance: 1, target: [0, 0, 0] });
  }

  // Direction from the target to the eye, and the two axes of the screen.
  axes() {
    const { azimuth, elevation } = this;
    const back = [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)];
    const right = [-Math.sin(azimuth), Math.cos(azimuth), 0];
    return { back, right, up: cross(back, right) };
  }

  // Height of the view over its distance; a narrow window shows more of it.
  opening() {
    const { clientWidth: width, clientHeight: height } = this.stage.canvas;
    return OPENING * Math.max(1, Math.min(2, (1.25 * height) / (width || 1)));
  }

  // Corners of what is shown, at some of the frames, in upright axes.
  points() {
    const { parts, symbols, upright } = this.stage, last = this.stage.times.length - 1, out = [];
    const turned = ([x, y, z]) => [0, 1, 2].map((r) => upright[r] * x + upright[4 + r] * y + upright[8 + r] * z);
    const at = Array.from({ length: Math.min(12, last + 1) }, (_, k) => Math.round((k * last) / Math.min(11, Math.max(1, last))));
    for (const part of parts) {
      if (!part.visible || !part.box) continue;
      for (const frame of at) {
        const m = poseMatrix(part.poses, 12 * frame);
        for (let c = 0; c < 3; c++) m[12 + c] += part.shift[c];
        for (let k = 0; k < 8; k++) {
          const p = [0, 1, 2].map((c) => part.box[(k >> c) & 1][c]);
          out.push(turned([0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r])));
        }
      }
    }
    // Stands on the ground, and balls that reach beyond the links.
    const T = symbols.unit, grown = (p, by) => [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((n) => out.push(add(p, times(n, by)), sub(p, times(n, by))));
    for (const symbol of symbols.shown(parts)) {
      const shift = symbols.shifts[symbol.group || 0] || [0, 0, 0];
      for (const end of symbol.ends) {
        if (end.part == null) { const at = turned(add(end.point, shift)); out.push(add(at, [0, 0, 5 * T]), sub(at, [0, 0, 5 * T])); }
        else if (symbol.radius > 0) for (const frame of at) {
          const m = poseMatrix(parts[end.part].poses, 12 * frame), p = end.point;
          grown(turned(add(parts[end.part].shift, [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]))), symbol.radius);
        }
      }
    }
    return out;
  }

  // Looks at all of it. A flat machine is looked at from its side.
  home(angles) {
    const points = this.points();
    if (!points.length) return;
    [this.azimuth, this.elevation] = angles || this.best(points);
    const { back, right, up } = this.axes();
    const { clientWidth: width, clientHeight: height } = this.stage.canvas;
    const tall = Math.tan(this.opening() / 2), wide = tall * ((width || 4) / (height || 3));
    const middle = (axis) => { const along = points.map((p) => dot(p, axis)); return (Math.min(...along) + Math.max(...along)) / 2; };
    this.target = [0, 0, 0];
    for (const axis of [right, up, back]) this.target = add(this.target, times(axis, middle(axis)));
    // The nearest point that just fits; the margins are for joints, bars and the caption.
    let distance = 0;
    for (const p of points) {
      const from = sub(p, this.target);
      distance = Math.max(distance, dot(from, back) + Math.max(Math.abs(dot(from, right)) / wide, Math.abs(dot(from, up)) / tall));
    }
    this.distance = 1.14 * distance + 3 * this.stage.symbols.unit;
  }

  // Azimuth and elevation across the direction in which the points are least apart.
  best(points) {
    const n = points.length, mean = times(points.reduce(add, [0, 0, 0]), 1 / n);
    const spread = (angle) => {
      const axis = [Math.cos(angle), Math.sin(angle), 0];
      return Math.sqrt(points.reduce((sum, p) => sum + dot(sub(p, mean), axis) ** 2, 0) / n);
    };
    const angles = Array.from({ length: 36 }, (_, k) => (Math.PI * k) / 36), spreads = angles.map(spread);
    const least = Math.min(...spreads), most = Math.max(...spreads);
    const high = Math.sqrt(points.reduce((sum, p) => sum + (p[2] - mean[2]) ** 2, 0) / n);
    if (least > 0.6 * most) return [-0.9, high < 0.15 * most ? 0.75 : 0.42];
    // Of the two sides the one nearer to the usual view, and a little from the corner.
    const across = angles[spreads.indexOf(least)];
    const side = Math.cos(across + 0.9) >= 0 ? across : across + Math.PI;
    return [side + (Math.sin(-0.9 - side) >= 0 ? 0.45 : -0.45), high < 0.15 * most ? 0.75 : 0.32];
  }
}
