"""Histograms: counting, the tensor form and the legacy form."""

import sys
import warnings

import numpy as np
import pytest

from seamark.format.messages import HistogramProto, Summary
from seamark.kinds import histogram
from seamark.kinds.payload import DecodeError

DBL_MAX = sys.float_info.max


def legacy(**fields: object) -> bytes:
    return Summary.Value(tag="h", histo=HistogramProto(**fields)).SerializeToString()  # type: ignore[arg-type]


def test_buckets_are_decoded_as_they_were_encoded() -> None:
    decoded = histogram.decode(histogram.encode("h", [0.0, 1.0, 1.0, 4.0], buckets=4).SerializeToString())
    assert decoded.left.tolist() == [0, 1, 2, 3]
    assert decoded.right.tolist() == [1, 2, 3, 4]
    assert decoded.count.tolist() == [1, 2, 0, 1]


def test_a_single_value_is_in_the_last_bucket() -> None:
    assert histogram.bucketize([7, 7, 7], 3).tolist() == [[7, 7, 0], [7, 7, 0], [7, 7, 3]]


def test_no_data_gives_empty_buckets() -> None:
    assert histogram.bucketize([], 2).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert histogram.bucketize([1, 2], 0).shape == (0, 3)


def test_non_finite_values_are_left_out() -> None:
    assert histogram.bucketize([0, np.nan, np.inf, 2, -np.inf], 2)[:, 2].tolist() == [1, 1]
    assert histogram.bucketize([np.nan], 2).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("data", [[-DBL_MAX, DBL_MAX, 0.0], [0.0, 5e-324, 5e-324]])
def test_extreme_ranges_count_every_value(data: list[float]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        buckets = histogram.bucketize(data, 4)
    assert buckets[:, 2].sum() == 3
    assert np.isfinite(buckets).all()
    assert (buckets[0, 0], buckets[-1, 1]) == (min(data), max(data))


def test_legacy_outer_edges_become_min_and_max() -> None:
    data = legacy(min=-1.5, max=2.5, bucket_limit=[-DBL_MAX, -1.0, 0.0, 1.0, DBL_MAX], bucket=[0, 2, 0, 3, 1])
    assert histogram.decode(data).buckets.tolist() == [[-1.5, -1, 2], [-1, 0, 0], [0, 1, 3], [1, 2.5, 1]]


def test_legacy_empty_ends_are_trimmed() -> None:
    data = legacy(min=1.0, max=1.0, bucket_limit=[0, 1, 2, DBL_MAX], bucket=[0, 0, 4, 0])
    assert histogram.decode(data).buckets.tolist() == [[1, 1, 4]]


def test_legacy_without_counts_has_no_buckets() -> None:
    assert histogram.decode(legacy(bucket_limit=[1, 2], bucket=[0, 0])).buckets.shape == (0, 3)


def test_legacy_numbers_beyond_float32_are_not_rounded() -> None:
    data = legacy(min=-1e300, max=1e300, bucket_limit=[1e300], bucket=[5])
    assert histogram.decode(data).buckets.tolist() == [[-1e300, 1e300, 5]]


def test_legacy_histograms_with_missing_edges_are_errors() -> None:
    with pytest.raises(DecodeError, match="too few edges"):
        histogram.decode(legacy(bucket_limit=[], bucket=[1, 1, 1]))


def test_nan_edges_are_an_error() -> None:
    value = histogram.encode_buckets("h", [[np.nan, np.nan, 3], [0, 1, 2]])
    with pytest.raises(DecodeError, match="NaN in 1 of 2 buckets"):
        histogram.decode(value.SerializeToString())


def test_a_wrong_shape_is_an_error() -> None:
    from seamark.kinds import tensors

    with pytest.raises(DecodeError, match=r"got \[4\], want \[k, 3\]"):
        histogram.decode(tensors.encode("h", np.zeros(4)).SerializeToString())
    with pytest.raises(ValueError, match="wrong shape"):
        histogram.encode_buckets("h", [1, 2, 3])
