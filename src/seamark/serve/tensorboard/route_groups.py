"""The endpoints below /data, one group per plugin. A group's modules are imported with its first request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from seamark.plugin import Endpoint
from seamark.store import LogRoot, RunStore

if TYPE_CHECKING:
    from seamark.serve.tensorboard.catalogue import Catalogue
    from seamark.serve.tensorboard.media.blobs import Blobs
    from seamark.serve.tensorboard.profile.profile_runs import ProfileRuns
    from seamark.serve.tensorboard.projector.embeddings import Projector

ENVIRONMENT = ""  # the group of all paths that are not a plugin's


class RouteGroups:
    """Makes the endpoints of one plugin at a time.

    Most plugins need protobuf. A page that only lists scalars while runs are loading should not wait for it.
    """

    def __init__(
        self,
        store: RunStore,
        roots: Sequence[LogRoot] = (),
        *,
        samples_per_plugin: Mapping[str, int] | None = None,
        window_title: str = "",
    ) -> None:
        self._store = store
        self._roots = roots
        self._samples_per_plugin = dict(samples_per_plugin or {})
        self._window_title = window_title
        self._makers: dict[str, Callable[[], list[Endpoint]]] = {
            ENVIRONMENT: self._environment,
            "scalars": self._scalars,
            "custom_scalars": self._custom_scalars,
            "images": self._images,
            "audio": self._audio,
            "text": self._text,
            "histograms": self._histograms,
            "distributions": self._histograms,
            "pr_curves": self._pr_curves,
            "mesh": self._mesh,
            "hparams": self._hparams,
            "graphs": self._graphs,
            "timeseries": self._time_series,
            "projector": self._projector_endpoints,
            "profile": self._profile,
        }

    def endpoints(self) -> list[Endpoint]:
        """Of all groups."""
        makers = dict.fromkeys(self._makers.values())
        return [endpoint for make in makers for endpoint in make()]

    def group_of(self, path: str) -> str:
        """The group that a path below /data belongs to."""
        parts = path.split("/")
        is_plugin = len(parts) > 3 and parts[1] == "plugin" and parts[2] in self._makers
        return parts[2] if is_plugin else ENVIRONMENT

    def make(self, group: str) -> list[Endpoint]:
        return self._makers[group]()

    @cached_property
    def _catalogue(self) -> Catalogue:
        from seamark.serve.tensorboard.catalogue import Catalogue

        return Catalogue(self._store, self._samples_per_plugin)

    @cached_property
    def _blobs(self) -> Blobs:
        from seamark.serve.tensorboard.media.blobs import Blobs

        return Blobs(self._catalogue)

    @cached_property
    def _projector(self) -> Projector:
        from seamark.serve.tensorboard.projector.embeddings import Projector

        return Projector(self._store, self._roots)

    @cached_property
    def _profile_runs(self) -> ProfileRuns:
        from seamark.serve.tensorboard.profile.profile_runs import ProfileRuns

        return ProfileRuns(self._roots, self._store.cache_dir)

    def _has_profiles(self) -> bool:
        from seamark.profiles.captures.find import find_captures

        return any(find_captures(root.path)[0] for root in self._roots)

    def _environment(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.environment.routes import environment_endpoints

        return environment_endpoints(
            self._store,
            self._roots,
            self._projector,
            self._has_profiles,
            samples_per_plugin=self._samples_per_plugin,
            window_title=self._window_title,
        )

    def _scalars(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.scalars.routes import scalar_endpoints

        return scalar_endpoints(self._catalogue)

    def _custom_scalars(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.scalars.custom_scalars import custom_scalar_endpoints

        return custom_scalar_endpoints(self._catalogue)

    def _images(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.media.routes import image_endpoints

        return image_endpoints(self._catalogue, self._blobs)

    def _audio(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.media.routes import audio_endpoints

        return audio_endpoints(self._catalogue, self._blobs)

    def _text(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.text import text_endpoints

        return text_endpoints(self._catalogue)

    def _histograms(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.histograms import histogram_endpoints

        return histogram_endpoints(self._catalogue)

    def _pr_curves(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.pr_curves import pr_curve_endpoints

        return pr_curve_endpoints(self._catalogue)

    def _mesh(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.mesh import mesh_endpoints

        return mesh_endpoints(self._catalogue)

    def _hparams(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.hparams.routes import hparams_endpoints

        return hparams_endpoints(self._catalogue)

    def _graphs(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.graphs.routes import graph_endpoints

        return graph_endpoints(self._catalogue)

    def _time_series(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.time_series.routes import time_series_endpoints

        return time_series_endpoints(self._catalogue, self._blobs)

    def _projector_endpoints(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.projector.routes import projector_endpoints

        return projector_endpoints(self._projector)

    def _profile(self) -> list[Endpoint]:
        from seamark.serve.tensorboard.profile.routes import profile_endpoints

        return profile_endpoints(self._profile_runs)
