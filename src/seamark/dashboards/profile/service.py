"""ProfileService: what the routes return. Loaded by the first request, because it loads much."""

from __future__ import annotations

import msgspec

from seamark.dashboards.profile import wire
from seamark.dashboards.profile.answers import captures, tables, trace
from seamark.dashboards.profile.library import ProfileLibrary
from seamark.plugin import Context, not_found
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
from seamark.profiles.profile import Profile

# Findings look at all ranks of a capture, one after the other. Above this, only if they are asked to: reading takes
# a minute for some ten gigabytes.
MAX_BYTES_OF_RANKS = 500_000_000


class ProfileService:
    def __init__(self, context: Context) -> None:
        self._library = ProfileLibrary(context.roots, context.store)

    # Which there are

    def captures(self) -> wire.CapturesResponse:
        return captures.captures(self._library)

    def state(self, parameters: wire.ProfileParameters) -> wire.StateResponse:
        return self._library.state(parameters)

    def info(self, parameters: wire.ProfileParameters) -> wire.InfoResponse:
        return captures.info(self._open(parameters))

    # Overview

    def overview(self, parameters: wire.ProfileParameters) -> results.Overview:
        return self._open(parameters).get(find_overview)

    def step(self, parameters: wire.StepParameters) -> results.StepStrip:
        try:
            return find_step_strip(self._open(parameters), parameters.step)
        except IndexError:
            raise not_found(f"there is no step {parameters.step}") from None

    def findings(self, parameters: wire.FindingsParameters) -> results.Findings:
        unread = self._library.unread_ranks(parameters)
        unread_bytes = sum(file.bytes for file in unread)
        reads_all = parameters.all_ranks or unread_bytes <= MAX_BYTES_OF_RANKS
        ranks = self._library.open_all(parameters, without=() if reads_all else unread)
        hosts = [host for host, _ in ranks]
        found = findings_of_ranks(ranks, hosts.index(parameters.host) if parameters.host in hosts else 0)
        if reads_all:
            return found
        return msgspec.structs.replace(found, unread_ranks=len(unread), unread_bytes=unread_bytes)

    def rules(self) -> results.Rules:
        return results.Rules(rules=RULE_TEXTS)

    # Trace

    def window(self, parameters: wire.WindowParameters) -> bytes:
        return trace.window(self._open(parameters), parameters)

    def names(self, parameters: wire.NamesParameters) -> wire.NamesResponse:
        return wire.NamesResponse(trace.names(self._open(parameters), parameters.ids))

    def counter(self, parameters: wire.CounterParameters) -> bytes:
        return trace.counter(self._open(parameters), parameters)

    def slice(self, parameters: wire.SliceParameters) -> results.SliceDetails:
        return trace.details(self._open(parameters), parameters.slice)

    def flows(self, parameters: wire.FlowParameters) -> bytes:
        return trace.flows(self._open(parameters), parameters.slice)

    def search(self, parameters: wire.SearchParameters) -> bytes:
        return trace.search(self._open(parameters), parameters)

    def near(self, parameters: wire.NearParameters) -> wire.NearResponse:
        return trace.near(self._open(parameters), parameters)

    def area(self, parameters: wire.AreaParameters) -> results.Area:
        return trace.area(self._open(parameters), parameters)

    def flame(self, parameters: wire.FlameParameters) -> results.StackTree:
        return trace.flame(self._open(parameters), parameters)

    def export(self, parameters: wire.ExportParameters) -> bytes:
        return trace.export(self._open(parameters), parameters)

    # Tables

    def operators(self, parameters: wire.OperatorParameters) -> results.Operators:
        by_shapes = parameters.group == "shapes"
        return self._open(parameters).get(find_operators_by_shapes if by_shapes else find_operators)

    def call_tree(self, parameters: wire.ProfileParameters) -> results.StackTree:
        return self._open(parameters).get(find_call_tree)

    def kernels(self, parameters: wire.ProfileParameters) -> results.Kernels:
        return self._open(parameters).get(find_kernels)

    def memory(self, parameters: wire.ProfileParameters) -> results.Memory:
        return self._open(parameters).get(find_memory)

    def input(self, parameters: wire.ProfileParameters) -> results.InputPipeline:
        return self._open(parameters).get(find_input_pipeline)

    def modules(self, parameters: wire.ProfileParameters) -> results.Modules:
        return self._open(parameters).get(find_modules)

    def distributed(self, parameters: wire.ProfileParameters) -> results.Distributed:
        return find_distributed(self._library.open_all(parameters))

    def compile(self, parameters: wire.ProfileParameters) -> results.Compile:
        return self._open(parameters).get(find_compile)

    def roofline(self, parameters: wire.ProfileParameters) -> results.Roofline:
        return self._open(parameters).get(find_roofline)

    def compare(self, parameters: wire.CompareParameters) -> results.Comparison:
        other = wire.ProfileParameters(
            run=parameters.other_run, capture=parameters.other_capture, host=parameters.other_host
        )
        return compare_profiles(self._open(parameters), self._open(other))

    def table(self, parameters: wire.TableParameters) -> str:
        if parameters.table in ("distributed", "collectives"):  # of all ranks
            found = self.distributed(parameters)
            rows = found.ranks if parameters.table == "distributed" else found.collectives
            return tables.write_csv(tables.rows_of(rows))
        return tables.table_csv(self._open(parameters), parameters.table)

    def compared_table(self, parameters: wire.ComparedTableParameters) -> str:
        found = self.compare(parameters)
        return tables.write_csv(tables.rows_of(found.operators if parameters.table == "operators" else found.kernels))

    def _open(self, parameters: wire.ProfileParameters) -> Profile:
        return self._library.open(parameters)
