"""A causal language model in a Hugging Face folder, read as any other model: ids of a task are ids of its vocabulary, no tokenizer.

[hf] transformers must be installed. Weights are safetensors; pickles are refused, and code that a folder refers to is never run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from separatrix.errors import BadInput
from separatrix.runs.measured_state import quietly
from separatrix.runs.state_of import state_bytes
from separatrix.tasks import Task

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
TOKENIZER = "tokenizer.json"
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
CAUSAL_AT = 4  # tokens before the change of the sequence on which a model is tried out


class HuggingFaceModel(nn.Module):
    """tokens [b, n] -> logits [b, n, targets]: those of the first `targets` ids."""

    def __init__(self, model: nn.Module, targets: int, folder: Path) -> None:
        super().__init__()
        self.model, self.targets, self.folder = model, targets, folder

    def forward(self, tokens: Tensor) -> Tensor:
        """Without a cache: every row is read from its first token."""
        output: Any = self.model(input_ids=tokens, use_cache=False)
        logits: Tensor = output.logits
        return logits[..., : self.targets]

    def state_bits(self, length: int, dtype: str = "float32") -> int:
        """Bits of its state that can still change a later output, by the formula of its config."""
        return 8 * state_bytes(self.folder, length, dtype).needed


def configuration_in(folder: Path) -> Any:
    """The configuration of a causal language model in a folder; its weights are not looked at."""
    try:
        import transformers
    except ImportError as error:
        raise BadInput("Hugging Face models need transformers: pip install 'separatrix[hf]'") from error
    with quietly(transformers):
        try:
            config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        except Exception as error:  # whatever a strange folder makes the library raise
            about = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise BadInput(f"{str(folder)!r} cannot be loaded: {about}") from error
        if type(config) not in transformers.AutoModelForCausalLM._model_mapping:
            raise BadInput(f"{str(folder)!r}: {config.model_type} is not a causal language model")
    return config


def load_hugging_face(folder: Path, task: Task) -> HuggingFaceModel:
    """The model of a folder, if it knows the tokens of a task and reads from left to right."""
    model, known = _pretrained(folder)
    if known < max(task.vocabulary, task.targets):
        raise BadInput(f"{str(folder)!r} knows {known} tokens; {task.name} at N = {task.length} has {max(task.vocabulary, task.targets)}")
    wrapped = HuggingFaceModel(model, task.targets, folder).eval()
    refuse_looking_ahead(wrapped, task, str(folder))
    return wrapped


def load_text_model(folder: Path) -> tuple[HuggingFaceModel, Any]:
    """The model of a folder with every id of its vocabulary, and its tokenizer, read from tokenizer.json."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # the library has one exception for everything
        raise BadInput(f"{str(folder / TOKENIZER)!r} is not a tokenizer: {' '.join(str(error).split())[:200]}") from error
    model, known = _pretrained(folder)
    if tokenizer.get_vocab_size() > known:
        raise BadInput(f"{str(folder)!r}: the tokenizer has {tokenizer.get_vocab_size()} ids, the model knows {known}")
    return HuggingFaceModel(model, known, folder).eval(), tokenizer


def _pretrained(folder: Path) -> tuple[nn.Module, int]:
    """The model of a folder, and how many ids it knows."""
    _refuse_pickles(folder)
    config = configuration_in(folder)
    import transformers

    with quietly(transformers):
        try:
            model = transformers.AutoModelForCausalLM.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False, use_safetensors=True, attn_implementation="eager", dtype="auto"
            )
        except Exception as error:  # whatever a strange folder makes the library raise
            about = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise BadInput(f"{str(folder)!r} cannot be loaded: {about}") from error
    return model, int(config.get_text_config().vocab_size)


def refuse_looking_ahead(model: nn.Module, task: Task, name: str) -> None:
    """Refuse a model whose outputs change with later tokens."""
    tokens = torch.as_tensor(task.sample(0, 4).tokens)
    cut = min(CAUSAL_AT, tokens.shape[1] - 1)
    if cut < 1:
        return
    other = torch.cat([tokens[:, :cut], tokens[:, cut:].roll(1, dims=0)], dim=1)
    other[:, -1] = (other[:, -1] + 1) % task.vocabulary
    try:
        with torch.no_grad():
            one, two = (model(rows)[:, :cut] for rows in (tokens, other))
    except Exception as error:
        about = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise BadInput(f"{name} fails on tokens {list(tokens.shape)}: {about}") from error
    if not torch.allclose(one, two, rtol=1e-3, atol=1e-4):
        raise BadInput(f"{name} is not causal: its outputs at the first {cut} tokens change with later ones")


def _refuse_pickles(folder: Path) -> None:
    if not any((folder / name).is_file() for name in WEIGHTS):
        pickles = sorted(path.name for pattern in PICKLES for path in folder.glob(pattern))
        found = f"found {pickles[0]}, a pickle, which may run code" if pickles else "found no weights"
        raise BadInput(f"{str(folder)!r}: expected {WEIGHTS[0]}; {found}")
