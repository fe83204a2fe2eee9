"""Writes bracket.bdf with Gmsh (pip install gmsh), as docs/tutorials/bracket.md does. Millimetres."""

import gmsh

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
cad = gmsh.model.occ
plate = cad.addBox(0, -20, -3, 160, 40, 6)
shaft = cad.addCylinder(20, 0, -10, 0, 0, 20, 8)
pin = cad.addCylinder(145, 0, -10, 0, 0, 20, 5)
window = cad.addBox(50, -10, -10, 70, 20, 20)
cad.cut([(3, plate)], [(3, shaft), (3, pin), (3, window)])
cad.synchronize()
gmsh.option.setNumber("Mesh.MeshSizeMax", 12)
gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", 10)
gmsh.option.setNumber("Mesh.ElementOrder", 2)
gmsh.model.mesh.generate(3)
gmsh.write("bracket.bdf")
