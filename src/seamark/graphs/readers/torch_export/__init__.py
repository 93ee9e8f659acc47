"""Programs that torch.export saved."""

from seamark.graphs.readers.torch_export.program import from_torch_export

__all__ = ["from_torch_export"]
