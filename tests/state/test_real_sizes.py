"""Configs of real size: the class defaults of transformers, run on the meta device, against the formula."""

from __future__ import annotations

import json

import pytest

from separatrix.runs.measured_state import measured_state
from separatrix.state import config_state

pytestmark = pytest.mark.filterwarnings("ignore")

AT = {  # type -> tokens; beyond the window where there is one
    "llama": 5000,
    "mistral": 5000,
    "gemma2": 5000,
    "falcon": 300,
    "gpt_neo": 300,
    "opt": 300,
    "qwen2": 5000,
    "lfm2": 300,
    "minimax": 300,
    "nemotron_h": 17,
    "gpt_oss": 300,
}


@pytest.mark.parametrize("kind", AT)
def test_class_defaults_of_real_size_hold_what_the_formula_says(kind: str) -> None:
    from transformers import CONFIG_MAPPING

    document = {**json.loads(CONFIG_MAPPING[kind]().to_json_string()), "model_type": kind}
    measured, counted = (count(document, AT[kind], "bfloat16") for count in (measured_state, config_state))
    assert (counted.held, counted.allocated) == (measured.held, measured.allocated)
    assert counted.held > 10**5
