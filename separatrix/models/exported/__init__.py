"""A model as an ONNX graph: the same weights, for engines that know nothing of this package."""

from separatrix.models.exported.model import onnx_bytes

__all__ = ["onnx_bytes"]
