#!/usr/bin/env python3
"""Writes straight-line.csv: joint angles (rad) of the rigid two-link arm whose tip goes along x = 0.478 m.

Links of 0.478 m and 1.725 m, tip from y = 2.1 m to y = 1.2 m in 3 s along a cycloid, elbow bent to the left. Run it again after a change:

    python3 inputs/olejak/make_motion.py
"""
import math
from pathlib import Path

L1, L2, X, TIME, ROWS = 0.478, 1.725, 0.478, 3.0, 601

lines = ["t,shoulder,elbow"]
for row in range(ROWS):
    t = TIME * row / (ROWS - 1)
    s = t / TIME - math.sin(2 * math.pi * t / TIME) / (2 * math.pi)
    y = 2.1 - 0.9 * s
    elbow = math.acos((X * X + y * y - L1 * L1 - L2 * L2) / (2 * L1 * L2))
    shoulder = math.atan2(y, X) - math.atan2(L2 * math.sin(elbow), L1 + L2 * math.cos(elbow))
    lines.append(f"{t:.3f},{shoulder:.15g},{elbow:.15g}")
(Path(__file__).parent / "straight-line.csv").write_text("\n".join(lines) + "\n")
