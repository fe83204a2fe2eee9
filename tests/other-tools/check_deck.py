"""The machine at a pose as a Nastran deck: frequencies of its K and M by scipy.

python3 check_deck.py arm.bdf arm.json: the JSON is that of `pliant response --json`. The matrices are read by
the few lines below; pyNastran reads the same (docs/response.md).
"""

import json
import re
import sys

import numpy as np
import scipy.linalg

def number(text):
    return float(re.sub(r"(?<=\d)([+-]\d+)$", r"e\1", text.strip()))

terms, name, column = {}, None, None
grids, plotels = set(), 0
for line in open(sys.argv[1], encoding="ascii"):
    field = [line[:8].strip()] + [line[i:i + 16].strip() for i in range(8, 72, 16)]
    if field[0] == "DMIG*":
        name, column = field[1], (int(field[2]), int(field[3] or 0))
    elif field[0] == "*" and name:
        terms.setdefault(name, []).append(((int(field[1]), int(field[2] or 0)), column, number(field[3])))
    else:
        name = None
        plotels += field[0] == "PLOTEL"
        if field[0] == "GRID*":
            grids.add(int(field[1]))

points = sorted({point for point, _, _ in terms["KMACH"]} | {column for _, column, _ in terms["KMACH"]})
index = {point: k for k, point in enumerate(points)}

def matrix(name):
    A = np.zeros((len(points), len(points)))
    for row, column, value in terms[name]:
        A[index[row], index[column]] = A[index[column], index[row]] = value
    return A

K, M = matrix("KMACH"), matrix("MMACH")
assert plotels > 0 and any(grid in grids for grid, _ in points), "K stands on the GRIDs of interfaces"
squares = scipy.linalg.eigh(K, M, eigvals_only=True)
found = np.sqrt(np.abs(squares)) / (2 * np.pi)
ours = [mode["frequency"] for mode in json.load(open(sys.argv[2]))["poses"][0]["undamped"]]
worst = np.max(np.abs(found[: len(ours)] / ours - 1))
# Twelve digits of K beside frequencies that are a thousand times lower than the highest.
assert worst < 1e-6, f"{worst}: {found[:len(ours)]} for {ours}"
print(f"the same frequencies, {worst:.1e} apart")
