"""Models as ONNX files: onnxruntime, which shares no code with us, says what our own modules say."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.certificates.cases import batches, with_thought
from separatrix.certificates.evaluator import logits_of, rows_of
from separatrix.constructions import build, quick_builds
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.decoders.rounding import Rounding
from tests.runs.optional import ONNX

pytestmark = ONNX.required
SLACK = {"float64": 1e-12, "float32": 2e-5}  # relative to the largest logit: orders of summation differ between engines
LONGEST = 3000  # tokens that a slow test runs
ONE_OF_EACH = [  # each mixer, mask and decoder that constructions use, at its first quick size
    "index-lookup", "index-lookup/recurrent", "copy/recurrent", "equality", "mqar", "ones/hard-attention", "dyck-2/soft-attention",
    "regular/elman", "regular/lstm", "index/retrieval", "is-tree/hybrid",
    "turing-machine/linear-rnn", "lis/standard", "lis/linear", "lis/sparse", "edit-distance-local/window",
]  # fmt: skip


def session(model: bytes) -> Any:
    import onnxruntime

    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])


@cache
def built_first(name: str) -> Built:
    return build(name, **next(settings for each, settings in quick_builds() if each == name))


def compared(built: Built, count: int) -> int:
    """Both engines on the first cases of every family, each alone and without padding; how many cases that were."""
    engine, done = session(built.onnx()), 0
    for kind in built.task.case_kinds:
        for first, batch in batches(built.task, {"kind": kind, "seed": 7, "count": count}):
            for _, _, whole in with_thought(built, [(kind, first, batch)]):
                for row in range(min(count, len(whole.tokens))):
                    case = rows_of(whole, slice(row, row + 1))
                    n = int(case.lengths[0])
                    ours = logits_of(built.model, case)
                    (said,) = engine.run(None, {"tokens": case.tokens[:, :n]})
                    theirs = said[0] if said.shape[1] == 1 else said[0][case.mask[0, :n]]
                    close(theirs, ours, built.claim.arithmetic)
                    decide = np.rint if isinstance(built.program.decoder, Rounding) else lambda logits: logits.argmax(axis=1)
                    assert (decide(theirs) == decide(ours)).all()
                    done += 1
    return done


def close(theirs: Any, ours: Any, arithmetic: str) -> None:
    assert theirs.shape == ours.shape
    assert np.isfinite(ours).all()
    assert np.abs(theirs - ours).max() <= SLACK[arithmetic] * max(1.0, np.abs(ours).max())


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_a_built_model_gives_the_same_answers_in_onnxruntime(name: str) -> None:
    built = built_first(name)
    assert compared(built, 2) >= 2 * len(built.task.case_kinds) or built.task.total


@pytest.mark.parametrize("name", ["index-lookup", "equality", "regular/lstm"])
def test_a_model_in_float32_gives_the_same_answers_too(name: str) -> None:
    settings = next(settings for each, settings in quick_builds() if each == name)
    built = build(name, **{**settings, "arithmetic": "float32"})
    assert compared(built, 2) >= 2
    assert session(built.onnx()).get_outputs()[0].type == "tensor(float)"


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", [*SLACK])
def test_every_quick_build_gives_the_same_answers_in_onnxruntime(arithmetic: str) -> None:
    met, others = 0, 0
    for name, settings in quick_builds():
        try:
            built = build(name, **{**settings, "arithmetic": arithmetic})
        except BadInput:  # a construction with a format of its own, or sizes that this one cannot hold
            built = build(name, **settings)
        if built.claim.arithmetic != arithmetic:
            others += 1
        elif built.model.config.length <= LONGEST:
            compared(built, 4)
            met += 1
    assert met >= (95 if arithmetic == "float64" else 80), (met, others)


@pytest.mark.parametrize(
    "name",
    ["transformer", "lstm", "gru", "elman", "linear-attention", "window", "block-sparse", "linear-rnn", "relu-rnn", "selective-rnn"],
)
def test_a_trained_shape_with_random_weights_is_computed_alike_for_any_batch_and_length(name: str) -> None:
    from separatrix.models.exported import onnx_bytes

    model = make_model(name, vocabulary=7, targets=5, width=8, layers=2, length=70, seed=3).eval()
    draws = torch.Generator().manual_seed(5)
    for parameter in model.parameters():  # also those that start as zeros; recurrences stay bounded
        torch.nn.init.normal_(parameter, 0.0, 0.2, generator=draws)
    engine = session(onnx_bytes(model, False, {}))
    for rows, n in ((1, 1), (3, 70)):  # longer than the windows and the blocks
        tokens = torch.randint(7, (rows, n), generator=torch.Generator().manual_seed(n))
        with torch.no_grad():
            ours = model(tokens).numpy()
        (theirs,) = engine.run(None, {"tokens": tokens.numpy()})
        close(theirs, ours, "float32")


def test_hard_attention_takes_the_first_of_equal_scores_there_too() -> None:
    from separatrix.models.exported import onnx_bytes

    model = make_model("transformer", vocabulary=3, targets=5, width=8, layers=1, length=12, block="plain", scores="hard", seed=3).eval()
    draws = torch.Generator().manual_seed(5)
    for name, parameter in model.named_parameters():  # every score is 0
        torch.nn.init.normal_(parameter, 0.0, 0.0 if name.endswith(("query", "key")) else 1.0, generator=draws)
    tokens = torch.randint(3, (20, 12), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        ours = model(tokens).numpy()
    (theirs,) = session(onnx_bytes(model, False, {})).run(None, {"tokens": tokens.numpy()})
    close(theirs, ours, "float32")


def test_an_input_longer_than_the_model_was_built_for_is_an_error_not_an_answer() -> None:
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail

    built = build("index-lookup", length=6, symbols=4)
    with pytest.raises(Fail, match="broadcast an axis"):
        session(built.onnx()).run(None, {"tokens": np.zeros((1, 20), dtype=np.int64)})


@pytest.mark.parametrize("arithmetic", ["fixed:24,10", "nearest:41", "float:8,7", "bfloat16"])
def test_a_number_format_that_engines_do_not_compute_in_is_refused(arithmetic: str) -> None:
    built = build("index-lookup", length=6, symbols=4, arithmetic=arithmetic)
    with pytest.raises(BadInput, match=f"engines that read ONNX compute in float64 or float32, not in {arithmetic}"):
        built.onnx()


def test_a_mixer_without_an_export_and_tables_that_are_too_large_are_refused() -> None:
    from separatrix.models.exported import onnx_bytes

    with pytest.raises(BadInput, match="onnx: a layer of kind Mamba is not exported"):
        onnx_bytes(make_model("mamba", vocabulary=7, targets=5, width=8, layers=1), False, {})
    with pytest.raises(BadInput, match=r"tables of .* GB, expected at most 1.1 GB: choose a smaller --length"):
        build("index-lookup", length=10**7, symbols=4).onnx()


def test_the_file_says_what_it_computes_and_how_an_answer_is_read() -> None:
    about = session(build("index-lookup", length=6, symbols=4).onnx()).get_modelmeta().custom_metadata_map
    assert about["task"] == '"index-lookup"'
    assert '"length":6' in about["parameters"]
    assert about["decoder"] == '{"kind":"position"}'
