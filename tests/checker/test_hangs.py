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


def judged_in_a_process(claims: list[Claim]) -> list[str]:
    """What is said of each claim, as a witness, as a count of chains and as a plan of cases; each with the whole allowance."""
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
        spec = spec_of(document["claim"]["task"], document["claim"]["parameters"])
        said += " | " + ("over budget" if least_work(spec, 0) > 10**10 else str(plan(spec, 0, 0).work))
    except Refused as error:
        said += f" | {{error}}"
    print(said[:400].replace(chr(10), " "), flush=True)
"""
    head = {"schema": "separatrix/certificate", "version": VERSION, "strength": "proven", "cites": ""}
    fooling = {"kind": "fooling-set", "alice": [0], "value": 1, "pairs": [], "cover": None, "rectangles": 1, "bits": 0}
    counted = {"kind": "chain-count", "listed": None, "alike": None, "inputs": 1, "chains": 1, "bits": 0}
    lines = []
    for name, parameters in claims:
        about = counted if parameters.get("thought") in ("tour", "chain", "search", "lists") else fooling
        lines.append(json.dumps(sealed({**head, **about, "claim": {"task": name, "parameters": parameters}})))
    done = subprocess.run([sys.executable, "-c", code], input="\n".join(lines), capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    if len(said) < len(claims):
        pytest.fail(f"no verdict on {claims[len(said)]!r:.200}: exit {done.returncode}, {done.stderr[-300:]}")
    return said


@pytest.mark.parametrize("claims", [grams, languages, promises, long_answers], ids=lambda claims: claims.__name__)
def test_a_verdict_comes_within_the_rule(claims: Any) -> None:
    every = [*claims()]
    said = judged_in_a_process(every)
    assert len(said) == len(every) >= 8
    assert not any("MemoryError" in line or "RecursionError" in line for line in said), said
