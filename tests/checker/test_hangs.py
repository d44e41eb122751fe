"""No document makes the checker work for more than 10 s or 1 GB without a budget: it is refused, or the estimate is printed, before that.

The claims are made by the cost that they would have: enumeration in a constructor, a promise that few strings keep, an answer that takes
many steps, tables of states and symbols. Each is judged in a process whose processor time and memory are limited to that rule.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from separatrix.checker import VERSION, sealed

Claim = tuple[str, dict[str, Any]]
SECONDS, BYTES = 10, 3 << 29  # a check may take 10 s; 1 GB, and half of one for the interpreter and NumPy
LOOP = """
start = "q"
accept = "y"
reject = "n"
blank = "_"
input = "ab"
[moves.q]
a = ["q", "a", "S"]
b = ["y", "b", "S"]
_ = ["n", "_", "S"]
"""


def grams() -> Iterator[Claim]:
    """Promises of which all inputs would be counted one by one."""
    for n in (5, 6, 7, 8):
        yield "recall-next", {"length": n, "thought": "none"}
        yield "counting", {"length": n, "thought": "none"}
        for c in {2, n - 1, n}:
            yield "c-gram", {"length": n, "c": c, "thought": "search" if c == 2 else "none"}


def languages() -> Iterator[Claim]:
    """Automata and expressions with many states, many symbols, or many ways to match one word."""
    plain = {"length": 1, "alphabet": None, "negatives": "uniform"}
    many = "".join(map(chr, range(0x10000, 0x10000 + 300_000)))
    for language in ("((a?b?c?d?){25}){4}", "((a?){20}){20}", "(a{0,20}){20}", "((a|b|ab|ba)*){100}", "((a*)*b*){99}c?", "(.?){100}a.{8}"):
        yield "regular", {**plain, "language": language}
    for language in ("(a?){100}", "(.?){100}a.{8}"):
        yield "regular", {**plain, "language": language, "alphabet": "abcd" + many}
    letters = [f"s{i}" for i in range(100_000)]
    moves: dict[str, Any] = {f"q{i}": {} for i in range(1000)}
    yield "regular", {**plain, "language": json.dumps({"alphabet": letters, "start": "q0", "accepting": ["q1"], "moves": moves})}
    rows = {f"q{i}": {a: f"q{(i * 7 + j) % 500}" for j, a in enumerate(letters[:500])} for i in range(500)}
    yield "regular", {**plain, "language": json.dumps({"alphabet": letters[:500], "start": "q0", "accepting": ["q1"], "moves": rows})}


def promises() -> Iterator[Claim]:
    """Few inputs, among many strings."""
    for dimension, length in ((10, 3), (6, 4), (20, 2), (20, 10**5)):
        for gamma in (2.0, 0.01):
            yield "nearest-neighbor", {"length": length, "dimension": dimension, "gamma": gamma, "distribution": "evaluation"}
    for graphs in ("any", "two-star", "message"):
        yield "is-tree", {"length": 6, "edges": 5, "graphs": graphs, "thought": "none", "vertices": "all"}
    yield "is-tree", {"length": 1000, "edges": 999, "graphs": "any", "thought": "tour", "vertices": "all"}
    yield "is-tree", {"length": 1000, "edges": 499_500, "graphs": "any", "thought": "none", "vertices": "all"}


def long_answers() -> Iterator[Claim]:
    """Answers that take many steps, about few tokens."""
    for N, steps in ((10, 10**6), (16, 10**5), (1, 10**6), (10**4, 10**6)):
        yield "turing-machine", {"length": N, "machine": LOOP, "padding": 0, "margin": 1, "steps": steps, "thought": "none"}
    gates = "[" + ", ".join(['"x1"', *(f'"not {i}"' for i in range(1, 60_000))]) + "]"
    for N in (1, 16):
        yield "circuit", {"length": N, "circuit": f"gates = {gates}", "thought": "none"}
    yield "circuit", {"length": 10**4, "circuit": 'state = 1\ngates = ["x", "s1", "xor 1 2"]', "thought": "none"}
    for name, text in (("sparse-threshold", "features"), ("k-dnf", "formula")):
        rest = {"threshold": None} if text == "features" else {"terms": 3100}
        for N, k in ((3100, 12), (1000, 3)):
            yield name, {"length": N, "k": k, text: "", "instance": 0, **rest}


def slow_texts() -> Iterator[Claim]:
    """Texts that a parser goes through again and again, and promises that look at every pair of edges."""
    for blanks in (" ", "! ", " \t", "\n"):
        yield "k-dnf", {"length": 9, "k": 2, "instance": 0, "formula": f"x1&{blanks * (900_000 // len(blanks))}&x2", "terms": None}
    for key in ("a" + ".a" * 400_000, "a" + ".a" * 101, '"\u2028".a' + ".a" * 400_000):
        yield "circuit", {"length": 9, "circuit": f"{key} = 1\ngates = []", "thought": "none"}
    rest = {"length": 3, "padding": 0, "margin": 1, "steps": 9, "thought": "none"}
    yield "turing-machine", {**rest, "machine": "a" + ".a" * 9_000 + " = 1\n" + LOOP}
    for thought in ("none", "lists"):
        yield "is-tree", {"length": 1000, "edges": 999, "graphs": "two-star", "thought": thought, "vertices": "all"}


def documents() -> Iterator[dict[str, Any]]:
    """Whole documents: words as long as they may be, programs and searches whose chain is written before anything else is judged."""
    word = {"task": "regular", "parameters": {"language": "(aa)*", "alphabet": None}}
    period = {"kind": "period", "claim": word, "x": [], "y": [0] * 65536, "stack": None, "blocks": None, "longest": None}
    yield {**period, "u": [0] * 65535, "p": 65536, "answers": [1, 0]}
    for letter in ("a" * 65, "a" * 400_000):
        language = {"alphabet": [letter], "start": "p", "accepting": ["p"], "moves": {"p": {letter: "q"}, "q": {letter: "p"}}}
        named = {"task": "regular", "parameters": {"language": json.dumps(language), "alphabet": None}}
        yield {**period, "claim": named, "u": [0] * 65535, "y": [], "p": 2, "answers": [1, 0]}
    step = {"eta": [1, 4], "q": [(1 << 39) - 1, 1 << 40], "delta": [1, 4]}
    steps = [{**step, "k": [16_000, 0]}, {**step, "k": [(1 << 40) - 1, 1 << 17]}]
    yield {"kind": "depth-reduction", "claim": {"task": "parity"}, "layers": 3, "heads": 1, "steps": steps, "from": "0x1"}
    nodes = [["read", 0], *([["sum", 0, 0]] * 3999)]
    rows = {"states": [[i] for i in range(1000)], "positions": [[1]] * 1000, "transition": nodes, "read_out": [["value"]]}
    program = {"task": "dynamic-program", "parameters": {"entries": 1, "symbols": 2, **rows}}
    machine = LOOP.replace('a = ["q", "a", "S"]', 'a = ["q", "a", "R"]').replace('_ = ["n", "_", "S"]', '_ = ["y", "_", "S"]')
    walks = {"length": 4000, "machine": machine, "padding": 0, "margin": 2, "steps": 4002, "thought": "search"}
    stays = machine.replace("[moves.q]", '[moves.p]\na = ["q", "a", "R"]\nb = ["q", "b", "R"]\n_ = ["n", "_", "S"]\n[moves.q]').replace(
        'a = ["q", "a", "R"]\nb = ["y"', 'a = ["p", "a", "S"]\nb = ["y"'
    )
    turns = {**walks, "machine": stays, "steps": 8004, "thought": "turning"}  # 16 million cells are passed over
    walked = [({"task": "turing-machine", "parameters": parameters}, [0] + [4] * 4000) for parameters in (walks, turns)]
    for claim, tokens in ((program, [0, 2]), *walked):
        given: dict[str, Any] = {"claim": claim, "program": {}, "weights": {}, "tokens": tokens}
        yield {**given, "kind": "counterexample", "position": 1, "said": 0, "expected": 0, "margin": 0.0}
        yield {**given, "kind": "poison", "hidden": [1], "seen": 2, "bits": 1}


def sealed_claims(claims: Iterator[Claim]) -> Iterator[dict[str, Any]]:
    """Each claim as a witness, or as a count of chains."""
    fooling = {"kind": "fooling-set", "alice": [0], "value": 1, "pairs": [], "cover": None, "rectangles": 1, "bits": 0, "cites": ""}
    counted = {"kind": "chain-count", "listed": None, "alike": None, "inputs": 1, "chains": 1, "bits": 0, "cites": ""}
    for name, parameters in claims:
        about = counted if parameters.get("thought") in ("tour", "chain", "search", "lists") else fooling
        yield {**about, "claim": {"task": name, "parameters": parameters}}


def judged_in_a_process(documents: list[dict[str, Any]]) -> list[str]:
    """What is said of each document, and of its claim as a plan of cases; each with the whole allowance."""
    code = f"""
import json, resource, sys
from separatrix.checker import check_document, sealed
from separatrix.checker.budget import OverBudget
from separatrix.checker.plan import WORK, least_work, plan
from separatrix.checker.seal import Refused
from separatrix.checker.specs import spec_of
def start():
    spent = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent.ru_utime + spent.ru_stime) + {SECONDS} + 1, resource.RLIM_INFINITY))
resource.setrlimit(resource.RLIMIT_AS, ({BYTES}, {BYTES}))
for line in sys.stdin:
    document = json.loads(line)
    start()
    said = check_document(document).reason
    start()
    try:
        spec = spec_of(document["claim"]["task"], document["claim"].get("parameters"))
        said += " | " + ("over budget" if least_work(spec, 0) > 10**10 else str(plan(spec, 0, 0).work))
    except Refused as error:
        said += f" | {{error}}"
    print(said[:400].replace(chr(10), " "), flush=True)
"""
    head = {"schema": "separatrix/certificate", "version": VERSION, "strength": "proven"}
    lines = [json.dumps(sealed({**head, **document})) for document in documents]
    done = subprocess.run([sys.executable, "-c", code], input="\n".join(lines), capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    if len(said) < len(documents):
        pytest.fail(f"no verdict on {documents[len(said)]!r:.200}: exit {done.returncode}, {done.stderr[-300:]}")
    return said


@pytest.mark.parametrize("claims", [grams, languages, promises, long_answers, slow_texts], ids=lambda claims: claims.__name__)
def test_a_verdict_comes_within_the_rule(claims: Any) -> None:
    every = [*sealed_claims(claims())]
    said = judged_in_a_process(every)
    assert len(said) == len(every) >= 8
    assert not any("MemoryError" in line or "RecursionError" in line for line in said), said


def test_a_verdict_on_a_whole_document_comes_within_the_rule() -> None:
    every = [*documents()]
    said = judged_in_a_process(every)
    assert not any("MemoryError" in line or "malformed" in line for line in said), said
    assert [line.split()[0] for line in said] == ["checking", *["language.alphabet:"] * 2, "from:", *["program:"] * 2, *["checking"] * 4], (
        said
    )
