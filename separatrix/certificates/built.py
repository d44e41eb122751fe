"""`Built`: exact weights with the claim about them; and `Trace`: one run in detail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from separatrix.certificates.claim import Claim, Layout, Step
from separatrix.certificates.files import write_folder
from separatrix.certificates.program import Program
from separatrix.checker import canonical
from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import Token
from separatrix.models.masks import Window
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.models.mixers.mixer import Mixer
from separatrix.models.mixers.register_file import RegisterFile
from separatrix.models.model import Model, read_positions
from separatrix.tasks import Task
from separatrix.tasks.capabilities import search_of, vector_tokens, vectors_of


@dataclass(frozen=True)
class Built:
    """Exact weights and how they are read, the claim about them, and the task they compute."""

    program: Program
    claim: Claim
    task: Task
    layouts: tuple[Layout, ...] = ()  # slots after the embedding and after each layer
    steps: Callable[[Trace], tuple[Step, ...]] | None = None  # the proof, explained on one run; not part of the model

    @property
    def model(self) -> Model:
        """The model of the program."""
        return self.program.model

    def heads(self, layer: int = 0) -> MultiHeadAttention:
        """The attention of a layer, counted from 0."""
        mixers = [part.mixer for part in self.model.each_layer()]
        if not any(isinstance(mixer, MultiHeadAttention) for mixer in mixers):
            raise BadInput(f"{self.claim.construction} is a recurrent model: expected a construction with attention")
        mixer = mixers[layer]
        if not isinstance(mixer, MultiHeadAttention):
            raise BadInput(f"{self.claim.construction}: layer {layer + 1} has no attention")
        return mixer

    def sizes(self) -> dict[str, Any]:
        """Layers, heads, widths and bits; no bits of state if they grow with the input."""
        return sizes(self.model)

    @property
    def generated_bits(self) -> int:
        """The size of the whole model as the paper counts it: every weight and token embedding, and what generates the positions.

        [bhattamishra2024 Section 2(3)] [bhattamishra2024 Appendix A(2)]

        Positions are generated from their number, so no table of them is stored; the rows of tokens that stand for vectors are left out, as
        vectors are inputs there. `representation_bits` has both tables.
        """
        sizes = self.sizes()
        return int(sizes["parameter_bits"] - sizes["precision_bits"] * sizes["width"] * vector_tokens(self.task))

    def generate(self, tokens: Sequence[Any]) -> tuple[Token, ...]:
        """The chain that the program writes after a prompt of the task, up to and with its stop token.

        A program that rounds writes integer tuples, and its stop token is the zero vector; `answer` reads what stands before it.
        An input outside the task's promise is refused: the program would run on, and what it writes means nothing.
        """
        if not self.task.total and self.task.answer(tokens) is None:
            why = getattr(self.task, "why_outside", None)  # a task may know
            because = why(tokens) if callable(why) else "the claim says nothing about it"
            raise BadInput(f"{self.task.name}: this input has no answer: {because}")
        return self.program.generate(self._prompt(tokens))

    def answer(self, tokens: Sequence[Any]) -> int | tuple[int, ...]:
        """The answer to one input: read at the last token, at every token, or from the end of the chain that the program writes."""
        if not self.program.writes:
            read: Any = self.program.answer(tokens)
            return read  # type: ignore[no-any-return]
        last: Any = self.generate(tokens)[-2]  # before the stop token
        return int(last[-1]) if isinstance(last, tuple) else int(last)

    def trace(self, tokens: Sequence[Any]) -> Trace:
        """One run: the stream after the embedding and after each layer, by slot, and what each mixer did.

        If the program writes, the run covers the prompt and its chain: at each step the model has read exactly that prefix.
        """
        if self.program.writes:
            return trace(self.model, [*self._prompt(tokens), *self.generate(tokens)[:-1]], self.layouts, everywhere=True)
        return trace(self.model, tokens, self.layouts)

    def _prompt(self, tokens: Sequence[Any]) -> Sequence[Any]:
        """What the model reads of an input of the task: its ids, or vectors."""
        vectors = None if self.model.config.embedding.reads == "tokens" else vectors_of(self.task, np.array([tokens]))
        return tokens if vectors is None else vectors[0][0].tolist()

    def explain(self, tokens: Sequence[Any]) -> tuple[Step, ...]:
        """The proof, step by step, with the model's values on this input; without a proof, what each layer did, or how a chain arose."""
        run = self.trace(tokens)
        if self.steps is not None:
            return self.steps(run)
        return chain_steps(self.task, run, len(tokens)) if self.program.writes and self.layouts else plain_steps(run)

    def document(self) -> dict[str, Any]:
        """claim.json: everything but the numbers."""
        return {
            "schema": "separatrix/claim",
            "version": 2,
            "construction": self.claim.construction,
            "cites": self.claim.cites,
            "claim": {"task": self.claim.task, "parameters": self.claim.task_parameters},
            "parameters": self.claim.parameters,
            "facts": self.claim.facts,
            "sizes": self.sizes(),
            "bounds": [{"part": b.part, "what": b.what, "value": b.value, "tolerance": b.tolerance} for b in self.claim.bounds],
            "slots": [[{"name": s.name, "start": s.start, "width": s.width} for s in layout.slots] for layout in self.layouts],
            "program": self.program.document(),
            "weights_sha256": hashlib.sha256(self.program.weights()).hexdigest(),
        }

    def save(self, folder: str | Path, onnx: bool = False) -> None:
        """`model.safetensors` and `claim.json`, and `model.onnx` for other engines; all or none."""
        files = {"model.safetensors": self.program.weights(), "claim.json": canonical(self.document()).encode()}
        write_folder(Path(folder), files | ({"model.onnx": self.onnx()} if onnx else {}))

    def onnx(self) -> bytes:
        """The model as an ONNX file: `tokens` [batch, length] -> `logits` [batch, length, targets], or [batch, 1, targets] at the end.

        An engine runs the model; how an answer is read from its logits is in the file's properties.
        """
        from separatrix.models.exported import onnx_bytes

        claim, document = self.claim, self.program.document()
        about = {"construction": claim.construction, "task": claim.task, "parameters": claim.task_parameters}
        texts = {key: canonical(value) for key, value in {**about, "decoder": document["decoder"]}.items()}
        return onnx_bytes(self.model, self.program.decoder.kind == "position", texts)


@dataclass(frozen=True)
class Trace:
    """The inner values of a model on one input. The last layer is recorded at the last token only, unless the program writes."""

    tokens: tuple[Any, ...]  # ids, or integer vectors for a model that reads vectors
    streams: tuple[Tensor, ...]  # after the embedding and after each layer: [n, width], the last one [1, width]
    inside: tuple[dict[str, Tensor], ...]  # per layer, the inner values of its mixer
    logits: Tensor  # [targets], at the last token
    layouts: tuple[Layout, ...]

    @property
    def vectors(self) -> bool:
        """Whether the model reads integer vectors, and rounds what it writes."""
        return not isinstance(self.tokens[0], int)

    @property
    def attention(self) -> tuple[Tensor, ...]:
        """Per layer: [heads, n, n], the last one [heads, 1, n]; a mixer without attention has no heads."""
        n = len(self.tokens)
        return tuple(
            shown.get("attention", torch.zeros(0, len(stream), n)) for shown, stream in zip(self.inside, self.streams[1:], strict=True)
        )

    def slot(self, layer: int, name: str) -> Tensor:
        """The values of a slot after `layer` layers (0 is the embedding), [n, width of the slot]."""
        return self.streams[layer][:, self.layouts[layer].where(name)]


def trace(model: Model, tokens: Sequence[Any], layouts: tuple[Layout, ...] = (), everywhere: bool = False) -> Trace:
    """Run a model on one input and record everything."""
    row = torch.tensor([list(tokens)], dtype=torch.int64)
    model.need_tokens(row)
    numbers, at = model.numbers, None if everywhere else read_positions(row, -1)
    with torch.no_grad():
        x = numbers.enter(model.embedding(row))
        streams, inside = [numbers.leave(x)[0]], []
        for index, layer in enumerate(model.each_layer(), 1):
            where = at if index == len(model.layers) else None
            shown = {} if layer.mixer is None else layer.mixer.inside(layer.normed(x), where)
            x = layer(x, where)
            streams.append(numbers.leave(x)[0])
            inside.append({name: tensor[0] for name, tensor in shown.items()})
        logits = model.logits(x)[0, -1]
    return Trace(tuple(tokens), tuple(streams), tuple(inside), logits, layouts)


def plain_steps(trace: Trace) -> tuple[Step, ...]:
    """One step for each layer: where each head looked, what the registers hold; then the answer, token by token if the program writes."""
    steps = []
    for number, (shown, stream) in enumerate(zip(trace.inside, trace.streams[1:], strict=True), 1):
        values: dict[str, Any] = {}
        for head, weights in enumerate(shown.get("attention", ()), 1):
            places = weights.argmax(dim=-1)
            pairs = zip(places.tolist(), weights.gather(1, places[:, None])[:, 0].tolist(), strict=True)
            values[f"head {head} looks at"] = [f"place {place + 1} with weight {share:.3g}" for place, share in pairs]
        if "registers" in shown:
            values["registers at the end"] = [round(value, 6) for value in shown["registers"][-1].tolist()]
        says = f"What its mixer did, at {len(stream)} of {len(trace.tokens)} tokens." if values else "It works on each token alone."
        steps.append(Step(f"layer {number}", says, values))
    return (*steps, Step("answer", "The largest logit at the last token.", {"says": int(trace.logits.argmax())}))


def chain_steps(task: Task, run: Trace, prompt: int) -> tuple[Step, ...]:
    """One step for each token of a chain: which words the heads read before it was written, and the slots that each layer changed."""
    words = [_shown(task, token) for token in run.tokens]
    last = [round(value) for value in run.logits.tolist()] if run.vectors else int(run.logits.argmax())
    said = [*words[prompt:], _shown(task, last)]
    steps = []
    for at, word in enumerate(said, prompt - 1):
        values: dict[str, Any] = {}
        for number, (weights, layout) in enumerate(zip(run.attention, run.layouts[1:], strict=True), 1):
            for head, row in enumerate(weights[:, at], 1):
                place = int(row.argmax())
                share = "" if float(row[place]) > 0.999 else f", weight {float(row[place]):.3g}"
                values[f"layer {number}, head {head} reads"] = f"{words[place]} at {place + 1}{share}"
            before, after = run.streams[number - 1][at], run.streams[number][at]
            for slot in layout.slots:
                part = layout.where(slot.name)
                if not torch.equal(before[part], after[part]):
                    values[f"layer {number}, {slot.name}"] = [round(value, 6) for value in after[part].tolist()]
        search = search_of(task)
        found = search is not None and run.tokens[at] == search.end
        steps.append(Step(f"token {at + 2}: {word}", f"The {'search finds' if found else 'program writes'} it.", values))
    return tuple(steps)


def _shown(task: Task, token: Any) -> str:
    """A token as text, or a vector."""
    return task.text([token]) if isinstance(token, int) else f"({', '.join(map(str, token))})"


def sizes(model: Model) -> dict[str, Any]:
    """The costs of the model, counted here and again by the checker: shape, bits of state, and everything stored.

    [bhattamishra2024 Section 2(3); parameter bits count embeddings as generated, representation bits as tabulated]

    Bits of state are those that cross from one token to the next; there is no such number if every layer attends and a cache grows with the
    input, and where some layers are recurrent it is counted at the longest input.
    Parameter bits count what is stored; the representation also tabulates every generated embedding.
    """
    config, bits = model.config, model.numbers.format.bits
    mixers = [layer.mixer for layer in model.each_layer() if layer.mixer is not None]
    heads: list[Any] = [layer.mixer for layer in config.layers if hasattr(layer.mixer, "key_width")]  # of whatever kind
    held = [(mixer, _state_bits(mixer, bits)) for mixer in mixers]
    states, attending = [state for _, state in held], [mixer for mixer in mixers if isinstance(mixer, MultiHeadAttention)]
    stored = bits * sum(parameter.numel() for parameter in model.parameters())
    stored += sum(_buffer_bits(tensor, module) for module in model.modules() for tensor in module.buffers(recurse=False))
    generated = bits * config.width * (config.embedding.numbers + (config.length if config.embedding.places else 0))
    return {
        "layers": len(config.layers),
        "heads": max((head.heads for head in heads), default=0),
        "width": config.width,
        "key_width": max((head.key_width for head in heads), default=0),
        "value_width": max((head.value_width for head in heads), default=0),
        "hidden": max((layer.feedforward.hidden for layer in config.layers if layer.feedforward is not None), default=0),
        "state_bits": None if None in states and len(attending) == len(mixers) else sum(_held(m, s, config.length, bits) for m, s in held),
        "precision_bits": bits,
        "parameter_bits": stored,
        "representation_bits": stored + generated,
    }


def _state_bits(mixer: Mixer, bits: int) -> int | None:
    """Bits that a mixer carries once the input is long; None if they grow without bound."""
    if isinstance(mixer, MultiHeadAttention):
        mask, heads = mixer.config.mask, mixer.config
        return (mask.size - 1) * heads.heads * (heads.key_width + heads.value_width) * bits if isinstance(mask, Window) else None
    return mixer.state_bits(1, bits)


def _held(mixer: Mixer, state: int | None, length: int, bits: int) -> int:
    """Bits of state of a mixer; of a cache that grows, those at the longest input."""
    return mixer.state_bits(length, bits) if state is None else state


def _buffer_bits(tensor: Tensor, owner: nn.Module) -> int:
    """A generator is a matrix of bits; a register has the bits of the last register of its file, a pointer those of the largest stored."""
    if tensor.dtype == torch.uint8:
        return tensor.numel()
    largest = owner.config.registers + owner.config.scratch - 1 if isinstance(owner, RegisterFile) else int(tensor.max())
    return tensor.numel() * max(1, largest.bit_length())
