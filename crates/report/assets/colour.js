// The colour scale of the machine: dark blue over teal and yellow to red, rising evenly in lightness to two thirds.
const RAMP = [[62, 78, 165], [40, 110, 180], [30, 145, 170], [60, 175, 125], [150, 200, 80], [240, 205, 70], [240, 140, 50], [190, 35, 40]];

function rampColour(value) {
  const at = Math.min(1, Math.max(0, value)) * (RAMP.length - 1);
  const k = Math.min(RAMP.length - 2, Math.floor(at)), f = at - k;
  return RAMP[k].map((c, i) => c + (RAMP[k + 1][i] - c) * f);
}

// 256 RGBA pixels of it.
function rampPixels() {
  const pixels = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) pixels.set([...rampColour(i / 255), 255], 4 * i);
  return pixels;
}
