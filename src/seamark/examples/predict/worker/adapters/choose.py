"""The adapter of an object, by the library that its class comes from."""

from __future__ import annotations

import inspect
from typing import Any

from seamark.examples.predict.worker.adapters.adapter import Adapter, AdapterError, FunctionAdapter

PREDICTING = ("predict_proba", "decision_function", "predict")


def adapter_for(value: Any) -> Adapter:
    """Libraries are not imported for it: a class of theirs says that they are."""
    if inspect.isclass(value):
        raise AdapterError(f"'{value.__name__}' is a class, want a function or a fitted model")
    ancestors = {f"{base.__module__.partition('.')[0]}.{base.__name__}" for base in type(value).__mro__}
    if "torch.Module" in ancestors and "keras.Layer" not in ancestors:
        from seamark.examples.predict.worker.adapters.torch_modules import TorchAdapter

        return TorchAdapter(value)
    if "torch.ExportedProgram" in ancestors:
        from seamark.examples.predict.worker.adapters.torch_modules import TorchAdapter

        return TorchAdapter(value.module())
    if ancestors & {"keras.Model", "keras.Layer"}:
        from seamark.examples.predict.worker.adapters.keras_models import KerasAdapter

        return KerasAdapter(value)
    if "xgboost.Booster" in ancestors:
        from seamark.examples.predict.worker.adapters.boosters import XGBoostAdapter

        return XGBoostAdapter(value)
    if "lightgbm.Booster" in ancestors:
        from seamark.examples.predict.worker.adapters.boosters import LightGBMAdapter

        return LightGBMAdapter(value)
    if any(callable(getattr(value, name, None)) for name in PREDICTING):
        from seamark.examples.predict.worker.adapters.estimators import EstimatorAdapter

        return EstimatorAdapter(value)
    if callable(value):
        return FunctionAdapter(value)
    raise AdapterError(f"got a {type(value).__name__}, want a function or a fitted model")


def read_model_file(format: str, path: str) -> Adapter:
    if format == "xgboost":
        import xgboost

        return adapter_for(xgboost.Booster(model_file=path))
    if format == "lightgbm":
        import lightgbm

        return adapter_for(lightgbm.Booster(model_file=path))
    if format == "keras":
        import keras

        return adapter_for(keras.models.load_model(path, compile=False, safe_mode=True))
    import torch

    return adapter_for(torch.export.load(path))
