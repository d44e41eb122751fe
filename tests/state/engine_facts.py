"""The facts of `separatrix/state/engine.json`, read from the config classes of the installed transformers.

python -m tests.state.engine_facts        writes the file anew
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import separatrix.state
from separatrix.state.from_config import FAMILIES

FOLDER = Path(separatrix.state.__file__).parent
FILE = FOLDER / "engine.json"
ASKED = re.compile(r'\.(?:whole|optional|flag|names|numbers|section|value|absent)\("(\w+)"')
NAMED = re.compile(r'"(\w+)"')


@cache
def asked_names() -> set[str]:
    """Every field that some family reads, from its source, and those that mark a foreign state."""
    from separatrix.state.from_config import FOREIGN

    text = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py"))
    helpers = re.findall(
        r'(?:full_every\(\d+, |listing\(\w+, \w+, |_rounded_up\(\w+, \w+, |_else_called\(\w+, )"(\w+)"(?:, "(\w+)")?', text
    )
    result = set(ASKED.findall(text)) | {name for pair in helpers for name in pair if name} | set(FOREIGN)
    return (
        result
        | set(NAMED.findall(text.partition("names = {")[2].partition("}")[0]))
        | {"num_key_value_heads", "head_dim", "layer_types"} - {"dtype"}
    )


def facts(larger: Iterable[str] | None = None) -> dict[str, Any]:
    """What the file should hold for the installed version; `larger` are the larger configs to look at, all of them by default."""
    import transformers
    from transformers import CONFIG_MAPPING

    names = asked_names()
    types = {}
    for kind in sorted(FAMILIES):
        cls = CONFIG_MAPPING[kind]
        spellings = {k: v for k, v in cls.attribute_map.items() if k in names or v in names}
        own = names | set(spellings.values())
        defaults = {f.name: _default(f) for f in dataclasses.fields(cls) if f.name in own}
        never_null = sorted(
            f.name for f in dataclasses.fields(cls) if f.name in own and "None" not in str(f.type) and f.default is not None
        )
        types[kind] = {"defaults": dict(sorted(defaults.items())), "never_null": never_null, "spellings": dict(sorted(spellings.items()))}
    return {
        "version": transformers.__version__,
        "types": types,
        "wrappers": _wrappers(CONFIG_MAPPING, CONFIG_MAPPING if larger is None else larger),
    }


def _default(field: Any) -> Any:
    if field.default is not dataclasses.MISSING:
        return list(field.default) if isinstance(field.default, tuple) else field.default
    return field.default_factory() if field.default_factory is not dataclasses.MISSING else None


def _wrappers(mapping: Any, kinds: Iterable[str]) -> dict[str, Any]:
    from transformers.models.auto import modeling_auto

    generates = {
        *modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        *modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
        *modeling_auto.MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES,
        *modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    }
    results = {}
    for kind in kinds:
        path: list[str] = []
        cls = mapping[kind]
        for step in ("thinker_config", "text_config"):
            if step in cls.sub_configs_defaults:
                path.append(step)
                spec = cls.sub_configs_defaults[step]
                cls = spec.config_class
                if step == "text_config":
                    break
                continue
        speaks = kind in generates and not kind.endswith("_assistant")  # an assistant reads the cache of the model it assists
        if path[-1:] == ["text_config"] and speaks and kind not in FAMILIES:
            results[kind] = {
                "path": path,
                "type": spec.model_type,
                "fixed": cls.__name__ != "AutoConfig",
                "fills": _fills(mapping, kind, spec),
            }
    return dict(sorted(results.items()))


def _fills(mapping: Any, kind: str, spec: Any) -> dict[str, Any]:
    """What a larger config writes into a section that leaves it out, in place of the section's own defaults."""
    if spec.model_type not in FAMILIES:
        return {}
    names, init = asked_names(), spec.init_kwargs
    try:
        section = mapping[kind](text_config={"model_type": spec.model_type}).text_config
    except Exception:  # a class that needs more than the type says so in many ways, and fills in nothing
        return {}
    plain = mapping[spec.model_type]()
    filled = {name: init[name] for name in sorted(init) if name in names}
    return filled if any(getattr(section, name) != getattr(plain, name) for name in filled) else {}


if __name__ == "__main__":
    FILE.write_text(json.dumps(facts(), indent=1) + "\n", encoding="utf-8")
