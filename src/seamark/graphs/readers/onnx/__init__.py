"""ONNX models: nodes and initializers, with the shapes that the file leaves out."""

from seamark.graphs.readers.onnx.model import from_onnx

__all__ = ["from_onnx"]
