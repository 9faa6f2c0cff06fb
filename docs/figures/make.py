#!/usr/bin/env python3
"""Draws the figures of ALGORITHM.md beside this file. Needs nothing but Python 3.

With --check it writes nothing: it exits with 1 if a figure is out of date or a ratio in the README's tables of times does
not follow from the times beside it.
"""

import sys
from decimal import Decimal
from itertools import combinations
from pathlib import Path

HERE = Path(__file__).resolve().parent
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
        assert not any(attacks(a, b) for a, b in combinations(queens, 2)), f"queens attack each other: {queens}"
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

    def svg(self):
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}">\n'
            f'<rect width="{self.width}" height="{self.height}" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def attacks(a, b):
    return a[0] == b[0] or a[1] == b[1] or abs(a[0] - b[0]) == abs(a[1] - b[1])


def free_squares(n, queens):
    squares = [(r, c) for r in range(n) for c in range(n)]
    return {s for s in squares if not any(attacks(s, q) for q in queens)}


def free_lines(n, queens):
    """The free squares of each row and of each column without a queen."""
    free = free_squares(n, queens)
    rows = {r: [s for s in free if s[0] == r] for r in range(n) if r not in {r for r, _ in queens}}
    columns = {c: [s for s in free if s[1] == c] for c in range(n) if c not in {c for _, c in queens}}
    return rows, columns


def row_order(n, queens):
    """Queens that row order places to search a position completely, and the completions that it finds."""
    rows, _ = free_lines(n, queens)
    if not rows:
        return 0, 1
    found = [row_order(n, [*queens, square]) for square in rows[min(rows)]]
    return sum(nodes + 1 for nodes, _ in found), sum(completions for _, completions in found)


def is_forced(n, queens):
    """Whether the position can be completed by always filling a line that has one free square."""
    rows, columns = free_lines(n, queens)
    only = [squares[0] for lines in (rows, columns) for squares in lines.values() if len(squares) == 1]
    return not rows or bool(only) and is_forced(n, [*queens, only[0]])


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
    return picture.svg()


def most_constrained():
    """A position in which each row has three free squares and one column has a single one: ALGORITHM.md says what follows."""
    n, column = 8, 4
    queens = [(2, 3), (3, 1), (4, 7)]
    free = free_squares(n, queens)
    attacked = {(r, c) for r in range(n) for c in range(n)} - free - set(queens)
    rows, columns = free_lines(n, queens)
    assert all(len(squares) == 3 for squares in rows.values())
    assert columns[column] == [(5, column)] and is_forced(n, queens) and row_order(n, queens) == (25, 1)
    picture = Picture(n * CELL + 150, n * CELL + 64)
    picture.board(40, 20, n, queens, free, attacked, {(r, column) for r in range(n)})
    for row, squares in rows.items():
        picture.text(40 + n * CELL + 14, 20 + row * CELL + 20, str(len(squares)), fill=FREE)
    for at, squares in columns.items():
        picture.text(40 + at * CELL + 15, 20 + n * CELL + 18, str(len(squares)), fill=FREE)
    picture.text(40 + n * CELL / 2, 20 + n * CELL + 38, "free squares of each free row and column", size=12)
    return picture.svg()


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
    return picture.svg()


FIGURES = [centre_lines, most_constrained, stages]


def wrong_ratios(text):
    """The rows of tables with a column `ratio` where that is not `row order, 1 thread` over the fastest other method's
    `1 thread`, as far as rounded times tell."""
    head, wrong, checked = [], [], 0
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells or not head:
            head = cells
            continue
        row = dict(zip(head, cells))
        if row.get("ratio", "")[:1].isdigit():
            bounds = {}
            for name, cell in row.items():
                if name.endswith(", 1 thread"):
                    half = Decimal(10) ** Decimal(cell).as_tuple().exponent / 2
                    bounds[name] = (Decimal(cell) - half, Decimal(cell) + half)
            low, high = bounds.pop("row order, 1 thread")
            low, high = low / min(b[1] for b in bounds.values()), high / min(b[0] for b in bounds.values())
            checked += 1
            if not round(low) <= int(row["ratio"]) <= round(high):
                wrong.append(f"README.md: the ratio is not {low:.1f} to {high:.1f} in: {line}")
    return wrong if checked else ["README.md: no table with a column `ratio` was found"]


def main():
    figures = {HERE / f"{draw.__name__}.svg": draw() for draw in FIGURES}
    if sys.argv[1:] != ["--check"]:
        for path, svg in figures.items():
            path.write_text(svg, encoding="utf-8")
        return 0
    wrong = [
        f"{path.name} is out of date: run docs/figures/make.py"
        for path, svg in figures.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != svg
    ]
    wrong += wrong_ratios((HERE / "../../README.md").read_text(encoding="utf-8"))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
