"""Arithmetic by four layers of block-sparse attention whose width does not depend on the length of the expression.

[yang2024 Proposition 5.1]

Notation   p   the prime              P a o b N  five tokens in a row, of which a and b are numbers and o is an operation
           n   tokens of the longest expression, 4 N - 1      j, i   positions; lines stand between two =
           p1  the last = up to a token      p0  the = before that      q  the place of the line before from which a token is due

Layer 1: every token reads the four tokens before it and the last =. Its feed-forward part sees whether a o b is a handle, an operation
that may be carried out, with its result and whether brackets enclose it.
Layer 2: the start of the line that a token ends or continues, and p0.
Layer 3: the first handle of the line before: where it starts, how wide it is, its result. A token before it is copied from q, one behind
it from 2 places further, or 4 with brackets, and at its place stands the result.
Layer 4: the token that is due; an = behind a single number becomes the stop.

The paper's proof is not printed. Everything that a token reads lies within 2 n + 1 tokens, so blocks of that size and the last token of
each are enough: B grows like the square root of the length of the chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.architectures import Architecture, Mode
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import Gadget, Part
from separatrix.constructions.number_limits import exact_integers, largest_number
from separatrix.constructions.parts.integer_gadgets import positive, zero
from separatrix.constructions.parts.softmax_reads import vanishing_gap
from separatrix.errors import BadInput
from separatrix.tasks.arithmetic import Arithmetic

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.masks import Mask

BACK = 4  # tokens before its own that a token reads


def sparse(task: Arithmetic, block: int = 0, local: int = 1, far: int = 1, arithmetic: str = "float64") -> Built:
    """Blocks of 2 n + 1 tokens, of which the last is seen by all; the answer is a greedy chain."""
    from separatrix.models.masks import BlockSparse

    settings: dict[str, Any] = {"block": block, "local": local, "far": far}
    mask = BlockSparse(block or least_block(task), local, far)
    return _program(task, arithmetic, mask).compile(task, ARITHMETIC_SPARSE.name, ARITHMETIC_SPARSE.cites, settings, {})


def sparse_sizes(task: Arithmetic, block: int, local: int, far: int, arithmetic: str) -> Sizes:
    """Seven one-hot tokens, two one-hot results, and 16 numbers more."""
    from separatrix.models.masks import BlockSparse

    BlockSparse(block or least_block(task), local, far)  # refuses sizes that are none
    _program(task, arithmetic, None)
    V, p = task.vocabulary, task.prime
    return Sizes(layers=4, heads=5, width=7 * V + 2 * p + 16, value_width=V, precision_bits=parse_format(arithmetic).bits)


def least_block(task: Arithmetic) -> int:
    """A block that holds two lines."""
    return 2 * (4 * task.length - 1) + 1


def _program(task: Arithmetic, arithmetic: str, mask: Mask | None) -> Assembler:
    if task.order != "leftmost":
        raise BadInput(f"arithmetic: a chain in the order {task.order} does not follow from its expression; expected order=leftmost")
    V, L = task.vocabulary, task.token_count + task.chain_limit
    n, eta = 4 * task.length - 1, _gap(L, arithmetic)
    _refuse_scores(L, n, eta, arithmetic)
    net = Assembler(V, V, L, arithmetic=arithmetic, residual=True, causal=True, integers=True)
    word = net.token("token", np.eye(V))
    one = net.token("one", np.ones((V, 1)))
    i = net.place("place", AddressWeights("quadratic", 2))  # (i, i^2)

    layer = net.layer(mask=mask)
    back = [
        layer.attend(f"{k} back", query=eta * stack(2 * i[0] - 2 * k * one, -one), key=i, value=word, into=f"{k} back")
        for k in range(1, BACK + 1)
    ]
    equals = word[task.sign("=")]
    steep = eta * (L + 1)  # an = counts more than any place
    p1 = layer.attend("last =", query=stack(eta * one, steep * one), key=stack(i[0], equals), value=i, into="p1")
    grams = _Grams(task, [back[3], back[2], back[1], back[0], word])
    handle = layer.write("handle", grams.handle())
    bracketed = layer.write("bracketed", grams.bracketed())
    result = layer.write("result", grams.result())

    layer = net.layer(mask=mask)
    start = layer.attend("start of the line", query=eta * stack(2 * i[0] - 2 * one, -one), key=i, value=p1, into="start")
    p0 = layer.attend("= before", query=eta * stack(2 * p1[0] - 2 * one, -one), key=i, value=p1[0], into="p0")
    single = layer.write("single", zero(i[0] - p1[0] - 1))  # one token of the line is written

    layer = net.layer(mask=mask)
    found = 2 * eta * (n + 6)  # a handle counts more than any place of a line
    same = found + eta * (2 * L)  # and the line more than both
    query = stack(2 * same * p0, -same * one, found * one, -eta * one)
    value = stack(i[0] - 3 * one - bracketed, bracketed, result)
    first = layer.attend("first handle", query=query, key=stack(start, handle, i[0]), value=value, into="first")
    begins, wide, number = first[0], first[1], first[2:]
    q = p0 + (i[0] - p1[0]) + 1
    beyond = layer.write("beyond", positive(q - begins))
    far_beyond = layer.write("beyond brackets", positive(q - begins - (L + 1) * (1 - wide)))
    here = layer.write("here", zero(q - begins))

    layer = net.layer(mask=mask)
    target = p0 + i[0] - p1[0] + one + 2 * beyond + 2 * far_beyond
    due = layer.attend("due", query=eta * stack(2 * target, -one), key=i, value=word, into="due")
    said = layer.write("said", _said(task, due, number, here, single))
    net.read_out(np.eye(V), said, np.zeros(V), margin=1.0)
    return net


class _Grams:
    """What five tokens in a row, one-hot each, say."""

    def __init__(self, task: Arithmetic, tokens: list[Form]) -> None:
        self.task, (self.before, self.a, self.operation, self.b, self.after) = task, tokens

    def handle(self) -> Gadget:
        """1 where a o b may be carried out: all conditions of one of two lists hold, and the lists exclude each other."""
        digits = self._number(self.a) + self._number(self.b)
        low = digits + self._one_of(self.operation, "+-") + self._one_of(self.before, "(=") + self._one_of(self.after, "+-)=")
        high = digits + self._one_of(self.operation, "*/") + self._one_of(self.before, "(=+-")
        row = np.ones((1, 1))
        return Gadget("handle", (Part(row, low - 4), Part(row, high - 3)), np.zeros(1), (low, high))

    def bracketed(self) -> Gadget:
        """1 where a bracket opens before a and closes behind b."""
        both = self._one_of(self.before, "(") + self._one_of(self.after, ")")
        return Gadget("bracketed", (Part(np.ones((1, 1)), both - 1),), np.zeros(1), (both,))

    def result(self) -> Gadget:
        """The result, one-hot: a unit for every possible operation, 4 p^2 - p of them."""
        p, columns, units = self.task.prime, [], []
        for sign in map(self.task.sign, "+-*/"):
            for x in range(p):
                for y in range(p):
                    value = self.task.operate(x, sign, y)
                    if value is not None:
                        columns.append(value)
                        units.append(_picked((self.a, x), (self.operation, sign), (self.b, y)))
        matrix = np.zeros((p, len(units)))
        matrix[columns, range(len(units))] = 1.0
        return Gadget("result", (Part(matrix, stack(*units) - 2),), np.zeros(p), (self.a, self.operation, self.b))

    def _number(self, token: Form) -> Form:
        return token[: self.task.prime].total()

    def _one_of(self, token: Form, signs: str) -> Form:
        total = token[self.task.sign(signs[0])]
        for sign in signs[1:]:
            total = total + token[self.task.sign(sign)]
        return total


def _picked(*chosen: tuple[Form, int]) -> Form:
    """The sum of one coordinate of each of several one-hot tokens."""
    (first, at), *rest = chosen
    total = first[at]
    for token, place in rest:
        total = total + token[place]
    return total


def _said(task: Arithmetic, due: Form, number: Form, here: Form, single: Form) -> Gadget:
    """The result where it is due, else the copied token; an = after a single number is the stop."""
    V, p, equals, stop = task.vocabulary, task.prime, task.sign("="), task.stop
    copied = due - stack(*[here] * V)
    ends = np.zeros((1, V))
    ends[0, equals] = 1.0
    plain = np.eye(V)
    plain[equals, equals] = 0.0
    results = np.eye(V, p)
    final = due[equals] - here
    parts = (
        Part(plain, copied),
        Part(results, number + stack(*[here] * p) - 1),
        Part(ends.T, final - single),
        Part(np.eye(V)[:, [stop]], final + single - 1),
    )
    return Gadget("said", parts, np.zeros(V), (due, number, here, single))


def _gap(L: int, arithmetic: str) -> int:
    """A power of two; keys that lie that far below the largest get no weight, for numbers up to L^2."""
    return 1 << (vanishing_gap(L, float(L * L), parse_format(arithmetic)) - 1).bit_length()


def _refuse_scores(L: int, n: int, eta: int, arithmetic: str) -> None:
    """The largest score is that of layer 3, about 2 eta (n + 6 + L) L^2."""
    format, units = parse_format(arithmetic), (2 * (n + 6) + 2 * L) * 2 * L * L
    holds = units * eta <= largest_number(format) if format.exact else units <= exact_integers(format)
    if not holds:
        raise BadInput(f"arithmetic: scores are integers up to {units}, times {eta}, which {arithmetic} does not hold exactly")


ARITHMETIC_SPARSE = Construction(
    name="arithmetic/sparse",
    cites="yang2024 Proposition 5.1",
    computes=Arithmetic,
    architecture=Architecture.BLOCK_SPARSE,
    mode=Mode.CHAIN,
    build=sparse,
    formula=sparse_sizes,
    quick=({"length": 1, "prime": 3},),
    default_length=3,
)
