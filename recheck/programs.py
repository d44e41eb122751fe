"""Kind `program`: weights that compute a task, by the rule `simulation`, or by running every input where there are few."""

import hashlib
import random
import struct
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from recheck.languages import WITH_AUTOMATON, automaton_of
from recheck.lookup import replay_lookup
from recheck.network import Network
from recheck.reading import read_weights
from recheck.simulation import replay
from recheck.tasks import Task, task_of
from recheck.verdicts import Uncovered, exactly, require

MOST = 5000  # inputs
PROBES = 3  # inputs, where all are too many
WORK = 30_000_000  # products, of all inputs together
CITED = {  # the tasks and the layers of a statement; its heads, width and bits are not judged
    "bhattamishra2024 Theorem 1": (("index-lookup",), 1),
    "bhattamishra2024 Theorem 6": (("equality",), 2),
    "bhattamishra2024 Lemma 5": (("partition-equality",), 2),
    "bhattamishra2024 Theorem 7": (("nearest-neighbor", "mqar", "associative-recall"), 2),
    "bhattamishra2024 Theorem 13": (("sparse-threshold", "k-dnf", "k-cnf", "intersects"), 2),
}
FIELDS = "schema version kind digest claim construction cites program weights sizes tests lemmas proof strength"


def judge(document: dict[str, Any], folder: Path) -> tuple[str, list[str]]:
    """The strength that is shown, and the fields that were not judged."""
    exactly(document, FIELDS, "document")
    unjudged = [name for name in ("cites", "lemmas") if document[name]]
    strength, proof = document["strength"], document["proof"]
    require(strength in ("proven", "exhaustive", "tested"), f"strength {strength!r}")
    require((proof is not None) == (strength == "proven"), "proof: it is there where the strength is proven, and only there")
    task = task_of(document["claim"])
    net = model_of(document, task, folder)
    _cited(document["cites"], document["claim"]["task"], len(net.layers))
    unjudged += _sizes(document["sizes"], document["program"]["model"], net)
    rule, claim = proof.get("rule") if isinstance(proof, dict) else None, document["claim"]
    replayed = rule == "simulation" and claim["task"] in WITH_AUTOMATON
    if replayed:
        replay(*automaton_of(claim["task"], claim["parameters"]), claim["parameters"]["length"], net, proof)
    try:
        unjudged += _run(document["tests"], task, net, proof is not None, replayed)
    except Uncovered:
        _probe(task, net)
        if rule == "lookup":
            replay_lookup(claim["task"], task, net)
        elif not replayed:
            raise
        unjudged += ["tests"] * bool(document["tests"])  # drawn cases of inputs that the replay has covered
    if proof is not None and not replayed:
        unjudged.append("proof")  # its conclusion was shown in another way than by what it hands over
    return strength, unjudged


def _probe(task: Task, net: Network) -> None:
    """Refuse a program that is wrong on one of a few inputs; that it is right on them shows nothing."""
    drawn = random.Random(0)
    for _ in range(PROBES):
        tokens = tuple(drawn.choice(alphabet) for alphabet in task.alphabets)
        due = task.answers(tokens)
        if due is not None and len(tokens) * net.work < WORK:
            with suppress(Uncovered):
                decide(net, tokens, task.places, due)


def decide(net: Network, tokens: tuple[int, ...], places: tuple[int, ...], due: tuple[int, ...]) -> Fraction:
    """A lower bound of the least lead of these answers; refused where the model says something else."""
    logits, leads = net.logits(tokens, places), list[Fraction]()
    require(net.targets > 1 and max(due) < net.targets, "a decision between fewer than two answers, or for none of them")
    for place, right in zip(places, due, strict=True):
        for other in {*range(net.targets)} - {right}:
            low, high = net.numbers.lead(logits[place][right], logits[place][other])
            require(high > 0, f"input {list(tokens)}: the answer {right} at token {place + 1} does not lead {other}")
            if low <= 0:
                raise Uncovered(f"input {list(tokens)}: the decision is not clear in balls")
            leads.append(low)
    return min(leads)


def _cited(cites: object, task: str, layers: int) -> None:
    """Refuse a statement about other tasks or other layers; those of other papers are not judged."""
    require(isinstance(cites, str), "cites: expected a text")
    if str(cites).startswith("bhattamishra2024"):
        require(cites in CITED, f"cites: {cites} is no upper bound")
        tasks, due = CITED[str(cites)]
        require(task in tasks and layers == due, f"cites: {cites} is about {', '.join(tasks)} in {due} layers")


def model_of(document: dict[str, Any], task: Task, folder: Path) -> Network:
    """The model of a document, which fits its task."""
    exactly(document["program"], "model decoder", "program")
    decoder = document["program"]["decoder"]
    net = Network(document["program"]["model"], read_weights(document["weights"], folder))
    require(isinstance(decoder, dict), "decoder: expected an object")
    if decoder not in ({"kind": "position"}, {"kind": "positions"}):
        raise Uncovered(f"decoder {decoder.get('kind')!r}")
    require(decoder["kind"] == "positions" or task.places == (len(task.alphabets) - 1,), "decoder: the task has more answers")
    require(net.targets == task.targets, f"targets: the task has {task.targets}, the model {net.targets}")
    require(net.length == len(task.alphabets), f"length: the task has {len(task.alphabets)} tokens, the model {net.length}")
    return net


def _run(tests: Any, task: Task, net: Network, proven: bool, replayed: bool) -> list[str]:
    """Every input of the task; what the tests say of them is compared where they are all inputs. What was replayed has two answers."""
    inputs = task.inputs(MOST)
    read = len({tokens[:t] for tokens, _ in inputs for t in range(len(tokens))}) if net.causal else sum(len(x) for x, _ in inputs)
    if read * net.work > WORK:
        raise Uncovered("too much work to run every input")
    require(replayed or len({due for _, due in inputs}) > 1, "every input has the same answer")
    least = min(decide(net, tokens, task.places, due) for tokens, due in inputs)
    require(isinstance(tests, list) and (len(tests) > 0 or proven), "tests: expected a list, which may be empty where there is a proof")
    if not tests:
        return []
    for entry in tests:
        exactly(entry, "family count distinct margin decisions", "tests")
    if [entry["family"] for entry in tests] != ["all"]:
        return ["tests"]
    (entry,) = tests
    for name in ("count", "distinct"):
        require(type(entry[name]) is int and entry[name] == len(inputs), f"tests: {name} is {entry[name]}, there are {len(inputs)} inputs")
    require(type(entry["margin"]) in (int, float) and entry["margin"] >= 0, "tests: margin")
    require(Fraction(entry["margin"]) <= least, f"tests: the margin {entry['margin']} is above {float(least):.9g}")
    said = b"".join(struct.pack("<q", answer) for _, due in inputs for answer in due)
    require(hashlib.sha256(said).hexdigest() == entry["decisions"], "tests: the decisions are others")
    return []


def _sizes(sizes: Any, model: dict[str, Any], net: Network) -> list[str]:
    """Sizes that follow from the description are compared; bits of states and representations are not judged."""
    exactly(sizes, "layers heads width key_width value_width hidden state_bits precision_bits parameter_bits representation_bits", "sizes")
    mixers = [layer["mixer"] for layer in model["layers"] if layer["mixer"] and "key_width" in layer["mixer"]]
    bits = sum(len(t.numbers) * (1 if t.dtype == "U8" else net.numbers.bits) for t in net.tensors.values())
    found = {
        "layers": len(net.layers),
        "width": net.width,
        "precision_bits": net.numbers.bits,
        "hidden": max((layer["feedforward"]["hidden"] for layer in model["layers"] if layer["feedforward"]), default=0),
        **{name: max((m.get(name, 0) for m in mixers), default=0) for name in ("heads", "key_width", "value_width")},
    }
    if not any(t.dtype == "I64" for t in net.tensors.values()):
        found["parameter_bits"] = bits
    for name, value in found.items():
        require(type(sizes[name]) is int and sizes[name] == value, f"sizes: {name} is {sizes[name]!r}, recomputed {value}")
    return ["sizes." + name for name in sizes if name not in found]
