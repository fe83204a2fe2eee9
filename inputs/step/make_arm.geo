SetFactory("OpenCASCADE");
// A hollow arm: a box with a box-shaped cavity, and two bores at its ends.
Box(1) = {0, -20, -15, 300, 40, 30};
Box(2) = {40, -15, -10, 220, 30, 20};
Cylinder(3) = {15, 0, -20, 0, 0, 40, 10};
Cylinder(4) = {285, 0, -20, 0, 0, 40, 8};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2,3,4}; Delete; }
Save "arm.step";
