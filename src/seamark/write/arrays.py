"""Anything array-like to NumPy, or to a number, without importing the library it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.write.memory import Pool, pool

# Smaller arrays come from what NumPy's allocator has at hand.
POOLED_BYTES = 128 << 10
# What NumPy says of a dtype that another library has registered.
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


# TensorFlow rewrites the Python that a tf.function calls, unless it has this mark. Rewritten, float() would take a
# tensor that has no value yet, and nothing would be logged; like this, TensorFlow says what is wrong.
as_number.__dict__["autograph_info__"] = {}


def as_array(value: Any) -> NDArray[Any]:
    """A view where that can be had. Torch tensors are detached and brought to the CPU; bfloat16 becomes float32."""
    if isinstance(value, np.ndarray):
        array = value
    elif hasattr(value, "detach"):
        array = _from_torch(value)
    elif hasattr(value, "numpy") and callable(value.numpy):
        array = np.asarray(value.numpy())  # TensorFlow
    elif hasattr(value, "dense_shape") and hasattr(value, "indices"):
        array = _from_sparse(value)
    else:
        array = np.asarray(value)  # JAX arrays, lists, numbers and whatever knows __array__
    # ml_dtypes' bfloat16, float8 and int4, as JAX and TensorFlow give them, are no dtypes of NumPy's own.
    return array.astype(np.float32) if array.dtype.isbuiltin == _FOREIGN else array


def as_copy(value: Any) -> NDArray[Any]:
    """Ours to keep: the caller may go on and change what it has."""
    array = as_array(value)
    return array if array is not value and array.flags.owndata and array.base is None else copy_of(array)


def copy_of(array: NDArray[Any]) -> NDArray[Any]:
    """Like `array.copy()`; a large one in memory that is used again once nobody refers to it."""
    if array.nbytes < POOLED_BYTES or array.dtype.hasobject:
        return array.copy()
    lent = np.asarray(_Lent(pool, array.nbytes))
    copied: NDArray[Any] = lent.view(array.dtype).reshape(array.shape)
    np.copyto(copied, array)
    return copied


class _Lent:
    """Memory in use: NumPy holds on to it for as long as there is a view of it."""

    def __init__(self, owner: Pool, nbytes: int) -> None:
        self._pool, self._memory = owner, owner.take(nbytes)
        # By its address: NumPy would hold on to the mapping itself, given that, and this would end too early.
        self.__array_interface__ = np.frombuffer(self._memory, np.uint8, nbytes).__array_interface__

    def __del__(self) -> None:
        self._pool.give_back(self._memory)


def _from_sparse(value: Any) -> NDArray[Any]:
    """TensorFlow's IndexedSlices, which the gradients of embeddings are, and its SparseTensor."""
    values, indices = as_array(value.values), as_array(value.indices)
    dense = np.zeros(as_array(value.dense_shape), values.dtype)
    np.add.at(dense, tuple(indices.T) if indices.ndim > 1 else indices, values)  # an index may come twice
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
