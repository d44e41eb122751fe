"""What a reader needs to run a construction's weights in the browser: how its tokens and answers are spelled, and a few inputs.

The weights themselves are those of a certificate, found by their hash; a record holds none.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from separatrix.constructions import construction
from separatrix.tasks.programs import DynamicProgram

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.tasks import Task

BEST_LENGTH = 16  # long enough to be interesting, short enough to draw
EXAMPLES = 6  # of each family
MOST = 2048  # words that are spelled
MIXERS = (  # what the program in the page can run
    "attention", "linear-rnn", "linear-attention", "elman", "gru", "lstm", "deltanet", "gated-deltanet", "mamba", "mamba2", "retnet", "pd",
)  # fmt: skip
ACTIVATIONS = ("relu", "reglu", "gelu")
NORMS = ("none", "layer", "rms")
DECODERS = ("position", "positions", "greedy", "rounding")


def playground_settings(name: str) -> dict[str, Any] | None:
    """The quick size to play with: in float64, and nearest to the best length; None if there is none."""
    quick = [dict(settings) for settings in construction(name).quick if settings.get("arithmetic", "float64") == "float64"]
    return min(quick, key=lambda settings: abs(settings["length"] - BEST_LENGTH), default=None)


def playground_record(name: str, settings: dict[str, Any] | None) -> dict[str, Any] | None:
    """The spelling of a construction at this size; None if the program in the page cannot run it."""
    from separatrix.certificates.verify import sealed_weights
    from separatrix.constructions import build

    if settings is None:
        return None
    built = build(name, **settings)
    if not runs_in_the_page(built.program.document()):
        return None
    task = built.task
    words = [task.text([token]) for token in range(task.vocabulary)] if task.vocabulary <= MOST else []
    if not words or len(set(words)) < len(words) or any(word.split() != [word] for word in words):
        return None  # what is typed could be read in two ways
    return {
        "settings": {**settings, "arithmetic": built.claim.arithmetic},
        "weights": hashlib.sha256(sealed_weights(built)).hexdigest(),
        "words": words,
        "targets": [task.target_text(target) for target in range(task.targets)],
        "inputs": inputs(built, words),
        "vectors": vectors(task),
        "shape": shape(task),
    }


def shape(task: Task) -> dict[str, Any] | None:
    """Which inputs the task has, as far as a page can tell: the words at each place of an input of full length, each set once.

    `total` says that every such input is one of the task; otherwise the task promises more. None where inputs have many lengths.
    """
    lengths = {
        len(row)
        for kind in task.case_kinds
        for batch in (task.cases(kind, 0, EXAMPLES),)
        for row in map(batch.row, range(len(batch.tokens)))
    }
    alphabets = [sorted(one) for one in task.alphabets()]
    if lengths != {len(alphabets)}:
        return None
    sets: list[list[int]] = []
    for one in alphabets:
        if one not in sets:
            sets.append(one)
    return {"sets": sets, "places": [sets.index(one) for one in alphabets], "total": task.total}


def vectors(task: Task) -> list[list[int]] | None:
    """The vector that a model reads for each word, where it reads vectors: the same wherever the word stands."""
    if not isinstance(task, DynamicProgram):
        return None
    read = [task.vectors([symbol] * task.entries + [task.symbols]) for symbol in range(task.symbols)]
    return [list(row[0]) for row in read] + [list(read[0][-1])]


def runs_in_the_page(program: dict[str, Any]) -> bool:
    """Whether the model has only parts that the program in the page knows."""
    model = program["model"]
    return (
        model["arithmetic"] == "float64"
        and program["decoder"]["kind"] in DECODERS
        and model["readout"]["norm"] in NORMS
        and all(place["address"] != "sinusoidal" for place in model["embedding"]["places"])
        and all(_layer_runs(layer) for layer in model["layers"])
    )


def _layer_runs(layer: dict[str, Any]) -> bool:
    mixer, part = layer["mixer"], layer["feedforward"]
    if mixer is None and part is None:
        return False  # a norm alone
    mixes = mixer is None or (mixer["kind"] in MIXERS and not mixer.get("rotary", False))
    return mixes and layer["norm"] in NORMS and (part is None or part["activation"] in ACTIVATIONS)


def inputs(built: Built, words: list[str]) -> list[dict[str, Any]]:
    """Examples of every family, as text."""
    task, found = built.task, []
    for kind in task.case_kinds:
        batch = task.cases(kind, 0, EXAMPLES)
        for row in range(len(batch.tokens)):
            tokens = batch.row(row)
            answer = task.answer(tokens)
            right = None if answer is None else [int(answer)] if isinstance(answer, int) else None
            found.append({"family": kind, "text": " ".join(words[token] for token in tokens), "right": right})
    return found
