"""The meshes of this folder, written by Gmsh (PyPI `gmsh`): one small body in every format that Gmsh writes.

python make.py [FOLDER]
"""
import os
import sys

import gmsh

folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


def write(kind, order):
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    occ = gmsh.model.occ
    if kind == "tetra":
        occ.addBox(0, 0, 0, 0.1, 0.03, 0.02)
    else:
        base = occ.addRectangle(0, 0, 0, 0.1, 0.03)
        # Askew, so that an exchange of two nodes changes the matrices.
        occ.extrude([(2, base)], 0.002, 0.004, 0.02, numElements=[1], recombine=True)
    occ.synchronize()
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.06 if kind == "tetra" else 0.025)
    gmsh.option.setNumber("Mesh.MeshSizeMin", 0.02 if kind == "tetra" else 0)
    if kind == "hexa":
        gmsh.option.setNumber("Mesh.RecombineAll", 1)
        gmsh.option.setNumber("Mesh.Algorithm", 8)
    faces = [tag for dim, tag in gmsh.model.getEntities(2) if gmsh.model.getBoundingBox(dim, tag)[3] < 0.01]
    gmsh.model.addPhysicalGroup(3, [tag for _, tag in gmsh.model.getEntities(3)], 7, "body")
    gmsh.model.addPhysicalGroup(2, faces, 3, "root face")
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
    gmsh.option.setNumber("Mesh.ElementOrder", order)
    gmsh.model.mesh.generate(3)
    name = os.path.join(folder, f"{kind}{order}")
    for version, binary, label in [(2.2, 0, "2"), (2.2, 1, "2b"), (4.0, 0, "40"), (4.1, 0, "4"), (4.1, 1, "4b")]:
        gmsh.option.setNumber("Mesh.MshFileVersion", version)
        gmsh.option.setNumber("Mesh.Binary", binary)
        gmsh.write(f"{name}-{label}.msh")
    gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.option.setNumber("Mesh.SaveGroupsOfNodes", 1)
    for ending in ("unv", "inp", "bdf"):
        gmsh.write(f"{name}.{ending}")
    gmsh.finalize()


for kind in ("tetra", "penta", "hexa"):
    for order in (1, 2):
        write(kind, order)
