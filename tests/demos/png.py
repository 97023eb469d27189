#!/usr/bin/env python3
"""Pictures as the programs write them. Run by itself it compares two, but for rows above and below: png.py PICTURE PICTURE ROWS
Returns 1 where a pixel differs."""

import struct
import sys
import zlib


def png(path):
    """RGB, 8 bits a sample."""
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IHDR":
            width, height = struct.unpack(">II", data[at + 8 : at + 16])
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    raw, rows, above = zlib.decompress(packed), [], bytearray(3 * width)
    for y in range(height):
        kind, row = raw[y * (3 * width + 1)], bytearray(raw[y * (3 * width + 1) + 1 : (y + 1) * (3 * width + 1)])
        for k in range(3 * width):
            left, up, corner = row[k - 3] if k > 2 else 0, above[k], above[k - 3] if k > 2 else 0
            nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[k] = (row[k] + (0, left, up, (left + up) // 2, nearest)[kind]) & 255
        rows.append(row)
        above = row
    return width, height, lambda x, y: rows[y][3 * x : 3 * x + 3]


if __name__ == "__main__":
    rows = int(sys.argv[3])
    (width, height, one), (*size, other) = png(sys.argv[1]), png(sys.argv[2])
    if [width, height] != size:
        sys.exit(f"{width} x {height} pixels, and {size[0]} x {size[1]}")
    differ = [(x, y) for y in range(rows, height - rows) for x in range(width) if one(x, y) != other(x, y)]
    if differ:
        sys.exit(f"{len(differ)} pixels differ, the first one at {differ[0]}: {list(one(*differ[0]))} and {list(other(*differ[0]))}")
