"""Converts array-like values to NumPy arrays or numbers, without importing the library they come from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.write.queue.memory import Pool, pool

# Smaller arrays use NumPy's allocator, which reuses small blocks.
POOLED_BYTES = 128 << 10
# numpy.dtype.isbuiltin of a dtype that another library has registered.
_FOREIGN = 2


def as_number(value: Any) -> float:
    """One number from a Python number, or from an array or tensor of one element."""
    item = getattr(value, "item", None)
    try:
        return float(item() if item is not None else value)
    except (TypeError, ValueError) as error:
        array = as_array(value)
        if array.size == 1 and array.dtype.kind in "biuf":
            return float(array.reshape(-1)[0])
        raise TypeError(
            f"a scalar must be one number: got {type(value).__name__} of shape {list(array.shape)}, dtype {array.dtype}"
        ) from error


# TensorFlow rewrites Python functions that a tf.function calls, unless they have this attribute. Rewritten, float()
# would accept a tensor without a value and nothing would be logged; unchanged, TensorFlow raises an error.
as_number.__dict__["autograph_info__"] = {}


def as_array(value: Any) -> NDArray[Any]:
    """A view if possible. Torch tensors are detached and moved to the CPU; bfloat16 becomes float32."""
    if isinstance(value, np.ndarray):
        array = value
    elif hasattr(value, "detach"):
        array = _from_torch(value)
    elif hasattr(value, "numpy") and callable(value.numpy):
        array = np.asarray(value.numpy())  # TensorFlow
    elif hasattr(value, "dense_shape") and hasattr(value, "indices"):
        array = _from_sparse(value)
    else:
        array = np.asarray(value)  # JAX arrays, lists, numbers and objects with __array__
    # JAX and TensorFlow return dtypes of ml_dtypes: bfloat16, float8 and int4.
    return array.astype(np.float32) if array.dtype.isbuiltin == _FOREIGN else array


def as_copy(value: Any) -> NDArray[Any]:
    """A copy: the caller may change its array afterwards."""
    array = as_array(value)
    is_new = array is not value and array.flags.owndata and array.base is None and not _lends_its_memory(value)
    return array if is_new else copy_of(array)


def _lends_its_memory(value: Any) -> bool:
    """`__array__` may return the object's own array, as that of xarray and pandas does. TensorFlow's numpy() copies."""
    return hasattr(value, "__array__") and not isinstance(value, np.ndarray) and not hasattr(value, "numpy")


def copy_of(array: NDArray[Any]) -> NDArray[Any]:
    """Like `array.copy()`, but a large copy uses pooled memory, which is returned when the copy is freed."""
    if array.nbytes < POOLED_BYTES or array.dtype.hasobject:
        return array.copy()
    memory = np.asarray(_PooledMemory(pool, array.nbytes))
    copied: NDArray[Any] = memory.view(array.dtype).reshape(array.shape)
    np.copyto(copied, array)
    return copied


class _PooledMemory:
    """Memory of the pool. NumPy keeps this object alive as long as there is a view of it."""

    def __init__(self, owner: Pool, nbytes: int) -> None:
        self._pool, self._memory = owner, owner.take(nbytes)
        # Passed by address: given the mapping, NumPy would keep that alive instead of this object.
        self.__array_interface__ = np.frombuffer(self._memory, np.uint8, nbytes).__array_interface__

    def __del__(self) -> None:
        self._pool.give_back(self._memory)


def _from_sparse(value: Any) -> NDArray[Any]:
    """TensorFlow's SparseTensor and IndexedSlices, the type of an embedding's gradient."""
    values, indices = as_array(value.values), as_array(value.indices)
    dense = np.zeros(as_array(value.dense_shape), values.dtype)
    np.add.at(dense, tuple(indices.T) if indices.ndim > 1 else indices, values)  # an index may occur twice
    return dense


def _from_torch(tensor: Any) -> NDArray[Any]:
    plain = tensor.detach()
    if getattr(plain, "is_sparse", False):
        plain = plain.to_dense()
    plain = plain.cpu()
    resolve = getattr(plain, "resolve_conj", None)
    if resolve is not None:
        plain = resolve().resolve_neg()
    try:
        return np.asarray(plain.numpy())
    except TypeError:  # bfloat16 and the float8s have no NumPy dtype
        return np.asarray(plain.float().numpy())
