"""The state carried from one token to the next, counted from a Hugging Face config: no weights, no torch.

config.json -> fields of the language model -> parts of each layer -> bytes, each with its formula
"""

from separatrix.state.from_config import UnknownFamily, config_state
from separatrix.state.report import LayerState, StateBytes

__all__ = ["LayerState", "StateBytes", "UnknownFamily", "config_state"]
