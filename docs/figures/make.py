#!/usr/bin/env python3
"""Draws the figures of ALGORITHM.md. Run it in this folder; it needs nothing but Python 3."""

CELL = 30
LIGHT, DARK, EDGE = "#f2ece0", "#dccdb2", "#6b5b45"
QUEEN, ATTACK, FREE, LINE = "#333333", "#c8553d", "#3a7d44", "#2f6690"


def queen(x, y):
    """A crown in the middle of a cell."""
    points = [(-10, 8), (-12, -6), (-6, 0), (0, -10), (6, 0), (12, -6), (10, 8)]
    path = " ".join(f"{x + CELL / 2 + dx},{y + CELL / 2 + dy}" for dx, dy in points)
    return f'<polygon points="{path}" fill="{QUEEN}"/>'


class Picture:
    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def board(self, x, y, n, queens=(), free=(), attacked=(), shaded=()):
        for row in range(n):
            for column in range(n):
                fill = LIGHT if (row + column) % 2 == 0 else DARK
                cx, cy = x + column * CELL, y + row * CELL
                self.parts.append(f'<rect x="{cx}" y="{cy}" width="{CELL}" height="{CELL}" fill="{fill}"/>')
                if (row, column) in shaded:
                    self.parts.append(
                        f'<rect x="{cx}" y="{cy}" width="{CELL}" height="{CELL}" fill="{LINE}" fill-opacity="0.3"/>')
                middle = f'cx="{cx + CELL / 2}" cy="{cy + CELL / 2}"'
                if (row, column) in free:
                    self.parts.append(f'<circle {middle} r="5" fill="{FREE}"/>')
                if (row, column) in attacked:
                    self.parts.append(f'<circle {middle} r="2.5" fill="{ATTACK}"/>')
        side = n * CELL
        self.parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="none" stroke="{EDGE}"/>')
        for row, column in queens:
            self.parts.append(queen(x + column * CELL, y + row * CELL))

    def text(self, x, y, words, anchor="middle", size=13, fill="#222"):
        self.parts.append(
            f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-family="sans-serif" font-size="{size}" '
            f'fill="{fill}">{words}</text>')

    def box(self, x, y, width, height, words):
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{LIGHT}" stroke="{EDGE}"/>')
        for i, line in enumerate(words):
            self.text(x + width / 2, y + height / 2 + 5 + 17 * (i - (len(words) - 1) / 2), line)

    def arrow(self, x1, x2, y, words=""):
        self.parts.append(f'<path d="M{x1} {y}H{x2 - 7}" stroke="{EDGE}" stroke-width="2"/>')
        self.parts.append(f'<polygon points="{x2},{y} {x2 - 9},{y - 5} {x2 - 9},{y + 5}" fill="{EDGE}"/>')
        self.text((x1 + x2) / 2, y - 8, words, size=12)

    def save(self, name):
        with open(name, "w", encoding="utf-8") as file:
            file.write(
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}">\n'
                f'<rect width="{self.width}" height="{self.height}" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def attacks(a, b):
    return a[0] == b[0] or a[1] == b[1] or abs(a[0] - b[0]) == abs(a[1] - b[1])


def free_squares(n, queens):
    squares = [(r, c) for r in range(n) for c in range(n)]
    return {s for s in squares if s not in queens and not any(attacks(s, q) for q in queens)}


def centre_lines():
    """One placement on the centre lines and its eight images."""
    n = 7
    middle = n // 2
    shaded = {(r, c) for r in range(n) for c in range(n) if middle in (r, c)}
    queens = [(middle, 1), (0, middle)]
    picture = Picture(4 * (n * CELL + 24) + 4, 2 * (n * CELL + 24) + 4)
    images, seen = [], set()
    for swap in (False, True):
        for flip_row in (False, True):
            for flip_column in (False, True):
                image = []
                for row, column in queens:
                    row = n - 1 - row if flip_row else row
                    column = n - 1 - column if flip_column else column
                    image.append((column, row) if swap else (row, column))
                images.append(image)
                seen.add(frozenset(image))
    assert len(seen) == 8
    for i, image in enumerate(images):
        picture.board(14 + i % 4 * (n * CELL + 24), 14 + i // 4 * (n * CELL + 24), n, image, shaded=shaded)
    picture.save("centre_lines.svg")


def most_constrained():
    """A board on which row order sees three ways and a look at all lines sees a dead end, or one way."""
    n = 8
    queens = [(3, 1), (4, 4), (1, 3), (6, 0)]
    free = free_squares(n, queens)
    attacked = {(r, c) for r in range(n) for c in range(n)} - free - set(queens)
    rows = {r: [c for (q, c) in free if q == r] for r in range(n) if r not in {q for q, _ in queens}}
    columns = {c: [r for (r, q) in free if q == c] for c in range(n) if c not in {q for _, q in queens}}
    picture = Picture(n * CELL + 150, n * CELL + 64)
    picture.board(40, 20, n, queens, free, attacked)
    for row, squares in rows.items():
        picture.text(40 + n * CELL + 14, 20 + row * CELL + 20, str(len(squares)), fill=FREE)
    for column, squares in columns.items():
        picture.text(40 + column * CELL + 15, 20 + n * CELL + 18, str(len(squares)), fill=FREE)
    picture.text(40 + n * CELL / 2, 20 + n * CELL + 38, "free squares of each free row and column", size=12)
    picture.save("most_constrained.svg")


def stages():
    """The two shaders and the queue between them."""
    picture = Picture(800, 130)
    picture.box(10, 30, 130, 70, ["CPU", "prefixes"])
    picture.arrow(140, 240, 65, "buffer")
    picture.box(240, 30, 180, 70, ["most_constrained", "looks at every line"])
    picture.arrow(420, 560, 65, "queue of survivors")
    picture.box(560, 30, 130, 70, ["plain_tail", "last T rows"])
    picture.arrow(690, 790, 65, "counts")
    picture.text(330, 120, "boards of more than T free rows", size=12)
    picture.text(625, 120, "all with T free rows", size=12)
    picture.save("stages.svg")


if __name__ == "__main__":
    centre_lines()
    most_constrained()
    stages()
