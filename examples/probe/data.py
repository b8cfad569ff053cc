"""A hash table of so many buckets and keys to look up, or with `check` behind it whether places.bin has their places."""
import struct
import sys

BUCKETS, KEYS = int(sys.argv[1]), 8192
NOWHERE = 2**32 - 1


def bucket(key):
    return (key ^ key >> 7 ^ key >> 15) % BUCKETS


table = [[] for _ in range(BUCKETS)]
numbers = [1 + i * 2654435761 % (2**32 - 1) for i in range(4 * BUCKETS)]
for number in numbers[::2]:
    if len(table[bucket(number)]) < 8 and number not in table[bucket(number)]:
        table[bucket(number)].append(number)
keys = [numbers[i * 40503 % (4 * BUCKETS)] for i in range(KEYS)]


def place(key):
    row = table[bucket(key)]
    return 8 * bucket(key) + row.index(key) if key in row else NOWHERE


if sys.argv[2:] == ["check"]:
    places = struct.pack(f"<{KEYS}I", *map(place, keys))
    sys.exit(0 if open("places.bin", "rb").read() == places else "the places are wrong")
words = [word for row in table for word in row + [0] * (8 - len(row))]
open("table.bin", "wb").write(struct.pack(f"<{8 * BUCKETS}I", *words))
open("keys.bin", "wb").write(struct.pack(f"<{KEYS}I", *keys))
