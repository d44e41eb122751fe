"""What each program of this folder should answer, by brute force over ways, segments and alignments."""

from __future__ import annotations

from itertools import combinations, product


def number_triangle(n: int, x: tuple[int, ...]) -> int:
    rows = [x[i * (i + 1) // 2 : (i + 1) * (i + 2) // 2] for i in range(n)]
    ways = product((0, 1), repeat=n - 1)
    return max(sum(rows[i][sum(way[:i])] for i in range(n)) for way in ways)


def best_segment(n: int, x: tuple[int, ...]) -> int:
    return max(sum(v - 1 for v in x[i:j]) for i in range(n + 1) for j in range(i, n + 1))


def common_substring(n: int, x: tuple[int, ...]) -> int:
    one, other = ("".join(map(str, part)) for part in (x[:n], x[n:]))
    return max(j - i for i in range(n + 1) for j in range(i, n + 1) if one[i:j] in other)


def free_paths(n: int, x: tuple[int, ...]) -> int:
    count = 0
    for downs in combinations(range(2 * n - 2), n - 1):
        row = column = 0
        cells = [(0, 0)]
        for step in range(2 * n - 2):
            row, column = (row + 1, column) if step in downs else (row, column + 1)
            cells.append((row, column))
        count += all(x[r * n + c] == 0 for r, c in cells)
    return count % 5


def time_warp(n: int, x: tuple[int, ...]) -> int:
    def cheapest(i: int, j: int) -> int:
        cost = abs(x[i] - x[n + j])
        steps = [(i + a, j + b) for a, b in ((1, 0), (0, 1), (1, 1)) if i + a < n and j + b < n]
        return cost + min((cheapest(*step) for step in steps), default=0)

    return cheapest(0, 0)


def interleaving(n: int, x: tuple[int, ...]) -> int:
    one, other, whole = x[:n], x[n : 2 * n], x[2 * n :]
    for places in combinations(range(2 * n), n):
        rest = [i for i in range(2 * n) if i not in places]
        if [whole[i] for i in places] == [*one] and [whole[i] for i in rest] == [*other]:
            return 1
    return 0


def as_many(word: str) -> bool:
    return 2 * word.count("0") == len(word)


def mirrored(word: str) -> bool:
    return word == word[::-1]


def thirds(word: str) -> bool:
    return int(word, 2) % 3 == 0


def larger(x: tuple[int, ...]) -> int:
    return int(x[0] + 2 * x[1] > x[2] + 2 * x[3])


def serial_adder(x: tuple[int, ...]) -> int:
    """The last token: the highest digit of the sum, and twice what is carried out of it."""
    total = sum((v % 2 + v // 2) << i for i, v in enumerate(x))
    return (total >> (len(x) - 1)) % 2 + 2 * (total >> len(x))


def ones_modulo_three(x: tuple[int, ...]) -> int:
    return int(sum(x) % 3 == 2)


def growing_squares(n: int, x: tuple[int, ...]) -> int:
    values = [0]
    for i in range(n):
        values.append(values[-1] ** 2 + x[i] + 2)
    return values[n]
