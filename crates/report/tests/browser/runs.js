// Two runs in one picture: over each other, beside each other, one alone.
window.drive = async (seen) => {
  const player = window.pliant.views.machine, stage = player.stage, root = document.querySelector(".machine");
  const control = (name) => root.querySelector(`[data-control="${name}"]`);
  const lay = (how) => { control("runs").value = how; control("runs").dispatchEvent(new Event("change", { bubbles: true })); stage.draw(); };
  const origin = (k) => Array.from(stage.parts[k].matrix.slice(12, 15)), apart = () => Math.hypot(...origin(3).map((x, c) => x - origin(0)[c]));
  seen.choices = [...control("runs").options].map((option) => option.textContent);
  seen.colour = control("colour").value;
  seen.legend = root.querySelector(".legend").innerText;
  seen.over = apart();
  lay("beside");
  seen.beside = apart() / stage.size;
  lay("only 1");
  seen.only = stage.parts.map((part) => part.visible);
  seen.symbols = new Set(stage.symbols.shown(stage.parts).map((symbol) => symbol.group)).size;
  lay("over");
  seen.back = apart();
  seen.all = stage.parts.every((part) => part.visible);
};
