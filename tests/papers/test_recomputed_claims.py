"""Five strong claims of the pages, each recomputed here from nothing but its definition, with its exact scope."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import log

import numpy as np
import pytest

from separatrix.certificates.evaluator import logits_of
from separatrix.cli import main
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.papers import statement

Vertex = tuple[tuple[int, ...], tuple[int, ...]]


def bounded_member(word: tuple[int, ...]) -> bool:
    stack: list[int] = []
    for symbol in word:
        if symbol < 2:
            stack.append(symbol)
        elif not stack or stack.pop() != symbol - 2:
            return False
        if len(stack) > 2:
            return False
    return not stack


@pytest.mark.parametrize("N", [2, 4, 6])
def test_the_odd_even_split_of_bounded_dyck_costs_exactly_one_bit_more_than_its_length(N: int) -> None:
    halves = list(product(range(4), repeat=N // 2))
    matrix = np.array([[bounded_member(tuple(s for pair in zip(x, y, strict=True) for s in pair)) for y in halves] for x in halves], float)
    rank, complement = (int(np.linalg.matrix_rank(one)) for one in (matrix, 1 - matrix))
    assert (rank, complement) == (2 ** (N - 1), 2 ** (N - 1) + 1)
    assert rank + complement > 2**N  # rectangles of both values: more than N bits
    assert len({tuple(row) for row in matrix}) <= 2**N  # one party names its row, the other answers: N + 1 bits
    assert "Exactly N + 1 bits" in statement("bhattamishra2024 Lemma 1").entries[0].holds


def before_the_last_label(n: int, keys: int) -> tuple[list[Vertex], set[tuple[Vertex, Vertex]]]:
    """Prefixes x_1 y_1 ... x_n of recall, and the pairs of them that no machine may merge: a common suffix asks for two answers."""
    vertices = [(xs, ys) for xs in permutations(range(keys), n) for ys in product((0, 1), repeat=n - 1)]
    apart = set()
    for one, other in combinations(vertices, 2):
        for query, last in product(set(one[0]) & set(other[0]), (0, 1)):
            if (*one[1], last)[one[0].index(query)] != (*other[1], last)[other[0].index(query)]:
                apart |= {(one, other), (other, one)}
    return vertices, apart


def colours(vertices: list[Vertex], apart: set[tuple[Vertex, Vertex]], most: int) -> bool:
    """Are `most` states enough? Every vertex in turn, the most constrained first; a new state only once."""
    state: dict[Vertex, int] = {}

    def place() -> bool:
        rest = [v for v in vertices if v not in state]
        if not rest:
            return True
        taken = {v: {state[w] for w in state if (v, w) in apart} for v in rest}
        v = max(rest, key=lambda v: len(taken[v]))
        for colour in range(min(most, len(set(state.values())) + 1)):
            if colour not in taken[v]:
                state[v] = colour
                if place():
                    return True
                del state[v]
        return False

    return place()


@pytest.mark.parametrize(("n", "keys", "states"), [(2, 2, 4), (3, 3, 12), (2, 3, 6), (2, 4, 7)])
def test_recall_needs_n_2_to_the_n_minus_1_states_at_least_and_more_where_there_are_more_keys(n: int, keys: int, states: int) -> None:
    vertices, apart = before_the_last_label(n, keys)
    assert colours(vertices, apart, states)
    assert not colours(vertices, apart, states - 1)
    assert states >= n * 2 ** (n - 1)
    assert (states == n * 2 ** (n - 1)) == (keys == n)


def test_the_profile_of_recall_prints_lower_and_upper_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "associative-recall", "--length", "2", "--set", "symbols=3"]) == 0
    printed = capsys.readouterr().out
    assert "bits of state: 2..3 " in printed  # 6 states are needed: 3 bits, see the exact count above
    assert main(["profile", "associative-recall", "--length", "2", "--set", "symbols=2"]) == 0
    assert "bits of state: 2 " in capsys.readouterr().out


@pytest.mark.parametrize("N", [16, 17, 64, 100, 256, 1000, 1024, 4096])
def test_index_lookup_works_with_five_bits_if_exponentials_are_floored_first(N: int) -> None:
    # signs of the binary digits, half a unit of logit per digit: a place at Hamming distance w lies w below the one asked for
    digits = (N - 1).bit_length()
    assert digits / 2 <= 7.5  # what fixed:5,1 can hold
    for places in np.array_split(np.arange(N), -(-N // 256)):
        distance = np.bitwise_count(places[:, None] ^ np.arange(N)[None, :])
        index_token = np.full((len(places), 1), digits / 2)  # its logit is 0, the best one digits / 2
        real = np.exp(-np.hstack([distance, index_token]))
        exponential = np.floor(2 * real) / 2
        floored_first = np.floor(2 * exponential / exponential.sum(axis=1, keepdims=True)) / 2
        assert (floored_first == (np.arange(N + 1) == places[:, None])).all()  # weight 1 on the queried place: every bit is exact
        floored_last = np.floor(2 * real / real.sum(axis=1, keepdims=True)) / 2
        assert not floored_last.any()  # nothing is read, so every bit 1 is wrong and every bit 0 is right


@pytest.mark.parametrize("N", [16, 100])
def test_the_model_that_is_built_with_five_bits_reads_every_place(N: int) -> None:
    built = build("index-lookup", length=N, arithmetic="fixed:5,1")
    batch = built.task.cases("complement", seed=0, count=N)
    assert (logits_of(built.model, batch).argmax(axis=1) == batch.targets[batch.mask]).all()


def test_five_bits_reach_to_two_to_the_fifteen_and_no_further() -> None:
    assert build("index-lookup", length=2**15, arithmetic="fixed:5,1").claim.facts["share"] == 1
    with pytest.raises(BadInput, match=r"no inverse temperature of fixed:5,1"):
        build("index-lookup", length=2**15 + 1, arithmetic="fixed:5,1")


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_the_floor_on_parity_is_the_last_symbol_level_and_a_flip_before_it_proves_it(p: float) -> None:
    n = 8
    weight = {}
    for word in product((0, 1), repeat=n):
        even = [sum(word[:i]) % 2 == 0 for i in range(n)]
        weight[word] = 0.5**n * (1 - p) ** sum(even)  # the source goes on after each of the n proper prefixes
    total = sum(weight.values())

    def loss(groups: dict[int, list[tuple[int, ...]]]) -> float:
        whole = 0.0
        for words in groups.values():
            mass = sum(weight[w] for w in words) / total
            stop = p * sum(weight[w] for w in words if sum(w) % 2 == 0) / total / mass
            whole += mass * (-stop * log(stop) - (1 - stop) * log(1 - stop) + (1 - stop) * log(2))
        return whole

    for word in weight:  # flipping x_(n-1) changes the parity; within a pair only x_n tells how likely either is
        flipped = (*word[:-2], 1 - word[-2], word[-1])
        even, odd = (word, flipped) if sum(word) % 2 == 0 else (flipped, word)
        share = weight[even] / (weight[even] + weight[odd])
        assert share == pytest.approx((1 - p) / (2 - p) if word[-1] == 0 else 1 / (2 - p))
    last = loss({bit: [w for w in weight if w[-1] == bit] for bit in (0, 1)})
    unigram = loss({0: list(weight)})
    levels = {0.5: (1.063398, 1.082196), 0.9: (0.7599, 1.0694)}
    assert last < unigram
    if p in levels:
        assert (last, unigram) == pytest.approx(levels[p], abs=5e-5)


@pytest.mark.parametrize("gamma", [0.3, 0.1, 0.03, 0.01, 0.001])
def test_the_width_of_the_nearest_neighbour_model_is_2_d_and_3_at_every_margin(gamma: float) -> None:
    sizes = build("nearest-neighbor", length=40, dimension=14, gamma=gamma, address="quadratic").sizes()
    assert sizes["width"] == 2 * 14 + 3
    assert (sizes["layers"], sizes["heads"]) == (2, 2)


def test_a_margin_of_a_thousandth_needs_fourteen_coordinates_in_the_grid_of_the_task() -> None:
    with pytest.raises(BadInput):
        build("nearest-neighbor", length=8, dimension=13, gamma=0.001, address="quadratic")
