"""Bad input to this room is refused in one line that says what was expected and what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import separatrix as sx
from separatrix.arithmetic import arithmetic
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.mixers.register_file import RegisterFileConfig
from separatrix.models.stack import stack
from separatrix.models.transformer import transformer

REFUSED: tuple[tuple[str, Callable[[], Any]], ...] = (
    ("linear-attention: width 10 is not divisible by heads 4", lambda: sx.model("lintf-1-10", vocabulary=2, targets=2)),
    ("mamba2: 2 x width 8 = 16 is not divisible by head 5", lambda: sx.model("mamba2-1-8", vocabulary=2, targets=2, head=5)),
    ("mamba2: 4 heads are not divisible by groups 3", lambda: sx.model("mamba2-1-8", vocabulary=2, targets=2, head=4, groups=3)),
    (
        r"^register-file: the stream must be at least 4 wide, found 3$",
        lambda: RegisterFileConfig(3, 0, 1, 2, 2, 1).build(3, arithmetic("float32")),
    ),
    (r"^register-file: writes must be at least 1, found 0$", lambda: RegisterFileConfig(3, 0, 0, 2, 2, 1)),
    (
        r"^register-file cannot be trained: its registers are bits, which have no gradient$",
        lambda: make_model("register-file", vocabulary=3, targets=2),
    ),
    ("retnet: width 10 is not divisible by heads 4", lambda: sx.model("retnet-1-10", vocabulary=2, targets=2)),
    ("retnet: rotary positions need an even key width, found 3", lambda: sx.model("retnet-1-12", vocabulary=2, targets=2)),
    ("model tf-1-64: its name says width = 64, found width=128", lambda: make_model("tf-1-64", vocabulary=5, targets=3, width=128)),
    (
        r"unknown mixer 'lsmt'; did you mean 'lstm'\? expected one of attention, block-sparse, deltanet",
        lambda: stack(5, 3, mixers=("lsmt",)),
    ),
    ("attention: width 10 is not divisible by heads 4", lambda: stack(5, 3, mixers=("attention",), width=10)),
    ("gru: layers must be at least 1, found 0", lambda: make_model("gru", vocabulary=5, targets=3, layers=0)),
    (r"lstm: dropout must lie in \[0, 1\), found 1.0", lambda: make_model("lstm", vocabulary=5, targets=3, dropout=1.0)),
    ("stack: mixers must be at least 1, found 0", lambda: stack(5, 3, mixers=())),
    (
        "model lstm-1-8 has no parameter 'mask': expected one of vocabulary, targets, width, layers, length, pos",
        lambda: make_model("lstm-1-8", vocabulary=5, targets=3, mask="window"),
    ),
    ("stack has no parameter 'state': its mixers have heads", lambda: stack(5, 3, settings={"state": 3})),
    ("window: size must be at least 1, the token itself, found 0", lambda: make_model("window-1-8", vocabulary=5, targets=3, window=0)),
    (
        r"a block of 4 tokens has 0\.\.4 global ones, found 5",
        lambda: make_model("block-sparse-1-8", vocabulary=5, targets=3, block=4, ends=5),
    ),
    (
        "gru: sinusoidal positions need an even width, found 3",
        lambda: make_model("gru-1-3", vocabulary=5, targets=3, positions="sinusoidal"),
    ),
    ("transformer: width 65 is not divisible by heads 4", lambda: transformer(5, 3, width=65)),
    (r"token -1 lies outside the vocabulary 0\.\.4", lambda: transformer(5, 3, width=8)(torch.tensor([[0, -1]]))),
    ("transformer: sinusoidal positions need an even width, found 9", lambda: transformer(5, 3, width=9, heads=3, positions="sinusoidal")),
    ("rotary positions need an even key width, found 3", lambda: transformer(5, 3, width=9, heads=3, positions="rotary")),
)


@pytest.mark.parametrize(("says", "call"), REFUSED)
def test_bad_input_is_refused_in_words(says: str, call: Callable[[], Any]) -> None:
    with pytest.raises(BadInput, match=says):
        call()
