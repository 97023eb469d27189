#!/usr/bin/env python3
"""Pictures of scenes for a page's menu, drawn by the desktop's program: small PNG files with a palette.

    pictures.py PROGRAM SCENES OUT

PROGRAM draws each of the NN-name.scene files in SCENES on a coarser grid; OUT/NAME.png is made anew where the scene is younger."""
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from pathlib import Path

WIDTH, HEIGHT, COLOURS, FRAMES, COARSER = 320, 180, 128, 40, 2


def read_png(data):
    """Rows of bytes, three for a pixel, and the width: of the kind that programs and browsers write."""
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
            assert (bits, colour) == (8, 2), "three bytes a pixel"
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    raw, stride, rows, above = zlib.decompress(packed), 3 * width, [], bytes(3 * width)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for k in range(stride if kind else 0):
            a, b, c = line[k - 3] if k > 2 else 0, above[k], above[k - 3] if k > 2 else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[k] = (line[k] + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
        rows.append(line)
        above = line
    return rows, width


def field(rows, width, columns, lines):
    """What lies between the texts above and below, and to the left of the colour bar, in a picture of so many cells, and its width."""
    text, scale = max(len(rows) * 7 // 100, 20), min(len(rows) // lines, width // columns)
    return rows[text:-text], scale * columns


def shrink(rows, width):
    """The middle part of the shape of a card; each pixel is the mean of some."""
    height = len(rows)
    scale = min(width / WIDTH, height / HEIGHT)
    left, top = (width - scale * WIDTH) / 2, (height - scale * HEIGHT) / 2
    for y in range(HEIGHT):
        lines = [rows[min(int(top + scale * (y + f)), height - 1)] for f in (0.25, 0.75)]
        for x in range(WIDTH):
            places = [3 * min(int(left + scale * (x + f)), width - 1) for f in (0.25, 0.75)]
            yield tuple(sum(line[p + k] for line in lines for p in places) // 4 for k in range(3))


def widest(colours):
    """The widest range of these colours in a channel, and the channel."""
    return max((max(c[k] for c in colours) - min(c[k] for c in colours), k) for k in range(3))


def quantized(pixels):
    """A palette, and each pixel's place in it. A box that holds all colours is cut at its middle colour along its widest channel, then always a box that is wide and
    holds many, until there are enough; each becomes the mean of its pixels."""
    pixels = list(pixels)
    counts = Counter(pixels)
    boxes = [(*widest(counts), list(counts))]
    while len(boxes) < COLOURS:
        worth, k = max((width * len(colours) ** 0.5, k) for k, (width, _, colours) in enumerate(boxes))
        if not worth:
            break
        _, channel, colours = boxes.pop(k)
        colours.sort(key=lambda c: c[channel])
        boxes += [(*widest(half), half) for half in (colours[:len(colours) // 2], colours[len(colours) // 2:])]
    boxes = sorted(colours for _, _, colours in boxes)
    place = {colour: k for k, colours in enumerate(boxes) for colour in colours}
    mean = [tuple(round(sum(c[k] * counts[c] for c in colours) / sum(counts[c] for c in colours)) for k in range(3)) for colours in boxes]
    return mean, bytes(place[pixel] for pixel in pixels)


def write_png(path, palette, places):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    lines = b"".join(b"\0" + places[y * WIDTH:(y + 1) * WIDTH] for y in range(HEIGHT))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)) +
                     chunk(b"PLTE", bytes(v for colour in palette for v in colour)) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def draw(program, scene, name, out):
    size = re.search(r"^size\s+(\d+)\s*,\s*(\d+)", scene.read_text(), re.MULTILINE)
    columns, lines = (int(n) // COARSER for n in size.groups())
    arguments = [program, "--scene", name, "--headless", "--quiet", "--frames", str(FRAMES), f"--size={columns}x{lines}"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*arguments, "--out", folder], check=True, timeout=600, stdout=subprocess.DEVNULL)
        rows, width = read_png(sorted(Path(folder).glob("*.png"))[-1].read_bytes())
        write_png(out, *quantized(shrink(*field(rows, width, columns, lines))))


def main():
    program, scenes, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    for scene in sorted(scenes.glob("*.scene")):
        name = re.sub(r"^\d+-", "", scene.stem)
        picture = out / f"{name}.png"
        if not picture.exists() or picture.stat().st_mtime < scene.stat().st_mtime:
            draw(program, scene, name, picture)


if __name__ == "__main__":
    main()
