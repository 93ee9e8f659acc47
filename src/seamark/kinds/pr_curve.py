"""Precision-recall curves: the confusion counts at evenly spread thresholds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamark.format.messages import PrCurvePluginData, Summary
from seamark.kinds.payload import DecodeError, parse_value
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_array, numbers_of

PLUGIN_NAME = "pr_curves"
DEFAULT_THRESHOLDS = 201
# Replaces a denominator of zero. With weights, counts may be smaller than one.
_MIN_COUNT = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class PrCurve:
    """One entry per threshold, from 0 to 1."""

    thresholds: NDArray[np.float64]
    true_positives: NDArray[np.float64]
    false_positives: NDArray[np.float64]
    true_negatives: NDArray[np.float64]
    false_negatives: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]


def encode(
    tag: str,
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    weights: ArrayLike = 1.0,
    thresholds: int = DEFAULT_THRESHOLDS,
    display_name: str = "",
    description: str = "",
) -> Summary.Value:
    """Encodes the curve of a binary classifier: `predictions` from 0 to 1 and boolean `labels` of the same shape."""
    truth, scores = np.asarray(labels).astype(np.float64), np.asarray(predictions)
    if truth.shape != scores.shape:
        raise ValueError(f"predictions do not match the labels: got {list(scores.shape)}, want {list(truth.shape)}")
    if thresholds < 2:
        raise ValueError(f"a curve needs at least 2 thresholds: got {thresholds}")
    if np.isnan(scores).any():
        raise ValueError("predictions hold NaN; want numbers from 0 to 1")
    weight = np.broadcast_to(np.asarray(weights, dtype=np.float64), truth.shape)
    # Computed in the precision of the predictions, so that borders are the same as TensorBoard's.
    buckets = np.floor(np.clip(scores, 0, 1) * (thresholds - 1)).astype(np.intp).ravel()
    positives = np.bincount(buckets, weights=(truth * weight).ravel(), minlength=thresholds)
    negatives = np.bincount(buckets, weights=((1 - truth) * weight).ravel(), minlength=thresholds)
    tp, fp = np.cumsum(positives[::-1])[::-1], np.cumsum(negatives[::-1])[::-1]
    tn, fn = fp[0] - fp, tp[0] - tp
    precision = tp / np.maximum(_MIN_COUNT, tp + fp)
    recall = tp / np.maximum(_MIN_COUNT, tp + fn)
    return encode_counts(
        tag, np.stack([tp, fp, tn, fn, precision, recall]), display_name=display_name, description=description
    )


def encode_counts(tag: str, rows: ArrayLike, *, display_name: str = "", description: str = "") -> Summary.Value:
    """Encodes a given curve: [6, thresholds] of TP, FP, TN, FN, precision, recall."""
    array = np.asarray(rows, dtype=np.float32)
    if array.ndim != 2 or array.shape[0] != 6:
        raise ValueError(f"pr curve has the wrong shape: got {list(array.shape)}, want [6, thresholds]")
    return tensor_value(
        tag,
        from_array(array),
        plugin_name=PLUGIN_NAME,
        content=PrCurvePluginData(num_thresholds=array.shape[1]).SerializeToString(),
        display_name=display_name,
        description=description,
    )


def decode(data: bytes) -> PrCurve:
    rows = numbers_of(parse_value(data, "pr curve"), "pr curve")
    if rows.ndim != 2 or rows.shape[0] != 6:
        raise DecodeError(f"pr curve has the wrong shape: got {list(rows.shape)}, want [6, thresholds]")
    return PrCurve(np.linspace(0.0, 1.0, rows.shape[1]), *rows)


def defined_end(curve: PrCurve) -> int:
    """The number of thresholds with predicted positives. Beyond them precision is undefined."""
    positives = curve.true_positives.astype(int) + curve.false_positives.astype(int)
    filled = positives.nonzero()[0]
    return int(filled[-1]) + 1 if filled.size else min(1, len(positives))


def average_precision(curve: PrCurve) -> float:
    """The mean of the precision weighted by the increase in recall at each threshold, without interpolation."""
    recall, precision = _extended_to_zero_recall(curve)
    return float(np.sum(-np.diff(recall) * precision[:-1]))


def area_under(curve: PrCurve) -> float:
    """The area under the straight lines between the points, with a constant precision down to a recall of 0."""
    recall, precision = _extended_to_zero_recall(curve)
    return float(np.sum(-np.diff(recall) * (precision[:-1] + precision[1:]) / 2))


def _extended_to_zero_recall(curve: PrCurve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    end = defined_end(curve)
    recall, precision = curve.recall[:end], curve.precision[:end]
    return np.append(recall, 0.0), np.append(precision, precision[-1:])


def f1_scores(curve: PrCurve) -> NDArray[np.float64]:
    """The harmonic mean of precision and recall at each threshold; 0 where both are."""
    total = curve.precision + curve.recall
    return np.divide(2 * curve.precision * curve.recall, total, out=np.zeros(len(total)), where=total > 0)
