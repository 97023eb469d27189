#!/usr/bin/env python3
"""Compares a screen with a picture of a run without a display: areas.py SCREEN MESSAGES PICTURE COLUMNS ROWS TOLERANCE

SCREEN is an X window dump; MESSAGES says last where the picture stands in the window, whose upper left corner is the screen's.
Means over squares of the domain, but for its rim, where texts are, must agree within TOLERANCE of 255: the window's picture has been scaled. Returns 1 where they do not."""

import re
import struct
import sys

from png import png

SQUARES = 8  # along each axis


def screen(path):
    data = open(path, "rb").read()
    head = struct.unpack(">25I", data[:100])
    start, width, height, stride = head[0] + 12 * head[19], head[4], head[5], head[12]
    return width, height, lambda x, y: data[start + y * stride + 4 * x : start + y * stride + 4 * x + 3][::-1]


def means(pixel, left, top, width, height):
    result = []
    for square in range(SQUARES * SQUARES):
        i, j = square % SQUARES, square // SQUARES
        places = [(left + int((i + (a + 0.5) / 12) * width / SQUARES), top + int((j + (b + 0.5) / 12) * height / SQUARES))
                  for a in range(12) for b in range(12)]
        result.append([sum(pixel(x, y)[c] for x, y in places) / len(places) for c in range(3)])
    return result


_, _, on_screen = screen(sys.argv[1])
told = re.findall(r"picture of (\d+) x (\d+) at (\d+) (\d+) in", open(sys.argv[2]).read())
width, height, left, top = map(int, told[-1])
full, high, in_file = png(sys.argv[3])
columns, rows, tolerance = map(int, sys.argv[4:7])
scale = min(full // columns, high // rows)
shown = means(on_screen, left, top, width, height)
wanted = means(in_file, 0, (high - scale * rows) // 2, scale * columns, scale * rows)
wrong = 0
for square in range(SQUARES * SQUARES):
    i, j = square % SQUARES, square // SQUARES
    if not (0 < i < SQUARES - 1 and 0 < j < SQUARES - 1):
        continue
    apart = max(abs(a - b) for a, b in zip(shown[square], wanted[square]))
    if apart > tolerance:
        wrong += 1
        print(f"square {i}, {j}: {[round(x) for x in shown[square]]} on the screen, {[round(x) for x in wanted[square]]} in the picture")
sys.exit(wrong > 0)
