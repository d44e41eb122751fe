"""Any list of mixers, one above the other, between an embedding and a linear read-out.

    residual   x <- x + mixer(norm(x)),  x <- x + FF(norm(x))   Transformer blocks, with any mixer for the attention
    bare       x <- mixer(x)                                    how recurrent networks are stacked

    sx.model("stack", mixers=("attention", "my_file.py:Conv"), vocabulary=..., targets=..., heads=2)

A setting that is not the stack's own goes to every mixer that knows it: `heads=2`, `state=8`, or a parameter of a user's mixer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, MixerConfig, ModelConfig, Norm, ReadoutConfig
from separatrix.models.initialisation import SMALL, initialised
from separatrix.models.layer_styles import LayerStyle
from separatrix.models.mixers import MIXERS
from separatrix.models.mixers.user import WIDTHS, UserConfig, maker_of
from separatrix.models.model import Model
from separatrix.models.transformer import need_deviation, need_dropout, need_sizes, places
from separatrix.naming import content_hash, find
from separatrix.parameters import convert, parameters, typed

Positions = Literal["learned", "sinusoidal", "none"]
Settings = Mapping[str, Any]


def stack(
    vocabulary: int,
    targets: int,
    mixers: tuple[str, ...] = ("attention", "lstm"),
    width: int = 64,
    length: int = 512,
    positions: Positions = "learned",
    feedforward: bool | None = True,
    dropout: float = 0.0,
    deviation: float | None = None,
    seed: int = 0,
    settings: Settings | None = None,
) -> Model:
    """Residual blocks around any list of mixers; `length` is the longest input, in tokens, for learned positions.

    `feedforward` says whether a feed-forward part follows each mixer; None: if that is usual for the mixer. `deviation` is that of the
    initial weights which no mixer starts in a way of its own, as for a Transformer; None: what is usual.
    """
    need_sizes("stack", vocabulary=vocabulary, targets=targets, width=width, length=length, mixers=len(mixers))
    need_dropout("stack", dropout)
    need_deviation("stack", deviation)
    configured = mixer_configs("stack", mixers, width, settings or {})
    styles = [LayerStyle(True, mixer.style.feedforward if feedforward is None else feedforward, False) for mixer in configured]
    embedding = EmbeddingConfig(vocabulary, places=places("stack", positions, width, length))
    return _stacked(embedding, targets, width, configured, styles, length if positions == "learned" else 0, dropout, deviation, seed)


def layers_of(
    mixer: str,
    vocabulary: int,
    targets: int,
    width: int = 64,
    layers: int = 1,
    length: int = 512,
    positions: Positions | None = None,
    feedforward: bool | None = None,
    dropout: float = 0.0,
    deviation: float | None = None,
    seed: int = 0,
    settings: Settings | None = None,
) -> Model:
    """Several layers of one mixer, stacked as is usual for it; settings that are None follow that usage."""
    need_sizes(mixer, vocabulary=vocabulary, targets=targets, width=width, layers=layers, length=length)
    need_dropout(mixer, dropout)
    need_deviation(mixer, deviation)
    configured = mixer_configs(mixer, (mixer,), width, settings or {}) * layers
    usual = configured[0].style
    where: Positions = positions or ("learned" if usual.positions else "none")
    style = LayerStyle(usual.residual, usual.feedforward if feedforward is None else feedforward, usual.positions)
    embedding = EmbeddingConfig(vocabulary, places=places(mixer, where, width, length))
    return _stacked(embedding, targets, width, configured, [style] * layers, length if where == "learned" else 0, dropout, deviation, seed)


def mixer_configs(what: str, names: Sequence[str], width: int, settings: Settings) -> list[MixerConfig]:
    """The configurations of mixers by name; every setting must be known to one of them."""
    known = own_parameters(names)
    for key in settings:
        if key not in known:
            raise BadInput(f"{what} has no parameter {key!r}: its mixers have {', '.join(known) or 'none'}")
    return [_mixer(name, _maker(name), width, settings) for name in names]


def own_parameters(names: Sequence[str]) -> list[str]:
    """The parameters of these mixers, except the width, which the stack sets."""
    return sorted({key for name in names for key in parameters(_maker(name)) if key not in WIDTHS})


def _maker(name: str) -> Any:
    return maker_of(name) if ":" in name and name not in MIXERS else find(name, MIXERS, "mixer")


def _mixer(name: str, maker: Any, width: int, settings: Settings) -> MixerConfig:
    known, what = parameters(maker), f"mixer {name}"
    own = {key: convert(value, known[key].type, f"{key} of {what}") for key, value in settings.items() if key in known}
    if name not in MIXERS:
        return UserConfig(name, content_hash(name), tuple(own.items()))
    config: MixerConfig = maker(**typed(maker, {**{key: width for key in known if key in WIDTHS}, **own}, what))
    return config


def _stacked(
    embedding: EmbeddingConfig,
    targets: int,
    width: int,
    mixers: Sequence[MixerConfig],
    styles: Sequence[LayerStyle],
    length: int,
    dropout: float,
    deviation: float | None,
    seed: int,
) -> Model:
    residual = styles[0].residual
    norm: Norm = "layer" if residual else "none"
    hidden = FeedForwardConfig(4 * width, "gelu")
    layers = tuple(
        LayerConfig(mixer, hidden if style.feedforward else None, residual, norm) for mixer, style in zip(mixers, styles, strict=True)
    )
    config = ModelConfig(embedding, layers, ReadoutConfig(targets, norm), width, length=length, dropout=dropout)
    usual = SMALL if residual else 1.0  # a residual stream starts small; a recurrent cell needs inputs of size 1
    return initialised(config, seed, usual if deviation is None else deviation, readout=deviation)
