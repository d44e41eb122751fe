"""What a forgery is made of, before anything is derived from it: a claim, a model, its weights, and perhaps the author's own proof."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt

from separatrix.certificates.verify import verify
from separatrix.checker import sealed
from separatrix.checker.weights import parse_safetensors
from separatrix.constructions import build
from tests.checker.forgeries.documents import predictor_document, program_document
from tests.checker.forgeries.orders import biases_added_first, keys_multiplied_first, scores_of_one, values_added_first
from tests.checker.forgeries.predictors import large_logits, softmax_reader
from tests.checker.forgeries.ranges import hidden_logits, huge_before_norm, huge_state, tiny_queries
from tests.checker.forgeries.recurrences import huge_memory, wide_choice
from tests.fuzz.aimed import witnesses
from tests.fuzz.aimed.invariants import spoil

Document = dict[str, Any]
Tensors = dict[str, npt.NDArray[Any]]

# Sizes at which the checker takes another path. They are lowered to a few, so that documents of a few tokens lie on either side of them.
SWITCHES = ("AT_ONCE", "BLOCK", "TOGETHER", "WINDOW", "PATTERNS", "DIGIT", "ROWS", "FEW", "READERS", "LOGITS")
PLAN = "separatrix.checker.plan", "WORK"  # lowered, few cases are drawn and the proof stands alone


@dataclass(frozen=True)
class Subject:
    """The author's side of a document."""

    name: str
    claim: Document
    model: Document
    decoder: Document
    tensors: Tensors
    strength: str
    bound: str = ""  # of a predictor: at-most or at-least
    excess: float = 0.0
    spoiled: int | None = None  # a seed: the proof that a prover offers is changed in a part of its invariant
    constants: Mapping[str, int] = field(default_factory=dict)  # of the checker's code, lowered
    witness: Document = field(default_factory=dict)  # a document of another kind; of `languages` it has a model and tensors too
    changed: int | None = None  # a seed: what the author of the witness chose is changed

    @property
    def arithmetic(self) -> str:
        """The number format."""
        return str(self.model.get("arithmetic"))

    def having(self, **changed: Any) -> Subject:
        """With other parts."""
        return replace(self, **changed)

    def modelled(self, **changed: Any) -> Subject:
        """With other fields of the model."""
        return replace(self, model={**self.model, **changed})


def document_of(subject: Subject) -> Document:
    """The document with everything derived that a careful liar can derive, sealed; as it is read back from its text."""
    tensors = {name: _cast(tensor, subject.arithmetic) for name, tensor in subject.tensors.items()}
    if subject.witness:
        document = witnesses.recogniser(subject.witness, subject.model, tensors) if tensors else subject.witness
        document = document if subject.changed is None else witnesses.changed(document, subject.changed)
    elif subject.bound:
        document = predictor_document(subject.claim, subject.model, tensors, subject.bound, subject.excess)
    else:
        document = program_document(subject.claim, subject.model, tensors, subject.strength, subject.decoder)
    if subject.spoiled is not None:
        document = {**document, "proof": spoil(json.loads(json.dumps(document["proof"])), subject.spoiled)}
    return dict(json.loads(json.dumps(sealed(document))))


def subject_of(name: str, document: Document) -> Subject:
    """The author's side of an honest document."""
    if "program" not in document:
        return Subject(name, {}, {}, {}, {}, document["strength"], witness=document)
    tensors = {key: t.copy() for key, t in parse_safetensors(base64.b64decode(document["weights"]["base64"])).items()}
    model, decoder = document["program"]["model"], document["program"]["decoder"]
    bound = document.get("bound", ""), document.get("excess", 0.0)
    witness = document if document["kind"] == "languages" else {}
    return Subject(name, document.get("claim", {}), model, decoder, tensors, document["strength"], *bound, witness=witness)


@contextmanager
def lowered(constants: Mapping[str, int]) -> Iterator[None]:
    """The checker with some of its constants lowered, in every module that has them."""
    with ExitStack() as stack:
        for module, name, value in _places(constants):
            stack.enter_context(mock.patch.object(sys.modules[module], name, value))
        yield


def switches() -> set[tuple[str, str]]:
    """The constants that can be lowered: modules and names."""
    checker = [name for name in sys.modules if name.startswith("separatrix.checker.")]
    return {(module, name) for module in checker for name in SWITCHES if type(getattr(sys.modules[module], name, None)) is int}


def _places(constants: Mapping[str, int]) -> list[tuple[str, str, int]]:
    found = [(module, name, constants[name]) for module, name in sorted(switches()) if name in constants]
    return found + ([(*PLAN, constants["WORK"])] if "WORK" in constants and PLAN[0] in sys.modules else [])


def _cast(tensor: npt.NDArray[Any], arithmetic: str) -> npt.NDArray[Any]:
    if tensor.dtype.kind != "f":
        return tensor
    with np.errstate(all="ignore"):
        return tensor.astype(np.float32 if arithmetic == "float32" else np.float64)


# those that the rule `envelope` serves
RECURRENT = ("linear-attention", "deltanet", "gated-deltanet", "mamba2", "mamba", "elman", "gru", "lstm")
BUILDS: dict[str, tuple[str, dict[str, Any]]] = {
    "lookup": ("index-lookup", {"length": 2, "symbols": 2}),
    "lookup, three symbols": ("index-lookup", {"length": 3, "symbols": 3, "arithmetic": "float32"}),
    "lookup, four places": ("index-lookup", {"length": 4, "symbols": 3}),
    "lookup, quadratic": ("index-lookup", {"length": 3, "symbols": 2, "address": "quadratic"}),
    "lookup, fixed point": ("index-lookup", {"length": 2, "symbols": 2, "arithmetic": "fixed:20,10"}),
    "equality": ("equality", {"length": 4}),
    "equality, fixed point": ("equality", {"length": 2, "arithmetic": "fixed:14,6"}),
    "equality, one layer": ("equality/one-layer", {"length": 4}),
    "intersects": ("intersects", {"length": 4}),
    "recall": ("mqar", {"length": 4}),
    "copy": ("copy", {"length": 2, "symbols": 2}),
    "registers": ("index-lookup/recurrent", {"length": 2, "symbols": 2}),
    "parity": ("parity/recurrent", {"length": 4}),
    "parity, floats": ("parity/linear-recurrent", {"length": 4}),
    "automaton": ("regular/recurrent", {"length": 3, "language": "(ab|b)*a?"}),
    "automaton, gates": ("regular/lstm", {"length": 3, "language": "(ab|b)*a?"}),
    "automaton, tanh": ("regular/elman", {"length": 3, "language": "(ab|b)*a?"}),
    "automaton, mamba": ("regular/mamba", {"length": 4}),
    "automaton, rank one": ("regular/rank-one", {"length": 4}),
    "automaton, pd": ("regular/pd", {"length": 4}),
    "brackets": ("dyck/recurrent", {"length": 4}),
    "stack": ("dyck-2/recurrent", {"length": 4}),
    "counter": ("an-bn/hard-attention", {"length": 4}),
    "ones": ("ones/hard-attention", {"length": 3}),
    "soft parity": ("parity/soft-attention", {"length": 3}),
    "delay line": ("equality/gru", {"length": 4}),
    **{f"{task} by {by}, {numbers}": (f"{task}/{by}", {"length": 2, "symbols": 2, "arithmetic": numbers})
       for task, by in (*(("index-lookup", by) for by in RECURRENT), ("copy", "mamba2"), ("copy", "deltanet"), ("copy", "lstm"))
       for numbers in ("float64", "float32")},
    **{f"recall by {by}, {numbers}": ("mqar/" + by, {"length": 4, "arithmetic": numbers})
       for by in ("linear-attention", "deltanet", "mamba2", "gru") for numbers in ("float64", "float32")},
}  # fmt: skip


@cache
def subjects(names: tuple[str, ...] = ()) -> tuple[Subject, ...]:
    """Where forgeries start: small, so that a judgement takes milliseconds. All, or those named."""
    wanted = names or (*BUILDS, *MADE)
    return tuple(_subject(name) for name in wanted)


@cache
def _subject(name: str) -> Subject:
    if name in MADE:
        subject = subject_of(name, MADE[name]())
        if subject.witness or subject.claim["parameters"]["length"] <= 100:
            return subject
        claim = {**subject.claim, "parameters": {**subject.claim["parameters"], "length": 6}}  # of a proof for every length
        return subject.having(claim=claim).modelled(length=7)
    construction, chosen = BUILDS[name]
    return subject_of(name, verify(build(construction, **chosen)).document)


MADE: dict[str, Callable[[], Document]] = {
    "parity in float32": lambda: huge_before_norm("float32", 3, "rms", "readout"),
    "parity with a norm inside": lambda: huge_before_norm("float64", 3, "layer", "feedforward"),
    "hard lookup": lambda: tiny_queries("float32", -20, 16, N=2),
    "hard lookup, float64": lambda: tiny_queries("float64", -20, 4, N=2, strength="exhaustive"),
    "ones by linear attention": lambda: huge_state("float64", 3, 3, -25.0),
    "ones by linear attention, float32": lambda: huge_state("float32", 3, 3, -8.0),
    "predictor": lambda: large_logits(0, 0.0, "fixed:40,16", N=30),
    "predictor, unfair coin": lambda: large_logits(0, 0.0, "fixed:40,16", excess=0.01, p=0.3, N=30),
    "soft reader": lambda: softmax_reader(0, 0, 0),
    "soft reader with a place": lambda: softmax_reader(0, 0, 0, 1),
    **{f"a choice, {numbers}": partial(wide_choice, numbers, 0.3) for numbers in ("float64", "float32")},
    **{f"an idle memory by {kind}, {numbers}": partial(huge_memory, numbers, kind, value)
       for kind in ("deltanet", "gated-deltanet", "deltaproduct") for numbers, value in (("float32", 2e37), ("float64", 2e37 * 2.0**896))},
    "ones by lstm": lambda: biases_added_first("float32", -20),
    "ones by equal weights": lambda: values_added_first("float32", 120, 4),
    "ones by scaled weights": lambda: keys_multiplied_first("float32", 110),
    "ones by pd": lambda: scores_of_one("float32", 40),
    "copy with a hidden logit": lambda: hidden_logits("float32", 60, strength="exhaustive"),
    **{name.replace("_", " "): partial(witnesses.honest, name) for name in witnesses.KINDS},
}  # fmt: skip
