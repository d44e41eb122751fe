"""One architecture inside another, as maps of weights: each takes a model and returns a model that gives the same logits.

    with_idle_layer    one more residual layer, of any mixer, that adds nothing                  any residual model
    as_hybrid          an idle attention layer above: a stack of two kinds contains each of them
    with_idle_head     one more head that adds nothing                                           attention, linear attention, retention
    wider              a wider stream: padded by zeros, or stored several times under norms       any residual model
    deltanet_as_gated_deltanet, linear_rnn_as_relu_rnn, elman_as_gru                               by their formulas
    causal_as_window, causal_as_block_sparse, linear_rnn_as_dss                                    for inputs up to a length

A stream with norms is not padded by zeros: mean and mean square would change; `wider` then takes multiples of the width only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import torch
from torch import Tensor

from separatrix.errors import BadInput
from separatrix.models.config import LayerConfig, MixerConfig, ModelConfig
from separatrix.models.masks import BlockSparse, Causal, Mask, Window
from separatrix.models.mixers.attention import AttentionConfig, attention
from separatrix.models.mixers.deltanet import DeltaNetConfig
from separatrix.models.mixers.dss import DssConfig
from separatrix.models.mixers.elman import ElmanConfig
from separatrix.models.mixers.gated_deltanet import GatedDeltaNetConfig
from separatrix.models.mixers.gru import GruConfig
from separatrix.models.mixers.linear_attention import LinearAttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.mixers.relu_rnn import ReluRnnConfig
from separatrix.models.mixers.retnet import RetNetConfig
from separatrix.models.model import Model
from separatrix.models.saved import filled

Tensors = dict[str, Tensor]
OPEN = 80.0  # sigma(80) = 1, and sigma(-80) times anything disappears beside a number of its size
GATE = 64.0  # silu(64) = 64
FROZEN = -1000.0  # e^-1000 = 0
STILL = -40.0  # waves lose a share of e^-40 a token, less than rounding does


def with_idle_layer(model: Model, mixer: MixerConfig | None = None, at: int | None = None) -> Model:
    """One more layer that leaves the stream as it is, above the others or at a place from 0 on; by default of the last kind."""
    config = model.config
    if not all(layer.residual for layer in config.layers):
        raise BadInput("an idle layer needs residual connections: expected a residual model")
    index, last = len(config.layers) if at is None else at, config.layers[-1]
    added = LayerConfig(mixer or last.mixer, last.feedforward, residual=True, norm=last.norm)
    larger = replace(config, layers=(*config.layers[:index], added, *config.layers[index:]))
    fresh, old = _blank(larger, model), model.state_dict()
    for name, tensor in fresh.items():
        if not name.startswith("layers."):
            fresh[name] = old[name]
            continue
        number, rest = name.split(".", 2)[1:]
        if int(number) != index:
            fresh[name] = old[f"layers.{int(number) - (int(number) > index)}.{rest}"]
        elif rest.startswith(("mixer.out", "feedforward.outer")):
            fresh[name] = torch.zeros_like(tensor)
    return filled(larger, fresh)


def as_hybrid(model: Model, heads: int = 1) -> Model:
    """The model with an idle attention layer above: half of a hybrid, the other half at rest."""
    return with_idle_layer(model, attention(model.config.width, heads))


def with_idle_head(model: Model, layer: int = 0) -> Model:
    """One more head, after the others, whose output is multiplied by 0."""
    mixer = model.config.layers[layer].mixer
    if not isinstance(mixer, AttentionConfig | LinearAttentionConfig | RetNetConfig):
        raise BadInput("an idle head needs heads side by side: expected attention, linear attention or retention")
    return _grown(model, _with_mixer(model.config, layer, replace(mixer, heads=mixer.heads + 1)))


def wider(model: Model, width: int) -> Model:
    """The same in a stream of this width: zeros behind it, or under norms the whole stream stored several times."""
    config = model.config
    if not all(layer.residual for layer in config.layers):
        raise BadInput("a bare cell is as wide as its state: expected a residual model")
    if width < config.width:
        raise BadInput(f"expected a width of at least {config.width}, found {width}")
    normed = config.readout.norm != "none" or any(layer.norm != "none" for layer in config.layers)
    if normed and width % config.width:
        raise BadInput(f"norms see every number of the stream: expected a multiple of the width {config.width}, found {width}")
    embedding = config.embedding
    places = tuple(replace(place, dims=width) if not place.projected else place for place in embedding.places)
    number = embedding.number_address
    number = replace(number, dims=width) if number is not None and not number.projected else number
    larger = replace(config, width=width, embedding=replace(embedding, places=places, number_address=number))
    return _grown(model, larger, width // config.width if normed else 1)


def deltanet_as_gated_deltanet(model: Model) -> Model:
    """Nothing fades (e^a = 0), and the gate is silu(64) of a coordinate that is 1 at every token; O is divided by 64."""
    if model.config.readout.norm != "none" or any(layer.norm != "none" for layer in model.config.layers):
        raise BadInput("the gate needs a number that is 1 at every token: expected a model without norms")
    wide = wider(model, model.config.width + 1)
    layers, tensors = [], dict(wide.state_dict())
    tensors["embedding.table"] = tensors["embedding.table"].clone()
    tensors["embedding.table"][:, -1] = 1
    for i, layer in enumerate(wide.config.layers):
        mixer, part = layer.mixer, f"layers.{i}.mixer."
        if not isinstance(mixer, DeltaNetConfig):
            raise BadInput("expected layers of DeltaNet alone")
        sizes = (mixer.heads, mixer.key_width, mixer.value_width, mixer.convolution, mixer.negative)
        layers.append(replace(layer, mixer=GatedDeltaNetConfig(*sizes)))
        out = tensors[part + "out"]
        gate = out.new_zeros(out.shape[1], wide.config.width)
        gate[:, -1] = GATE
        rates = {"rate": out.new_zeros(mixer.heads, wide.config.width), "rate_bias": out.new_zeros(mixer.heads)}
        tensors |= {part + name: tensor for name, tensor in rates.items()}
        tensors |= {part + "decay": out.new_full((mixer.heads,), FROZEN), part + "gate": gate, part + "out": out / GATE}
    return filled(replace(wide.config, layers=tuple(layers)), tensors)


def linear_rnn_as_relu_rnn(model: Model) -> Model:
    """h = relu(u) - relu(-u): two hidden units for every number."""
    layers, tensors = [], dict(model.state_dict())
    for i, layer in enumerate(model.config.layers):
        mixer, part = layer.mixer, f"layers.{i}.mixer."
        if not isinstance(mixer, LinearRnnConfig):
            raise BadInput("expected layers of linear-rnn alone")
        k = mixer.state
        layers.append(replace(layer, mixer=ReluRnnConfig(k, 2 * k)))
        A, B = tensors[part + "transition"], tensors[part + "drive"]
        eye = torch.eye(k, dtype=A.dtype)
        tensors |= {
            part + "transition": torch.cat([A, -A]),
            part + "drive": torch.cat([B, -B]),
            part + "back": torch.cat([eye, -eye], dim=1),
        }
        tensors |= {part + "bias": A.new_zeros(2 * k), part + "initial": A.new_zeros(k)}
    return filled(replace(model.config, layers=tuple(layers)), tensors)


def elman_as_gru(model: Model) -> Model:
    """The reset gate is open and the update gate shut for good."""
    layers, tensors = [], dict(model.state_dict())
    for i, layer in enumerate(model.config.layers):
        part = f"layers.{i}.mixer.kernel."
        if not isinstance(layer.mixer, ElmanConfig):
            raise BadInput("expected Elman networks alone")
        layers.append(replace(layer, mixer=GruConfig()))
        for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"):
            own = tensors[part + name]
            gates = torch.zeros_like(own)
            both = (gates + OPEN, gates - OPEN) if name == "bias_ih_l0" else (gates, gates)
            tensors[part + name] = torch.cat([*both, own])
    return filled(replace(model.config, layers=tuple(layers)), tensors)


def causal_as_window(model: Model, length: int) -> Model:
    """A window that sees all of an input of up to `length` tokens."""
    return _masked(model, Window(length))


def causal_as_block_sparse(model: Model, length: int) -> Model:
    """One local block that sees all of an input of up to `length` tokens."""
    return _masked(model, BlockSparse(length, 1, 1))


def linear_rnn_as_dss(model: Model, length: int) -> Model:
    """Impulse responses of `length` tokens, as sums of waves that do not fade, in a stream that shows numbers several times.

    k_j = C A^j B says how a number of the stream reaches another after j tokens. A channel of DSS reads one number only, so each such pair
    has two channels, that convolve with k and with -k, and gelu(y) - gelu(-y) = y. The waves turn by 2 pi n / M a token, M >= length, and
    the discrete Fourier transform of k is what they weigh. Right up to the rounding of floats, and what fades, by e^-40 a token.
    """
    config, tensors, D = model.config, model.state_dict(), model.config.width
    plain = config.readout.norm == "none" and all(layer.norm == "none" for layer in config.layers)
    if not plain or set(tensors) & {"embedding.positions"} or config.embedding.places or config.embedding.number_address is not None:
        raise BadInput("expected layers of linear-rnn without norms, and an embedding of tokens alone")
    waves = -(-length // 2) + 1
    responses = [_responses(tensors, f"layers.{i}.mixer.", length) if layer.mixer else {} for i, layer in enumerate(config.layers)]
    copies = [max(2 * sum(source == s for _, source in pairs) for pairs in responses) for s in range(D)]
    shows = torch.tensor([*range(D), *(s for s in range(D) for _ in range(copies[s]))])  # the number that each number of the stream is
    first = [D + sum(copies[:s]) for s in range(D)]
    written = {
        name: tensor[:, shows] if name == "embedding.table" else tensor[shows]
        for name, tensor in tensors.items()
        if name.endswith(("embedding.table", ".outer", ".outer_bias"))
    }
    layers = []
    for i, (layer, pairs) in enumerate(zip(config.layers, responses, strict=True)):
        if layer.mixer is None:
            layers.append(layer)
            continue
        layers.append(replace(layer, mixer=DssConfig(waves)))
        reading, out, used = torch.zeros(len(shows), waves, 2).double(), torch.zeros(D, len(shows)).double(), list(first)
        for (target, source), response in pairs.items():
            for sign in (1, -1):
                reading[used[source]], out[target, used[source]] = sign * _weighed(response, waves), sign
                used[source] += 1
        written |= {f"layers.{i}.mixer.{name}": tensor for name, tensor in _turning(waves, len(shows)).items()}
        written |= {f"layers.{i}.mixer.reading": reading, f"layers.{i}.mixer.out": out[shows]}
    larger = replace(config, width=len(shows), layers=tuple(layers))
    for name, blank in _blank(larger, model).items():
        if name in written:
            continue
        written[name] = torch.zeros_like(blank)  # what reads the stream reads its first numbers
        written[name][tuple(slice(0, size) for size in tensors[name].shape)] = tensors[name]
    dtype = model.embedding.table.dtype
    return filled(larger, {name: tensor.to(dtype) for name, tensor in written.items()})


def _responses(tensors: Tensors, part: str, length: int) -> dict[tuple[int, int], Tensor]:
    """(target, source): the numbers k_0 .. k_(length - 1), where not all are 0."""
    A, B, C = (tensors[part + name].double() for name in ("transition", "drive", "out"))
    reached, every = B, []
    for _ in range(length):
        every.append(C @ reached)
        reached = A @ reached
    k = torch.stack(every, dim=-1)
    return {(int(i), int(s)): k[i, s] for i, s in k.abs().amax(dim=-1).nonzero()}


def _turning(waves: int, width: int) -> Tensors:
    """Steps of 1, and waves that turn by 2 pi n / M; nothing is skipped."""
    turns = torch.arange(waves).double() * math.pi / (waves - 1)
    return {
        "fading": torch.full((waves,), STILL).double(),
        "turning": turns,
        **{name: torch.zeros(width).double() for name in ("log_step", "skip", "out_bias")},
    }


def _weighed(response: Tensor, waves: int) -> Tensor:
    """W, [waves, 2], of a channel that convolves with the response: its transform, and what (a - 1) / lambda multiplies it by."""
    M = 2 * (waves - 1)
    c = torch.fft.rfft(response, n=M) / M
    c[1:-1] *= 2  # a wave and its conjugate
    rates = torch.complex(torch.full((waves,), -math.exp(STILL)).double(), torch.arange(waves).double() * math.pi / (waves - 1))
    return torch.view_as_real(c * rates / torch.expm1(rates))


INCLUSIONS: Mapping[str, Callable[..., Model]] = {
    "one more layer": with_idle_layer,
    "hybrid": as_hybrid,
    "one more head": with_idle_head,
    "wider stream": wider,
    "deltanet in gated-deltanet": deltanet_as_gated_deltanet,
    "linear-rnn in relu-rnn": linear_rnn_as_relu_rnn,
    "elman in gru": elman_as_gru,
    "linear-rnn in dss": linear_rnn_as_dss,
    "transformer in window": causal_as_window,
    "transformer in block-sparse": causal_as_block_sparse,
}


def _masked(model: Model, mask: Mask) -> Model:
    config = model.config
    for index, layer in enumerate(config.layers):
        if not isinstance(layer.mixer, AttentionConfig) or not isinstance(layer.mixer.mask, Causal):
            raise BadInput("expected layers of causal attention alone")
        config = _with_mixer(config, index, replace(layer.mixer, mask=mask))
    return filled(config, model.state_dict())


def _with_mixer(config: ModelConfig, index: int, mixer: MixerConfig) -> ModelConfig:
    layers = [*config.layers]
    layers[index] = replace(layers[index], mixer=mixer)
    return replace(config, layers=tuple(layers))


def _blank(config: ModelConfig, like: Model) -> Tensors:
    """The tensors of a model that is not filled in yet, in the type of another."""
    dtype = like.embedding.table.dtype
    return {name: t.to(dtype) if t.is_floating_point() else t for name, t in Model(config).state_dict().items()}


def _grown(model: Model, larger: ModelConfig, copies: int = 1) -> Model:
    """Every tensor with zeros where it has grown; what writes into the stream, and its norms, `copies` times."""
    tensors = {}
    for name, blank in _blank(larger, model).items():
        old = model.state_dict()[name]
        grown = torch.zeros_like(blank)
        axis = 0 if grown.dim() == 1 or old.shape[0] != grown.shape[0] else 1
        written = (
            name.startswith("embedding.")
            or name.endswith((".out", ".out_bias", ".outer", ".outer_bias"))
            or ".norm." in name
            or "before_" in name
        )
        times = copies if written and old.shape != grown.shape else 1
        grown[tuple(slice(0, size * (times if i == axis else 1)) for i, size in enumerate(old.shape))] = torch.cat([old] * times, dim=axis)
        tensors[name] = grown
    return filled(larger, tensors)
