"""Fresh weights, a function of the seed alone: mixers initialise themselves, the rest is scaled for its neighbours."""

from __future__ import annotations

import math

import torch

from separatrix.models.config import ModelConfig
from separatrix.models.model import Model

SMALL = 0.02  # deviation of weights beside a residual stream, as in GPT-2


def initialised(config: ModelConfig, seed: int, deviation: float, readout: float | None = None) -> Model:
    """A model to be trained: matrices normal with this deviation, those that write into the stream smaller by sqrt(2 layers).

    `readout` is the deviation of the read-out; None starts it as torch starts linear maps.
    """
    with (
        torch.random.fork_rng(devices=[]),
        torch.no_grad(),
        torch.device("cpu"),  # the weights of a seed are the same on every device
    ):  # a recurrent cell, or a user's module, draws random numbers in its constructor
        torch.manual_seed(seed)
        model = Model(config)
        model.readout.start(readout)
        shrink = 1 / math.sqrt(2 * max(1, len(model.layers)))
        model.embedding.start(deviation)
        for layer in model.each_layer():
            for part in (layer.mixer, layer.feedforward):
                if part is not None:
                    part.start(deviation, shrink)
    return model.to(torch.get_default_device())
