# Square concrete slab, simply supported on its edges, in mm-t-s.
n, side = 12, 3000.0
out = ["$ Concrete slab of 3 m by 3 m, supported on its edges (grid 1), with four anchors about its middle (grid 2).",
       "$ PSHELL 1 has the thickness: 300 mm, overridden in studies. Units mm, t, s.",
       "BEGIN BULK"]
def grid(i, x, y, z=0.0): out.append(f"GRID    {i:<8}        {x:<8.1f}{y:<8.1f}{z:<8.1f}")
grid(1, 0, 0); grid(2, 0, 0)
node = lambda i, j: 101 + j * (n + 1) + i
for j in range(n + 1):
    for i in range(n + 1):
        grid(node(i, j), -side/2 + side*i/n, -side/2 + side*j/n)
e = 1001
for j in range(n):
    for i in range(n):
        out.append(f"CQUAD4  {e:<8}1       {node(i,j):<8}{node(i+1,j):<8}{node(i+1,j+1):<8}{node(i,j+1):<8}"); e += 1
edge = [node(i, j) for j in range(n+1) for i in range(n+1) if i in (0, n) or j in (0, n)]
def rbe2(eid, gn, cm, grids):
    fields = [str(eid), str(gn), cm] + [str(g) for g in grids]
    lines = [fields[:8]] + [fields[k:k+8] for k in range(8, len(fields), 8)]
    for k, line in enumerate(lines):
        out.append(("RBE2    " if k == 0 else "        ") + "".join(f"{f:<8}" for f in line).rstrip())
rbe2(5001, 1, "123", edge)
m = n // 2
rbe2(5002, 2, "123", [node(m-1, m-1), node(m+1, m-1), node(m+1, m+1), node(m-1, m+1)])
out += ["PSHELL  1       1       300.0   1               1",
        "MAT1    1       30000.0         0.2     2.4-9", "ENDDATA"]
open("inputs/floor-slab/slab.bdf", "w").write("\n".join(out) + "\n")
