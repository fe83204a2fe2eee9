//! Canvas and controls of the machine.

/// What `assets/player.js` brings to life.
pub(crate) const MARKUP: &str = r#"<div class="panel machine">
<div class="stage">
<canvas tabindex="0" role="img" aria-label="The machine in 3D. Arrow keys turn it, shift and arrow keys move it, plus and minus zoom, space plays, comma and full stop step." aria-describedby="keys-help"></canvas>
<div class="status" role="status" aria-live="off"></div>
<div class="legend" aria-hidden="true"><div class="title"></div><div class="ramp"><i></i><ol></ol></div><ul class="links"></ul></div>
<svg class="triad" viewBox="0 0 70 70" aria-hidden="true"></svg>
<div class="pick" hidden></div>
</div>
<div class="controls first">
<button type="button" data-control="play" aria-pressed="false">▶ Play</button>
<span class="group"><button type="button" data-control="back" aria-label="One frame back">‹</button><button type="button" data-control="forward" aria-label="One frame on">›</button></span>
<label class="time">time <input type="range" data-control="time" min="0" value="0" step="1"></label>
<label title="Seconds of the machine in a second">speed <input type="number" data-control="speed" value="1" min="0" step="any" list="speeds"></label><datalist id="speeds"><option value="10"><option value="2"><option value="1"><option value="0.5"><option value="0.1"><option value="0.01"></datalist>
<label><input type="checkbox" data-control="loop" checked> loop</label>
</div>
<div class="controls">
<label>exaggeration <input type="range" data-control="scale-slider" min="0" max="4" step="0.02" aria-label="Exaggeration of displacements, logarithmic"><input type="number" data-control="scale" min="0" step="any" aria-label="Exaggeration of displacements"></label>
<label>colour <select data-control="colour"></select></label>
<label>range <select data-control="range"><option value="run">entire run</option><option value="frame">this frame</option></select></label>
<label title="The machine with rigid links at the same time"><input type="checkbox" data-control="ghost" checked> rigid ghost</label>
<label><input type="checkbox" data-control="edges" checked> mesh</label>
<label title="Rigid elements (RBE2, RBE3, RBAR) seen through the mesh"><input type="checkbox" data-control="spiders"> spiders</label>
<label title="Joints, rods, springs, cylinders, payloads, ground"><input type="checkbox" data-control="symbols" checked> joints and rods</label>
<label><input type="checkbox" data-control="names"> names</label>
<label title="Axes of joints"><input type="checkbox" data-control="axes"> axes</label>
<label title="Frames of links and interfaces: x red, y green, z blue"><input type="checkbox" data-control="frames"> frames</label>
<label><input type="checkbox" data-control="load" checked> loads</label>
<label title="What joints give to the links that they carry"><input type="checkbox" data-control="reaction"> reactions</label>
<label><input type="checkbox" data-control="path" checked> tip path</label>
<label><input type="checkbox" data-control="floor" checked> floor</label>
<span class="group"><button type="button" data-control="home">Home</button><button type="button" data-control="front">Front</button><button type="button" data-control="side">Side</button><button type="button" data-control="top">Top</button></span>
<label>section <select data-control="cut"><option value="">none</option><option value="0 1">across x</option><option value="0 -1">across −x</option><option value="1 1">across y</option><option value="1 -1">across −y</option><option value="2 1">across z</option><option value="2 -1">across −z</option></select><input type="range" data-control="cut-at" min="0" max="1" step="0.005" value="0.5" aria-label="Where the section is" hidden></label>
<label>runs <select data-control="runs"><option value="over">overlaid</option><option value="beside">side by side</option></select></label>
<span class="group"><button type="button" data-control="image" aria-label="Save the view as PNG">PNG</button><button type="button" data-control="video" aria-label="Save one pass through the frames as a video" aria-pressed="false">Video</button><button type="button" data-control="full" aria-pressed="false">Full screen</button></span>
</div>
<details class="panel-links"><summary>Links: show, hide</summary></details>
</div>
<details class="keys-help"><summary>Keys and mouse</summary><p id="keys-help">Drag to turn, shift-drag or right-drag to move, wheel or pinch to zoom; point at a node to read it.
With the view in focus: <kbd>arrows</kbd> turn, <kbd>shift</kbd> + <kbd>arrows</kbd> move, <kbd>+</kbd> <kbd>-</kbd> zoom, <kbd>Home</kbd> goes back, <kbd>space</kbd> plays,
<kbd>,</kbd> <kbd>.</kbd> step, <kbd>[</kbd> <kbd>]</kbd> change the exaggeration. Plots: drag to zoom, double-click resets, click moves the machine to that time; in focus <kbd>←</kbd> <kbd>→</kbd> read,
<kbd>+</kbd> <kbd>-</kbd> zoom, <kbd>Esc</kbd> resets, <kbd>Enter</kbd> moves the machine.</p></details>
"#;

/// The same for modes: a choice of the mode, and its phase instead of time.
pub(crate) fn modes_markup() -> String {
    let mode = "<label>mode <select data-control=\"mode\"></select></label>\n<label class=\"time\">phase";
    let path = MARKUP.lines().filter(|line| !line.contains("data-control=\"path\""));
    let text: String = path.flat_map(|line| [line, "\n"]).collect();
    text.replace("entire run", "all modes")
        .replace("this frame", "this picture")
        .replace("<label class=\"time\">time", mode)
        .replace("rigid ghost", "at rest")
        .replace("The machine with rigid links at the same time", "The machine at its pose")
}
