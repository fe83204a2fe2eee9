"""Every path and attribute that the MATLAB example reads is there. Usage: check_matlab.py PAGE FILE"""

import re
import sys

import h5py

page = open(sys.argv[1]).read()
(block,) = re.findall(r"```matlab\n(.*?)```", page, re.S)
with h5py.File(sys.argv[2]) as file:
    reads = re.findall(r"h5read\('[^']*', '([^']*)'\)", block)
    attributes = re.findall(r"h5readatt\('[^']*', '([^']*)', '([^']*)'\)", block)
    assert len(reads) >= 3 and attributes
    for name in reads:
        # MATLAB's h5read takes numbers of these kinds and no others that we write.
        assert file[name].dtype.kind in "fiu", name
    for name, attribute in attributes:
        assert isinstance(file[name].attrs[attribute], str), name
    assert file["tip/error"].shape[1] == 3
print("MATLAB's paths are there")
