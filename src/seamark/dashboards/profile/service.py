"""Routes of Profile: captures, overview, findings, trace and tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from seamark.dashboards.profile import wire
from seamark.dashboards.profile.answers import captures, tables, trace
from seamark.dashboards.profile.library import ProfileLibrary
from seamark.plugin import Context, RequestError, not_found
from seamark.plugin.columns import MEDIA_TYPE
from seamark.plugin.response import JSON
from seamark.plugin.service_routes import get
from seamark.profiles import results
from seamark.profiles.analyses.compile import find_compile
from seamark.profiles.analyses.distributed import find_distributed
from seamark.profiles.analyses.input_pipeline import find_input_pipeline
from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.memory import find_memory
from seamark.profiles.analyses.operators import find_operators, find_operators_by_shapes
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.overview.step_strip import find_step_strip
from seamark.profiles.analyses.roofline import find_roofline
from seamark.profiles.analyses.trees.modules import find_modules
from seamark.profiles.analyses.trees.stacks import find_call_tree
from seamark.profiles.comparison import compare_profiles
from seamark.profiles.findings.rule_texts import RULE_TEXTS
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.form import ProfileError
from seamark.profiles.profile import Profile

# Findings look at all ranks of a capture, one after the other. Above this, only if they are asked to: reading takes
# a minute for some ten gigabytes.
MAX_BYTES_OF_RANKS = 500_000_000
CSV = "text/csv"


@contextmanager
def profile_errors() -> Iterator[None]:
    try:
        yield
    except ProfileError as error:  # the file changed since it was read
        raise RequestError(f"the profile cannot be read: {error}", code="undecodable") from error


class ProfileService:
    def __init__(self, context: Context) -> None:
        self._library = ProfileLibrary(context.roots, context.store)

    # Which there are

    @get(errors={})
    def captures(self) -> wire.CapturesResponse:
        """The profiles of all log directories."""
        return captures.captures(self._library)

    @get()
    def state(self, parameters: wire.ProfileParameters) -> wire.StateResponse:
        """How far a trace is read; starts to read it."""
        return self._library.state(parameters)

    @get()
    def info(self, parameters: wire.ProfileParameters) -> wire.InfoResponse:
        """The tracks, counters and steps of a trace."""
        return captures.info(self._open(parameters))

    # Overview

    @get()
    def overview(self, parameters: wire.ProfileParameters) -> results.Overview:
        """The steps with their breakdown, utilization and environment."""
        return self._open(parameters).get(find_overview)

    @get()
    def step(self, parameters: wire.StepParameters) -> results.StepStrip:
        """The busy intervals of each resource in one step."""
        try:
            return find_step_strip(self._open(parameters), parameters.step)
        except IndexError:
            raise not_found(f"there is no step {parameters.step}") from None

    @get()
    def findings(self, parameters: wire.FindingsParameters) -> results.Findings:
        """What takes time, with the estimated gain and the slices that prove it."""
        unread = self._library.unread_ranks(parameters)
        unread_bytes = sum(file.bytes for file in unread)
        reads_all = parameters.all_ranks or unread_bytes <= MAX_BYTES_OF_RANKS
        ranks = self._library.open_all(parameters, without=() if reads_all else unread)
        hosts = [host for host, _ in ranks]
        found = findings_of_ranks(ranks, hosts.index(parameters.host) if parameters.host in hosts else 0)
        if reads_all:
            return found
        return msgspec.structs.replace(found, unread_ranks=len(unread), unread_bytes=unread_bytes)

    @get(errors={})
    def rules(self) -> results.Rules:
        """What the rules of findings look for."""
        return results.Rules(rules=RULE_TEXTS)

    # Trace

    @get(media_type=MEDIA_TYPE)
    def window(self, parameters: wire.WindowParameters) -> bytes:
        """The slices between two times, as blocks where they are narrower than a pixel."""
        return trace.window(self._open(parameters), parameters)

    @get()
    def names(self, parameters: wire.NamesParameters) -> wire.NamesResponse:
        """The texts of names."""
        return wire.NamesResponse(trace.names(self._open(parameters), parameters.ids))

    @get(media_type=MEDIA_TYPE)
    def counter(self, parameters: wire.CounterParameters) -> bytes:
        """A counter between two times, downsampled."""
        return trace.counter(self._open(parameters), parameters)

    @get()
    def slice(self, parameters: wire.SliceParameters) -> results.SliceDetails:
        """One slice with its arguments, stack and linked slices."""
        return trace.details(self._open(parameters), parameters.slice)

    @get(media_type=MEDIA_TYPE)
    def flows(self, parameters: wire.FlowParameters) -> bytes:
        """The arrows from and to a slice."""
        return trace.flows(self._open(parameters), parameters.slice)

    @get(media_type=MEDIA_TYPE)
    def search(self, parameters: wire.SearchParameters) -> bytes:
        """The slices whose name contains a text."""
        return trace.search(self._open(parameters), parameters)

    @get()
    def near(self, parameters: wire.NearParameters) -> wire.NearResponse:
        """The slice before, after, above or below another."""
        return trace.near(self._open(parameters), parameters)

    @get()
    def area(self, parameters: wire.AreaParameters) -> results.Area:
        """Sums of the slices in an area, by name, activity or track."""
        return trace.area(self._open(parameters), parameters)

    @get()
    def flame(self, parameters: wire.FlameParameters) -> results.StackTree:
        """The slices of an area as a tree of names."""
        return trace.flame(self._open(parameters), parameters)

    @get(media_type=JSON)
    def export(self, parameters: wire.ExportParameters) -> bytes:
        """The slices of an area as a Chrome trace."""
        return trace.export(self._open(parameters), parameters)

    # Tables

    @get()
    def operators(self, parameters: wire.OperatorParameters) -> results.Operators:
        """Self and total time of operators on host and device."""
        by_shapes = parameters.group == "shapes"
        return self._open(parameters).get(find_operators_by_shapes if by_shapes else find_operators)

    @get()
    def call_tree(self, parameters: wire.ProfileParameters) -> results.StackTree:
        """Operators and functions as a tree of calls."""
        return self._open(parameters).get(find_call_tree)

    @get()
    def kernels(self, parameters: wire.ProfileParameters) -> results.Kernels:
        """Kernels with calls, times and launch parameters."""
        return self._open(parameters).get(find_kernels)

    @get()
    def memory(self, parameters: wire.ProfileParameters) -> results.Memory:
        """Memory over time, the peak's parts and leak candidates."""
        return self._open(parameters).get(find_memory)

    @get()
    def input(self, parameters: wire.ProfileParameters) -> results.InputPipeline:
        """The stages of the input pipeline and the waiting time of each step."""
        return self._open(parameters).get(find_input_pipeline)

    @get()
    def modules(self, parameters: wire.ProfileParameters) -> results.Modules:
        """Time by module or name scope."""
        return self._open(parameters).get(find_modules)

    @get()
    def distributed(self, parameters: wire.ProfileParameters) -> results.Distributed:
        """Compute, communication, overlap and waiting of each rank."""
        return find_distributed(self._library.open_all(parameters))

    @get()
    def compile(self, parameters: wire.ProfileParameters) -> results.Compile:
        """Events of compilers."""
        return self._open(parameters).get(find_compile)

    @get()
    def roofline(self, parameters: wire.ProfileParameters) -> results.Roofline:
        """FLOPs and bytes of operations against the device's limits."""
        return self._open(parameters).get(find_roofline)

    @get()
    def compare(self, parameters: wire.CompareParameters) -> results.Comparison:
        """Two profiles side by side."""
        other = wire.ProfileParameters(
            run=parameters.other_run, capture=parameters.other_capture, host=parameters.other_host
        )
        return compare_profiles(self._open(parameters), self._open(other))

    @get(media_type=CSV)
    def table(self, parameters: wire.TableParameters) -> str:
        """A table as CSV."""
        if parameters.table in ("distributed", "collectives"):  # of all ranks
            found = self.distributed(parameters)
            rows = found.ranks if parameters.table == "distributed" else found.collectives
            return tables.write_csv(tables.rows_of(rows))
        return tables.table_csv(self._open(parameters), parameters.table)

    @get(media_type=CSV)
    def compared_table(self, parameters: wire.ComparedTableParameters) -> str:
        """Rows of a comparison as CSV."""
        found = self.compare(parameters)
        return tables.write_csv(tables.rows_of(found.operators if parameters.table == "operators" else found.kernels))

    def _open(self, parameters: wire.ProfileParameters) -> Profile:
        return self._library.open(parameters)
