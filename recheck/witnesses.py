"""Witnesses, by enumeration: six kinds about functions; `counterexample`, `pair` and `restriction` about models."""

import math
import re
from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path
from typing import Any

from recheck.languages import Automaton, regular
from recheck.network import Network
from recheck.numbers import arithmetic
from recheck.programs import decide, model_of
from recheck.tasks import Task, task_of
from recheck.verdicts import Refused, Uncovered, exactly, require, whole

FUNCTIONS = ("fooling-set", "state-profile", "state-machine", "state-collision", "receptive-field")
KINDS = (*FUNCTIONS, "counterexample", "pair", "restriction", "period")
HEAD = "schema version kind digest claim strength "
MOST = 1 << 16  # strings of a function
COMPLETIONS = 1 << 12
CITED: dict[tuple[str, str], tuple[str | None, Callable[[int], int]]] = {  # of a kind: the task, or any, and the least bits for N
    ("fooling-set", "bhattamishra2024 Fact 4"): (None, lambda _: 0),
    ("fooling-set", "bhattamishra2024 Fact 1"): ("intersects", lambda n: n // 2),
    ("fooling-set", "bhattamishra2024 Fact 2"): ("equality", lambda n: n // 2),
    ("fooling-set", "bhattamishra2024 Lemma 1"): ("dyck", lambda n: n - 1),
    ("state-profile", "bhattamishra2024 Theorem 2"): (None, lambda _: 0),
    ("state-collision", "bhattamishra2024 Theorem 2"): (None, lambda _: 0),
    ("state-profile", "bhattamishra2024 Theorem 3"): ("index-lookup", lambda n: n),
    ("state-profile", "bhattamishra2024 Proposition 9"): ("associative-recall", lambda n: n),
    ("state-profile", "bhattamishra2024 Theorem 11"): ("equality", lambda n: n // 2),
}


def judge(document: dict[str, Any], folder: Path) -> tuple[str, list[str]]:
    """The strength, and what was not judged."""
    require(document.get("strength") == "proven", "strength: a witness proves")
    kind = document["kind"]
    if kind == "period":
        _period(document)
        return "proven", []
    task = task_of(document.get("claim"))
    if kind == "counterexample":
        _counterexample(document, task, model_of(document, task, folder))
        return "proven", []
    require(task.places == (len(task.alphabets) - 1,), "a witness is about functions with one answer")
    if task.strings > MOST:
        raise Uncovered(f"a function of more than {MOST} strings")
    if kind in FUNCTIONS:
        (_fooling, _profile, _machine, _collision, _receptive)[FUNCTIONS.index(kind)](document, task)
    else:
        _one_thing(document, task, model_of(document, task, folder))
    return "proven", _cited(document, kind)


def _cited(document: dict[str, Any], kind: str) -> list[str]:
    """Refuse a statement about another task or more bits; the partition that it names is not judged."""
    cites = document.get("cites", "")
    if cites == "":
        return []
    require((kind, cites) in CITED, f"cites: {cites!r} is no lower bound for this kind that is known here")
    task, least = CITED[kind, cites]
    if task is None:
        return []
    claim = document["claim"]
    require(claim["task"] == task and document["bits"] >= least(claim["parameters"]["length"]), f"cites: {cites} says something else")
    return ["cites"]


def bits(count: int) -> int:
    """ceil(log2 count)."""
    return (count - 1).bit_length()


def _answer(task: Task, tokens: tuple[int, ...]) -> int | None:
    due = task.answers(tokens)
    return None if due is None else due[0]


def _fooling(document: dict[str, Any], task: Task) -> None:
    exactly(document, HEAD + "cites alice value pairs cover rectangles bits", "document")
    n, alice, value = len(task.alphabets), document["alice"], whole(document["value"], "value")
    require(isinstance(alice, list) and all(type(a) is int and 0 <= a < n for a in alice), "alice: places of the input")
    require(alice == sorted(set(alice)) and 0 < len(alice) < n, "alice: some places, in rising order")
    bob = [t for t in range(n) if t not in alice]

    def joined(a: Any, b: Any) -> int | None:
        tokens = [0] * n
        for places, held in ((alice, a), (bob, b)):
            require(isinstance(held, (list, tuple)) and len(held) == len(places), "pairs: a token for each place")
            for place, token in zip(places, held, strict=True):
                require(type(token) is int and token in task.alphabets[place], f"pairs: {token!r} is no token of place {place}")
                tokens[place] = token
        return _answer(task, tuple(tokens))

    pairs = document["pairs"]
    require(isinstance(pairs, list) and len(pairs) >= 2, "pairs: fewer than two show nothing")
    require(all(isinstance(pair, list) and len(pair) == 2 for pair in pairs), "pairs: expected two strings each")
    for a, b in pairs:
        require(joined(a, b) == value, f"pairs: {a}, {b} has another answer")
    for (a, b), (c, d) in combinations(pairs, 2):
        require(any(joined(*crossed) not in (None, value) for crossed in ((a, d), (c, b))), f"pairs: {a}, {b} and {c}, {d} can be crossed")
    _recomputed(document, rectangles=len(pairs) + 1, bits=bits(len(pairs) + 1))
    if document["cover"] is not None:
        _cover(document["cover"], len(pairs), value, joined, *([task.alphabets[t] for t in side] for side in (alice, bob)))


def _cover(cover: Any, pairs: int, value: int, joined: Any, alice: list[Any], bob: list[Any]) -> None:
    exactly(cover, "denominator rectangles", "cover")
    denominator, total = whole(cover["denominator"], "denominator", 1), 0
    held: dict[tuple[Any, Any], int] = {}
    for rectangle in cover["rectangles"]:
        exactly(rectangle, "alice bob weight", "cover")
        weight = whole(rectangle["weight"], "weight")
        total += weight
        for a, b in product({tuple(a) for a in rectangle["alice"]}, {tuple(b) for b in rectangle["bob"]}):
            require(joined(a, b) in (None, value), "cover: a rectangle holds another answer")
            held[a, b] = held.get((a, b), 0) + weight
    for a, b in product(product(*alice), product(*bob)):
        require(joined(a, b) != value or held.get((a, b), 0) >= denominator, f"cover: {a}, {b} is not covered")
    require(total < (pairs + 1) * denominator, "cover: it weighs too much")


def _profile(document: dict[str, Any], task: Task) -> None:
    exactly(document, HEAD + "cites classes bits total", "document")
    n, classes, total = len(task.alphabets), [], True
    for t in range(n + 1):
        groups: dict[tuple[bool, ...], set[tuple[int | None, ...]]] = {}
        for prefix in product(*task.alphabets[:t]):
            residual = tuple(_answer(task, prefix + suffix) for suffix in product(*task.alphabets[t:]))
            valid = tuple(a is not None for a in residual)
            total = total and all(valid)
            if any(valid):
                groups.setdefault(valid, set()).add(residual)
        classes.append(max((len(group) for group in groups.values()), default=0))
    require(max(classes) > 1, "classes: one state shows nothing")
    _recomputed(document, classes=classes, bits=bits(max(classes)), total=total)


def _tables(document: dict[str, Any], task: Task) -> tuple[list[Any], list[Any]]:
    """Transitions and outputs of an automaton that reads the task's tokens."""
    exactly(document["automaton"], "transitions outputs", "automaton")
    tables, outputs = document["automaton"]["transitions"], document["automaton"]["outputs"]
    require(isinstance(outputs, list) and isinstance(tables, list) and len(tables) == len(task.alphabets), "automaton: tables, outputs")
    counts = [len(table) for table in tables] + [len(outputs)]
    require(counts[0] == 1, "automaton: one state before the first token")
    for t, table in enumerate(tables):
        for row in table:
            require(len(row) == len(task.alphabets[t]) and all(whole(q, "automaton") < counts[t + 1] for q in row), f"automaton: table {t}")
    return tables, [whole(answer, "outputs") for answer in outputs]


def _states(tables: list[Any], task: Task, tokens: Any) -> list[int]:
    """The states that a string passes, the first among them."""
    passed = [0]
    for t, token in enumerate(tokens):
        require(type(token) is int and token in task.alphabets[t], f"{token!r} is no token of place {t}")
        passed.append(tables[t][passed[-1]][list(task.alphabets[t]).index(token)])
    return passed


def _machine(document: dict[str, Any], task: Task) -> None:
    exactly(document, HEAD + "automaton strings state_bits", "document")
    tables, outputs = _tables(document, task)
    inputs = task.inputs(MOST)
    require(len({due for _, due in inputs}) > 1, "one answer shows nothing")
    passed = [_states(tables, task, tokens) for tokens, _ in inputs]
    for (tokens, (due,)), states in zip(inputs, passed, strict=True):
        require(outputs[states[-1]] == due, f"automaton: {list(tokens)} gives {outputs[states[-1]]}, due is {due}")
    most = bits(max(len(set(column)) for column in zip(*passed, strict=True)))
    _recomputed(document, strings=len(inputs), state_bits=most)


def _collision(document: dict[str, Any], task: Task) -> None:
    exactly(document, HEAD + "cites automaton prefixes suffix state said expected state_bits", "document")
    tables, outputs = _tables(document, task)
    (a, b), suffix = document["prefixes"], document["suffix"]
    ends = [_states(tables, task, [*prefix, *suffix]) for prefix in (a, b)]
    require(len(a) == len(b) and all(len(states) == len(tables) + 1 for states in ends), "prefixes: two inputs, cut at one place")
    require(ends[0][len(a)] == ends[1][len(a)], "prefixes: they lead to two states")
    expected = [_answer(task, (*prefix, *suffix)) for prefix in (a, b)]
    reached, most = {0}, 1
    for table in tables:
        reached = {q for state in reached for q in table[state]}
        most = max(most, len(reached))
    require(None not in expected and expected[0] != expected[1], "expected: two answers are due")
    _recomputed(document, state=ends[0][len(a)], said=outputs[ends[0][-1]], expected=expected, state_bits=bits(most))


def _receptive(document: dict[str, Any], task: Task) -> None:
    exactly(document, HEAD + "stack inputs position expected", "document")
    (a, b), place = document["inputs"], whole(document["position"], "position")
    require(isinstance(document["stack"], list) and len(document["stack"]) > 0, "stack: the tokens that each layer sees")
    first = place - sum(whole(seen, "stack", 1) - 1 for seen in document["stack"])
    require(place in task.places and a[max(first, 0) : place + 1] == b[max(first, 0) : place + 1], "inputs: they differ in what is seen")
    expected = [_answer(task, _input(task, tokens)) for tokens in (a, b)]
    require(None not in expected and expected[0] != expected[1], "expected: two answers are due")
    _recomputed(document, expected=expected)


def _recomputed(document: dict[str, Any], **values: Any) -> None:
    for name, value in values.items():
        require(repr(document[name]) == repr(value), f"{name}: recomputation gives {value}")  # 1 and true are equal, but not the same


def _input(task: Task, tokens: Any) -> tuple[int, ...]:
    require(isinstance(tokens, list) and len(tokens) == len(task.alphabets), "tokens: not an input of the task")
    require(all(type(s) is int and s in alphabet for s, alphabet in zip(tokens, task.alphabets, strict=True)), "tokens: not an input")
    return tuple(tokens)


def _counterexample(document: dict[str, Any], task: Task, net: Network) -> None:
    exactly(document, HEAD + "program weights tokens position said expected margin", "document")
    tokens, place = _input(task, document["tokens"]), whole(document["position"], "position", 1) - 1
    due = task.answers(tokens)
    if due is None or place not in task.places:
        raise Refused("tokens: outside the promise, or no answer is read at this position")
    said, expected, margin = whole(document["said"], "said"), whole(document["expected"], "expected"), document["margin"]
    require(expected == due[task.places.index(place)], f"expected: due is {due[task.places.index(place)]}")
    require(said != expected and type(margin) in (int, float) and margin >= 0, "said: it is the right answer; or margin: expected a number")
    decide(net, tokens, (place,), (said,))
    logits = net.logits(tokens, [place])[place]
    low, high = net.numbers.lead(logits[said], logits[expected])
    require(high >= margin, f"margin: {said} does not lead {expected} by it")
    if low < margin:
        raise Uncovered("the margin is not clear in balls")


def _one_thing(document: dict[str, Any], task: Task, net: Network) -> None:
    """`pair`: one answer to two inputs that need two; `restriction`: to all completions of some tokens, which are run one by one."""
    restricted = document["kind"] == "restriction"
    exactly(document, HEAD + "program weights said expected " + ("restriction completions free" if restricted else "inputs"), "document")
    pair = [_input(task, tokens) for tokens in document["completions" if restricted else "inputs"]]
    expected = [_answer(task, tokens) for tokens in pair]
    require(len(pair) == 2 and None not in expected and expected[0] != expected[1], "expected: two inputs with two answers")
    strings, said = pair, whole(document["said"], "said")
    if restricted:
        require(all(layer.mixer.get("scores", "hard") == "hard" for layer in net.layers), "restriction: about hard attention")
        fixed = document["restriction"]
        require(isinstance(fixed, list) and len(fixed) == len(task.alphabets), "restriction: a token or null for each place")
        both = list(zip(fixed, task.alphabets, strict=True))
        allowed = [alphabet if token is None else [whole(token, "restriction")] for token, alphabet in both]
        require(all(token is None or token in alphabet for token, alphabet in both), "restriction: not tokens of the task")
        require(all(s in a for tokens in pair for s, a in zip(tokens, allowed, strict=True)), "completions: not of this restriction")
        _recomputed(document, free=sum(len(a) > 1 for a in allowed))
        if math.prod(len(a) for a in allowed) > COMPLETIONS:
            raise Uncovered(f"more than {COMPLETIONS} completions")
        strings = list(product(*allowed))
    _recomputed(document, expected=expected)
    for tokens in strings:
        decide(net, tokens, (len(tokens) - 1,), (said,))


def _period(document: dict[str, Any]) -> None:
    exactly(document, HEAD + "x u y p answers stack blocks longest", "document")
    exactly(document["claim"], "task parameters", "claim")
    require(document["claim"]["task"] == "regular", "period: about regular languages")
    parameters = document["claim"]["parameters"]
    exactly(parameters, "language alphabet", "claim")
    automaton = regular(parameters["language"], parameters["alphabet"])
    x, u, y, p = (document[name] for name in ("x", "u", "y", "p"))
    answers = counted(automaton, x, u, y, p)
    require(len(set(answers)) == 2, "answers: one answer shows nothing")
    blocks = longest = None
    if document["stack"] is not None:
        stack = document["stack"]
        exactly(stack, "layers numbers windows", "stack")
        layers, windows = whole(stack["layers"], "layers", 1), stack["windows"]
        require(isinstance(windows, list) and len(windows) == layers, "windows: one for each layer")
        blocks = layers * (_count(stack["numbers"]) - 1) + sum(-(-(whole(w, "windows", 1) - 1) // len(u)) for w in windows)
        longest = len(x) + (blocks + p - 1) * len(u) + len(y)
    _recomputed(document, answers=answers, blocks=blocks, longest=longest)


def counted(automaton: Automaton, x: Any, u: Any, y: Any, p: Any) -> list[int]:
    """Whether x u^i y is a member, i < p, where p blocks u lead from the state after x back to it and no fewer do."""
    for word in (x, u, y):
        require(isinstance(word, list) and all(whole(s, "word") < automaton.letters for s in word), "x, u, y: words of the alphabet")
    require(len(u) > 0 and whole(p, "p", 2) > 1, "u: a word that is not empty")
    if p * len(u) > MOST:
        raise Uncovered("a long period")
    first = state = automaton.after(x)
    answers = []
    for i in range(p):
        require(i == 0 or not _same(automaton, state, first), f"p: {i} blocks lead back")
        answers.append(int(bool(automaton.accepts(automaton.after(y, state)))))
        state = automaton.after(u, state)
    require(_same(automaton, state, first), f"p: {p} blocks do not lead back")
    return answers


def _count(numbers: object) -> int:
    """How many numbers a coordinate has: an integer, or 2^bits of a format."""
    if not isinstance(numbers, str):
        return whole(numbers, "numbers", 1)
    if found := re.fullmatch(r"float:([1-9][0-9]?),([1-9][0-9]?)", numbers):
        return 1 << (1 + int(found[1]) + int(found[2]))
    return 1 << (16 if numbers in ("float16", "bfloat16") else arithmetic(numbers).bits)


def _same(automaton: Automaton, a: Any, b: Any) -> bool:
    """Whether two states accept the same words."""
    seen, todo = {(a, b)}, [(a, b)]
    for q, r in todo:  # grows
        if automaton.accepts(q) != automaton.accepts(r):
            return False
        after = {(automaton.move(q, letter), automaton.move(r, letter)) for letter in range(automaton.letters)} - seen
        seen |= after
        todo += after
    return True
