"""Meshes of other preprocessors against meshio and mapdl-archive: nodes and cells of every file of a folder.

python meshes.py PLIANT FOLDER

PLIANT is the program. FOLDER holds .msh, .inp and .cdb files; those of the source of PyPI `meshio`
(tests/meshes), of `mapdl-archive` (examples) and what Gmsh writes (tests/decks/exchange) were compared so.
A file that Pliant refuses is listed with its reasons. What cannot be imported is SKIPPED.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import meshio
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(0)

# meshio 5.3.5 reads quadratic wedges and then does not know their dimension.
meshio._mesh.topological_dimension.setdefault("wedge15", 3)
meshio._mesh.topological_dimension.setdefault("pyramid13", 3)

program, folder = sys.argv[1:3]
DIMENSION = {"tetra": 3, "tetra10": 3, "hexahedron": 3, "hexahedron20": 3, "wedge": 3, "wedge15": 3, "pyramid": 3,
             "pyramid13": 3, "triangle": 2, "triangle6": 2, "quad": 2, "quad8": 2, "line": 1}


def cells(mesh, from_vtk=False):
    """Coordinates of the nodes of each cell of the highest dimension, sorted, by type.

    meshio turns the linear wedges of VTK files over, as if their corners were listed the other way round. VTK itself computes a positive
    volume for the order of Gmsh (vtkCellSizeFilter, VTK 9), so that is undone.
    """
    highest = max((DIMENSION.get(block.type, 0) for block in mesh.cells), default=0)
    found = {}
    for block in mesh.cells:
        if len(block.data) and DIMENSION.get(block.type, 0) == highest:
            points = np.asarray(mesh.points)[:, :3] if mesh.points.shape[1] >= 3 else np.pad(mesh.points, ((0, 0), (0, 1)))
            rows = block.data[:, [0, 2, 1, 3, 5, 4]] if from_vtk and block.type == "wedge" else block.data
            rows = np.round(points[rows], 9).tolist()
            if block.type == "wedge":
                # mapdl-archive begins with another corner of the triangle.
                turns = ([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], [2, 0, 1, 5, 3, 4])
                rows = [min([row[k] for k in turn] for turn in turns) for row in rows]
            found.setdefault(block.type, []).extend(rows)
    return {kind: sorted(rows) for kind, rows in found.items()}


def theirs(path):
    if path.suffix == ".cdb":
        from mapdl_archive import Archive

        grid = Archive(str(path)).grid
        return meshio.Mesh(grid.points, [(meshio._vtk_common.vtk_to_meshio_type[kind], data.reshape(len(data), -1))
                                         for kind, data in grid.cells_dict.items()])
    return meshio.read(path)


same = refused = skipped = 0
for path in sorted(pathlib.Path(folder).rglob("*")):
    if path.suffix not in (".msh", ".inp", ".cdb"):
        continue
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary) / "a.vtu"
        run = subprocess.run([program, "convert", path, out, "--material", "steel", "--thickness", "1", "--json"],
                             capture_output=True, text=True)
        if run.returncode != 0:
            problems = json.loads(run.stdout)["diagnostics"]
            reasons = [f"{p['line']}: {p['message']}" for p in problems if p["severity"] == "error"]
            assert reasons, f"{path}: refused without a reason"
            print(f"refused {path.name}: {'; '.join(reasons)[:150]}")
            refused += 1
            continue
        ours = cells(meshio.read(out), from_vtk=True)
    try:
        reference = cells(theirs(path))
    except BaseException as problem:  # meshio exits on what it cannot read
        print(f"SKIPPED {path.name}: the other reader fails: {type(problem).__name__} {problem}"[:160])
        skipped += 1
        continue
    assert ours.keys() == reference.keys(), f"{path}: {ours.keys()} instead of {reference.keys()}"
    for kind, rows in reference.items():
        assert np.array_equal(np.array(ours[kind]), np.array(rows)), f"{path}: cells {kind} differ"
    counts = ", ".join(f"{len(rows)} {kind}" for kind, rows in reference.items())
    print(f"same    {path.name}: {counts}")
    same += 1
print(f"{same} the same, {refused} refused, {skipped} skipped")
