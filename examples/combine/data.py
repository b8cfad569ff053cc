"""Keys for the histogram, most of them of a few bins, or with `check` whether bins.bin is their histogram."""
import struct
import sys

keys = [i * i % 4099 % 64 // (1 + i % 7) for i in range(8192)]
bins = struct.pack("<64I", *(keys.count(key) for key in range(64)))
if sys.argv[1:] == ["check"]:
    sys.exit(0 if open("bins.bin", "rb").read() == bins else "the bins are wrong")
open("keys.bin", "wb").write(struct.pack("<8192I", *keys))
