"""Statements of a paper as predicates: a certificate may cite one only if its own claim is an instance of it.

A program is an upper bound, and cites upper bounds only: what it says about a model (layers, heads, width, precision) holds at this N,
with constants that stand here. A witness cites the lower bound that it replays, if its bits are no fewer than those of the statement.

Notation   L  ceil(log2 tokens)     H  heads, a residual connection counting as one: the proofs trade it for a head that reads itself
           m  width, of the stream, of keys or of values, whichever is largest          p  bits of a number

O(log N) for an address of a place is 8 L: the codes that we know need between 2 L and 7.6 L coordinates up to 2^22 places, the binary
digits L, and (i, i^2) two. One-hot addresses, which need N, exceed it from N = 44 on. O(log N) for a number is 64 bits or 8 L.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any

from separatrix.checker.seal import Refused
from separatrix.checker.specs import Spec
from separatrix.checker.specs.counts import bits

ADDRESS, PRECISION = 8, 64
SYMBOL = 4  # coordinates for each bit of a symbol: its own slot, the slot it is read into, and the result of both
HIDDEN = 4  # hidden units for each coordinate


@dataclass(frozen=True)
class Shape:
    """The properties of a model that statements are about."""

    parts: frozenset[str]  # its parts besides linear maps and ReLU: "softmax", "lstm", "layer norm"
    layers: int
    heads: int  # H of the layer with most heads
    width: int  # m
    hidden: int
    precision: int  # p
    attending: int = 0  # layers with attention
    ends: bool = False  # whether the last layer attends


@dataclass(frozen=True)
class Limits:
    """A statement's bounds at one size of its task."""

    layers: int
    heads: int
    width: int
    precision: int
    parts: tuple[frozenset[str], ...] = ()  # one of these; empty: softmax attention over all tokens or those before
    shallower: bool = False  # whether fewer layers are an instance too
    attending: int | None = None  # layers with attention, if the statement counts them; the last of them ends the model
    unless: str = ""  # what the statement is about and the task is not; empty if it is


def shape_of(model: Mapping[str, Any], precision: int) -> Shape:
    """The shape of a well-formed MODEL of docs/certificates.md."""
    layers = model["layers"]
    mixers = [layer["mixer"] for layer in layers if layer["mixer"] is not None]
    hidden = [layer["feedforward"]["hidden"] for layer in layers if layer["feedforward"] is not None]
    widths = [mixer[key] for mixer in mixers for key in ("key_width", "value_width") if key in mixer]
    heads = [layer["residual"] + (0 if layer["mixer"] is None else layer["mixer"].get("heads", 0)) for layer in layers]
    parts = {part for mixer in mixers for part in _parts(mixer)}
    parts |= {f"{norm} norm" for norm in (*(layer["norm"] for layer in layers), model["readout"]["norm"]) if norm != "none"}
    attending = sum(mixer["kind"] == "attention" for mixer in mixers)
    ends = bool(layers) and layers[-1]["mixer"] is not None and layers[-1]["mixer"]["kind"] == "attention"
    width = max([model["width"], *widths])
    return Shape(frozenset(parts), len(layers), max(heads, default=0), width, max(hidden, default=0), precision, attending, ends)


def _parts(mixer: Mapping[str, Any]) -> list[str]:
    if mixer["kind"] != "attention":
        return [mixer["kind"]]
    masked = mixer["mask"]["kind"] not in ("all", "causal")
    return [f"{mixer['scores']} attention", *["rotary positions"] * bool(mixer["rotary"]), *[f"{mixer['mask']['kind']} mask"] * masked]


ATTENTION = frozenset({"softmax attention", "uniform attention"})  # uniform is a softmax whose queries are 0


def lookup(task: Spec) -> Limits:
    """The address of the query and of the key, and the symbol."""
    return _limits(task, layers=1, heads=1, addresses=2, symbol_bits=bits(task.targets))


def equality(task: Spec) -> Limits:
    """The address of the place, of the place to match, and of itself."""
    return _limits(task, layers=2, heads=2, addresses=3, symbol_bits=bits(task.vocabulary))


def nearest(task: Spec) -> Limits:
    """The place, the one before, and itself; keys are vectors of as many coordinates as they have bits, labels have theirs."""
    return _limits(task, layers=2, heads=2, addresses=3, symbol_bits=bits(task.vocabulary - task.targets) + bits(task.targets))


def intersection(task: Spec) -> Limits:
    """A threshold of features of two bits."""
    return _sparse(task, 2)


def sparse(task: Spec) -> Limits:
    """The place, itself, and the places of a feature of k bits, with its table. The paper prints k heads; its proof needs k + 1."""
    return _sparse(task, task.parameters["k"])


def _sparse(task: Spec, k: int) -> Limits:
    return _limits(task, layers=2, heads=k + 1, addresses=k + 2, symbol_bits=2**k)


def _limits(task: Spec, layers: int, heads: int, addresses: int, symbol_bits: int) -> Limits:
    L = max(1, bits(task.tokens))
    return Limits(layers, heads, ADDRESS * addresses * L + SYMBOL * symbol_bits, max(PRECISION, ADDRESS * L))


STANDARD, LINEAR = frozenset({"softmax attention"}), frozenset({"linear-attention"})
BLOCKS, WINDOW = STANDARD | {"block-sparse mask"}, STANDARD | {"window mask"}
PROGRAM = 64  # coordinates of a standard program, whatever its length
PER_SLOT = 24  # coordinates for each of ceil(sqrt L) slots of a block, and for each block


def program(task: Spec) -> Limits:
    """Constant depth, heads and width: 16 layers, 8 heads and 64 numbers are enough for the programs that have an oracle."""
    return _program(task, PROGRAM, STANDARD)


def efficient_program(task: Spec) -> Limits:
    """A program by its chain with width O(sqrt L), on linear or on block-sparse attention."""
    return _program(task, PROGRAM + PER_SLOT * (isqrt(task.tokens - 1) + 1), LINEAR, BLOCKS)


def local_program(task: Spec) -> Limits:
    """Constant width, where tokens see a window; without global tokens blocks are windows."""
    return _program(task, PROGRAM, BLOCKS, WINDOW)


def arithmetic(task: Spec) -> Limits:
    """Five layers and heads, and a width that depends on the prime alone: at most eight one-hot tokens, twice."""
    limits = _program(task, 16 * task.vocabulary, BLOCKS, WINDOW)
    return replace(limits, layers=5, heads=6)


def _program(task: Spec, width: int, *parts: frozenset[str]) -> Limits:
    unbounded = "bounded dependence, and every value of this chain needs all values before it" if task.parameters.get("compact") else ""
    return Limits(16, 8, width, max(PRECISION, ADDRESS * bits(task.tokens)), parts, shallower=True, unless=unbounded)


RECURRENT = frozenset({"linear-rnn"})
HYBRID = STANDARD | RECURRENT
THINKING = 128  # coordinates of a program that answers queries or walks a graph, whatever their size
PER_WORD = 8  # coordinates for each word of a machine: the window of a controller
TREE_LAYERS = 12
STAR_LAYERS, STAR_HEADS, STAR_WIDTH = 16, 15, 2 * THINKING  # two heads for each of seven edges, whose labels may be any


def by_transformer(task: Spec) -> Limits:
    """Constant size: a query is answered after its last token by at most four layers; c - 1 heads collect a gram."""
    return _thinking(task, "none", 4, 2 + task.parameters.get("c", 2), THINKING, STANDARD)


def by_hybrid(task: Spec) -> Limits:
    """A program by its chain with linear units, and one layer that attends, the last."""
    return replace(_thinking(task, "none", 4, 3, THINKING, HYBRID), attending=1)


def by_search(task: Spec) -> Limits:
    """Linear units alone, which search the text."""
    return _thinking(task, "search", 4, 1, THINKING, RECURRENT)


def tree_by_tour(task: Spec) -> Limits:
    """Constant depth and width, with a tour as the chain."""
    return _thinking(task, "tour", TREE_LAYERS, 6, THINKING, STANDARD)


def tree_by_hybrid(task: Spec) -> Limits:
    """One layer that attends: with a chain on every graph, without one on two stars and an edge between leaves."""
    may_say_it_at_once = task.parameters["graphs"] != "any" and task.parameters["thought"] == "none"
    thought = "none" if may_say_it_at_once else "lists"
    heads = STAR_HEADS if task.parameters["graphs"] == "two-star" and may_say_it_at_once else 5
    layers, width = (STAR_LAYERS, STAR_WIDTH) if heads == STAR_HEADS else (TREE_LAYERS, THINKING)
    return replace(_thinking(task, thought, layers, heads, width, HYBRID), attending=1)


def machine_by_sums(task: Spec) -> Limits:
    """Linear units alone: a window of words and one number for each cell that the machine may visit, or one number for all of them."""
    cells = int(task.parameters["length"] + 2 * task.parameters["margin"])
    thought = "turning" if task.parameters["thought"] == "turning" else "chain"
    return _thinking(task, thought, 4, 1, PER_WORD * (task.vocabulary + cells), RECURRENT)


def machine_by_search(task: Spec) -> Limits:
    """Linear units alone, which search for what was last written."""
    return _thinking(task, "search", 4, 1, PER_WORD * task.vocabulary, RECURRENT)


def machine_by_hybrid(task: Spec) -> Limits:
    """A window of words, and one layer that attends."""
    return replace(_thinking(task, "chain", 4, 2, PER_WORD * task.vocabulary, HYBRID), attending=1)


def _circuit(task: Spec) -> tuple[Any, Any]:
    """Gates and bits of state."""
    from separatrix.checker.specs.circuits import read_circuit

    return read_circuit(task.parameters["circuit"], task.parameters["length"])[:2]


def circuit(task: Spec) -> Limits:
    """Constant depth, and units linear in the number of gates of a circuit over the whole input."""
    gates, state = _circuit(task)
    limits = _thinking(task, "chain", 4, 6, THINKING + len(gates), STANDARD)
    return replace(limits, unless="circuits over the whole input, found a recurrent one") if state else limits


def recurrent_circuit(task: Spec) -> Limits:
    """A recurrent model as a circuit: a circuit with bits of state, which reads token after token; a head for each bit of one."""
    gates, state = _circuit(task)
    limits = _thinking(task, "chain", 4, 5 + bits(task.vocabulary), THINKING + 2 * task.vocabulary + len(gates), STANDARD)
    return limits if state else replace(limits, unless="recurrent models, found a circuit without state")


def _thinking(task: Spec, thought: str, layers: int, heads: int, width: int, parts: frozenset[str]) -> Limits:
    """Bounds of a program that answers in this way; a task that is answered in another one is not the statement's."""
    found = task.parameters["thought"]
    other = "" if found == thought else f"programs that answer with thought={thought}, found thought={found}"
    return Limits(layers, heads, width, max(PRECISION, ADDRESS * bits(task.tokens)), (parts,), shallower=True, unless=other)


def _queries(limits: Callable[[Spec], Limits]) -> dict[str, Callable[[Spec], Limits]]:
    return dict.fromkeys(("index", "recall-next", "c-gram", "counting"), limits)


UPPER: dict[str, dict[str, Callable[[Spec], Limits]]] = {  # statement -> its tasks, with its bounds for each
    "wen2024 Theorem 4.1": {"turing-machine": machine_by_sums},
    "wen2024 Theorem 4.6": _queries(by_transformer),
    "wen2024 Theorem 4.7": {"is-tree": tree_by_tour},
    "wen2024 Theorem 4.8": {"circuit": recurrent_circuit},
    "wen2024 Theorem 5.2": _queries(by_search),
    "wen2024 Theorem 5.3": {"is-tree": lambda task: replace(by_search(task), width=2 * THINKING)},
    "wen2024 Theorem 5.4": {"turing-machine": machine_by_search},
    "wen2024 Theorem 5.6": _queries(by_hybrid),
    "wen2024 Theorem 5.7": {"is-tree": tree_by_hybrid},
    "wen2024 Theorem 5.8": {"turing-machine": machine_by_hybrid},
    "wen2024 Theorem B.30": {"circuit": circuit},
    "bhattamishra2024 Theorem 1": {"index-lookup": lookup},
    "bhattamishra2024 Theorem 6": {"equality": equality},
    "bhattamishra2024 Lemma 5": {"partition-equality": equality},
    "bhattamishra2024 Theorem 7": {"nearest-neighbor": nearest, "mqar": nearest, "associative-recall": nearest},
    "bhattamishra2024 Theorem 13": {"sparse-threshold": sparse, "k-dnf": sparse, "k-cnf": sparse, "intersects": intersection},
    "yang2024 Theorem 4.1": {"reverse-sum": program, "lis": program, "edit-distance": program},
    "yang2024 Theorem 4.2": {"reverse-sum": efficient_program, "lis": efficient_program, "edit-distance": efficient_program},
    "yang2024 Proposition 5.1": {"arithmetic": arithmetic},
    "yang2024 Proposition 5.4": {"cellular-automaton": local_program, "edit-distance-local": local_program},
}


def why_not(cites: str, task: Spec, shape: Shape) -> str:
    """Why a program with this shape for this task may not cite a statement; empty if it may."""
    if cites not in UPPER:
        what = "is a lower bound, which no program shows" if cites in (*LOWER, *NOWHERE) else "is not a statement that the checker knows"
        return f"{cites!r:.80} {what}"
    if task.name not in UPPER[cites]:
        return f"{cites} is about {' and '.join(UPPER[cites])}, found {task.name}"
    limits = UPPER[cites][task.name](task)
    if limits.unless:
        return f"{cites} is about {limits.unless}"
    if limits.attending is not None and shape.attending != limits.attending:
        return f"{cites} is about {limits.attending} layer that attends, found {shape.attending}"
    if limits.attending is not None and not shape.ends:
        return f"{cites} is about a model that ends in the layer that attends, found another layer after it"
    if limits.parts and shape.parts not in limits.parts:
        named = " or ".join(" with a ".join(sorted(parts, reverse=True)) for parts in limits.parts)
        return f"{cites} is about {named} and feed-forward parts, found {', '.join(sorted(shape.parts)) or 'no attention'}"
    if not limits.parts and (not shape.parts <= ATTENTION or not shape.parts):
        foreign = sorted(shape.parts - ATTENTION) or ["no attention"]
        return f"{cites} is about softmax attention and feed-forward parts, found {', '.join(foreign)}"
    if shape.layers > limits.layers or (shape.layers < limits.layers and not limits.shallower):
        return f"{cites} is about {limits.layers} layer{'s' * (limits.layers > 1)}, found {shape.layers}"
    for what, actual, most in (
        ("heads (a residual connection counts as one)", shape.heads, limits.heads),
        ("width", shape.width, limits.width),
        ("hidden units", shape.hidden, HIDDEN * limits.width),
        ("bits of a number", shape.precision, limits.precision),
    ):
        if actual > most:
            return f"{cites} allows {most} {what} at this size, found {actual}"
    return ""


def check_statement(cites: str, task: Spec, model: Mapping[str, Any], precision: int) -> None:
    """Refuse a citation that a program does not satisfy; none is always allowed. `model` is MODEL, `precision` the bits of a number."""
    reason = why_not(cites, task, shape_of(model, precision)) if cites else ""
    if reason:
        raise Refused(f"cites: {reason}")


@dataclass(frozen=True)
class Witness:
    """What a witness shows about a function: `bits` bits, over a partition if it has one."""

    kind: str
    task: Spec
    bits: int
    alice: Sequence[int] = ()

    @property
    def length(self) -> int:
        """The paper's N."""
        return int(self.task.parameters["length"])


def anything(witness: Witness) -> bool:
    """The statement is about every function."""
    return witness.bits >= 0


def bits_between_halves(witness: Witness) -> bool:
    """N/2 bits, if one party has the first half."""
    return tuple(witness.alice) == tuple(range(witness.length // 2)) and 2 * witness.bits >= witness.length


def bits_between_brackets(witness: Witness) -> bool:
    """N - 1 bits for Dyck-(2, 2), if one party has every other place."""
    N, language = witness.length, (witness.task.parameters["types"], witness.task.parameters["depth"])
    every_other = tuple(witness.alice) in (tuple(range(0, N, 2)), tuple(range(1, N, 2)))
    return language == (2, 2) and every_other and witness.bits >= N - 1


def bits_of_length(witness: Witness) -> bool:
    """N bits."""
    return witness.bits >= witness.length


def bits_of_half_the_length(witness: Witness) -> bool:
    """N/2 bits."""
    return 2 * witness.bits >= witness.length


def bits_of_every_entry(witness: Witness) -> bool:
    """n log2 s bits for n entries out of s symbols: the program is regular, with a chain for every input."""
    return witness.bits >= bits(witness.task.parameters["symbols"] ** (len(witness.task.alphabets) - 1))


def bits_of_every_line(witness: Witness) -> bool:
    """log2 p + (N - 1) log2(4 p - 1) bits for N operators: all lines without brackets that the first operation can leave."""
    p = witness.task.parameters["prime"]
    return witness.bits >= bits(p * (4 * p - 1) ** (witness.length - 1))


@dataclass(frozen=True)
class LowerBound:
    """The witnesses that replay a statement: their kinds, their task (empty: any), and a condition."""

    kinds: tuple[str, ...]
    task: str = ""
    holds: Callable[[Witness], bool] = anything


LOWER: dict[str, LowerBound] = {
    "bhattamishra2024 Fact 4": LowerBound(("fooling-set",)),
    "bhattamishra2024 Fact 1": LowerBound(("fooling-set",), "intersects", bits_between_halves),
    "bhattamishra2024 Fact 2": LowerBound(("fooling-set",), "equality", bits_between_halves),
    "bhattamishra2024 Lemma 1": LowerBound(("fooling-set",), "dyck", bits_between_brackets),
    "bhattamishra2024 Theorem 2": LowerBound(("state-profile", "state-collision")),
    "bhattamishra2024 Theorem 3": LowerBound(("state-profile",), "index-lookup", bits_of_length),
    "bhattamishra2024 Theorem 8": LowerBound(("state-profile",), "nearest-neighbor", bits_of_half_the_length),
    "bhattamishra2024 Theorem 11": LowerBound(("state-profile",), "equality", bits_of_half_the_length),
    "bhattamishra2024 Proposition 9": LowerBound(("state-profile",), "associative-recall", bits_of_length),
    "bhattamishra2024 Theorem 4": LowerBound(("transcript-collision",)),
    "yang2024 Theorem 4.4": LowerBound(("chain-count",), "reverse-sum", bits_of_every_entry),
    "yang2024 Proposition 5.2": LowerBound(("chain-count",), "arithmetic", bits_of_every_line),
    "yang2024 Proposition 5.5": LowerBound(("chain-count",), "edit-distance-local", bits_of_every_entry),
}
NOWHERE = (
    "bhattamishra2024 Theorem 5",
    "bhattamishra2024 Theorem 10",
    "bhattamishra2024 Theorem 12",
)  # on one layer; no kind shows them yet


def check_lower(cites: str, witness: Witness) -> list[dict[str, Any]]:
    """What a witness cites, as evidence; refused where it does not satisfy that. No citation is always allowed."""
    if not cites:
        return []
    if cites not in LOWER:
        what = "is an upper bound, which no witness shows" if cites in UPPER else "is not a statement that a witness may cite"
        raise Refused(f"cites: {cites!r:.80} {what}")
    bound = LOWER[cites]
    if witness.kind not in bound.kinds:
        raise Refused(f"cites: {cites} is shown by a {' or a '.join(bound.kinds)}, found a {witness.kind}")
    if bound.task not in ("", witness.task.name):
        raise Refused(f"cites: {cites} is about {bound.task}, found {witness.task.name}")
    if not bound.holds(witness):
        raise Refused(f"cites: {cites} says: {_in_words(bound)} Found {witness.bits} bits for {witness.task.title}")
    return [{"kind": "statement", "text": f"replays {cites}", "cites": cites}]


def _in_words(bound: LowerBound) -> str:
    return " ".join(str(bound.holds.__doc__).split())
