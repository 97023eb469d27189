#!/usr/bin/env python3
"""Draws docs/drawings/wake.svg, the picture at the top of README: vorticity behind a cylinder, as areas between lines of equal values.

    build/bin/navier-stokes --scene cylinder --size 240x90 --headless --no-pictures --time 9 --save wake.state
    docs/drawings/wake.py wake.state 240 90 >docs/drawings/wake.svg"""

import array
import struct
import sys

LEVELS = [1, 2.5, 5, 8, 12]
COLOURS = {1: ["#dbe7f8", "#aecbf0", "#78a6e4", "#447fd0", "#1f5aa8"], -1: ["#fae0dc", "#f2b8ae", "#e48679", "#cc5549", "#a32f28"]}


def parts(path):
    """{name: bytes} of a state that a demo has saved (demos/common/state.c)."""
    data, at, found = open(path, "rb").read(), 16, {}
    while at + 40 <= len(data) - 8:
        length = struct.unpack("<Q", data[at + 32 : at + 40])[0]
        found[data[at : at + 32].split(b"\0")[0].decode()] = data[at + 40 : at + 40 + length]
        at += 40 + length
    return found


def vorticity(values, nx, ny):
    """v_x - u_y between four cells: (nx - 1) x (ny - 1), u and v being on the cells' right and top faces."""
    u, v = values[: nx * ny], values[nx * ny : 2 * nx * ny]
    return [[(v[j * nx + i + 1] - v[j * nx + i] - u[(j + 1) * nx + i] + u[j * nx + i]) * ny for i in range(nx - 1)] for j in range(ny - 1)]


def outlines(field, level):
    """Closed lines around what is above the level, by marching squares; beyond the rim there is nothing."""
    rows, columns = len(field), len(field[0])
    at = lambda i, j: field[j][i] if 0 <= i < columns and 0 <= j < rows else -1e9
    edges = {}
    for j in range(-1, rows):
        for i in range(-1, columns):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            inside = [at(*c) > level for c in corners]
            crossed = []
            for k in range(4):
                a, b = corners[k], corners[(k + 1) % 4]
                if inside[k] != inside[(k + 1) % 4]:
                    t = min(max((level - at(*a)) / (at(*b) - at(*a)), 0), 1)
                    t = 0.5 if abs(at(*a)) > 1e8 or abs(at(*b)) > 1e8 else t
                    crossed.append((inside[k], (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))))
            leaving = [p for was, p in crossed if was]
            entering = [p for was, p in crossed if not was]
            for p, q in zip(leaving, entering if len(crossed) < 4 else entering[::-1]):
                edges.setdefault(key(p), []).append((p, q))
    lines = []
    while edges:
        start = next(iter(edges))
        line, place = [], start
        while place in edges:
            p, q = edges[place].pop()
            if not edges[place]:
                del edges[place]
            line.append(p)
            place = key(q)
        lines.append(line)
    return lines


def key(point):
    return round(point[0], 5), round(point[1], 5)


def path(lines, rows):
    text = ""
    for line in lines:
        if len(line) < 6:
            continue
        kept = line[::2] if len(line) > 24 else line
        text += "M" + "L".join(f"{3 * (x + 1):.1f} {3 * (rows - y):.1f}" for x, y in kept) + "Z"
    return text


state, nx, ny = parts(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
field = vorticity(array.array("f", state["u, v, pressure, dye, rim"]), nx, ny)
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {3 * nx} {3 * ny}" role="img" class="drawing">')
print("<title>The wake of a cylinder: vortices that turn to the left and to the right leave it in turns</title>")
print(f'<rect width="{3 * nx}" height="{3 * ny}" fill="#f7f8fa"/>')
for sign in (1, -1):
    signed = [[sign * value for value in row] for row in field]
    for level, colour in zip(LEVELS, COLOURS[sign]):
        print(f'<path fill="{colour}" fill-rule="evenodd" d="{path(outlines(signed, level), ny)}"/>')
print(f'<circle cx="{3 * 0.45 * ny:.1f}" cy="{3 * (1 - 0.505) * ny:.1f}" r="{0.3 * ny:.1f}" fill="#585c68"/>')
print("</svg>")
