// Uses the report of a static answer as a person would, and notes what it saw.
window.drive = async (seen) => {
  const { views } = window.pliant, player = views.machine, stage = player.stage;
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const pixels = () => {
    stage.draw();
    const { gl } = stage, out = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return out;
  };
  const differing = (a, b) => { let n = 0; for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1]) n++; return n / (a.length / 4); };
  const control = (name) => document.querySelector(`.machine [data-control="${name}"]`);
  const choose = (name, value) => { control(name).value = value; control(name).dispatchEvent(new Event("change", { bubbles: true })); };
  const largest = () => Math.max(...stage.parts[0].valueAt ? [...Array(stage.parts[0].count).keys()].map((node) => stage.parts[0].valueAt(node, "von Mises stress", player.frame)).filter(Number.isFinite) : [NaN]);
  const first = pixels();
  choose("colour", "von Mises stress");
  seen.colour_differs = differing(first, pixels());
  seen.first_stress = largest();
  choose("mode", 1);
  seen.second_stress = largest();
  seen.status = document.querySelector(".status").innerText;
  control("time").value = 0;
  control("time").dispatchEvent(new Event("input", { bubbles: true }));
  seen.stress_without_load = largest();
  const before = pixels();
  control("play").click();
  await wait(600);
  control("play").click();
  seen.played = differing(before, pixels());
  seen.unnamed = [...document.querySelectorAll("button, select, input")].filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.closest("label"))).map((e) => e.outerHTML);
  seen.wider_than_window = document.documentElement.scrollWidth > innerWidth;
};
