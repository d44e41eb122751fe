"""What reads one place does it with hard attention as well: the weights of a softmax construction, with the first maximum in place of it.

A head that puts nearly all of its weight on one token, and whose layer rounds away what the others add, loses nothing if it reads that
token alone. Where several tokens share the largest logit they carry the same, and the first is read; what averages or counts is not here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.model import Model
    from separatrix.tasks import Task


def hardened(model: Model) -> Model:
    """These weights, where every head reads the first token with the largest logit."""
    from separatrix.models.mixers.attention import AttentionConfig
    from separatrix.models.saved import filled

    layers = []
    for layer in model.config.layers:
        assert isinstance(layer.mixer, AttentionConfig)
        layers.append(replace(layer, mixer=replace(layer.mixer, scores="hard")))
    return filled(replace(model.config, layers=tuple(layers)), model.state_dict())


def with_hard_attention(soft: Construction, *quick: Settings) -> Construction:
    """The declaration of `TASK/hard-attention`, which stands beside that of its soft twin."""
    name = f"{soft.task}/hard-attention"

    def settings(arithmetic: str) -> dict[str, Any]:
        return {own: parameter.default for own, parameter in soft.settings.items()} | {"arithmetic": arithmetic}

    def build(task: Task, arithmetic: str = "float64") -> Built:
        built = soft.build(task, **settings(arithmetic))
        program = replace(built.program, model=hardened(built.model).eval())
        claim = replace(built.claim, construction=name, cites="", parameters={}, facts={})
        return replace(built, program=program, claim=claim, steps=None)  # the steps of its twin speak of shares of a softmax

    def sizes(task: Task, arithmetic: str) -> Sizes:
        return soft.formula(task, **settings(arithmetic))

    return replace(
        soft, name=name, cites="", architecture=Architecture.HARD_ATTENTION, build=build, formula=sizes, quick=quick, variants=({},),
        paper_says="",
    )  # fmt: skip
