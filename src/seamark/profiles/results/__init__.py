"""What the analyses find. Sent to the page and printed by `seamark profile --json`.

Every time is in nanoseconds since the origin of the trace. A number that the trace cannot give is None, never 0.
One module for each page; import from here.
"""

from seamark.profiles.results.base import BREAKDOWN_PARTS as BREAKDOWN_PARTS
from seamark.profiles.results.base import Result as Result
from seamark.profiles.results.base import StepSource as StepSource
from seamark.profiles.results.compare import ComparedRow as ComparedRow
from seamark.profiles.results.compare import ComparedStep as ComparedStep
from seamark.profiles.results.compare import Comparison as Comparison
from seamark.profiles.results.compile import Compilation as Compilation
from seamark.profiles.results.compile import Compile as Compile
from seamark.profiles.results.compile import CompileRow as CompileRow
from seamark.profiles.results.distributed import CollectiveRow as CollectiveRow
from seamark.profiles.results.distributed import Distributed as Distributed
from seamark.profiles.results.distributed import RankLane as RankLane
from seamark.profiles.results.distributed import RankRow as RankRow
from seamark.profiles.results.findings import Evidence as Evidence
from seamark.profiles.results.findings import Finding as Finding
from seamark.profiles.results.findings import Findings as Findings
from seamark.profiles.results.findings import Rules as Rules
from seamark.profiles.results.findings import RuleText as RuleText
from seamark.profiles.results.input_pipeline import InputPipeline as InputPipeline
from seamark.profiles.results.input_pipeline import InputStage as InputStage
from seamark.profiles.results.kernels import KernelRow as KernelRow
from seamark.profiles.results.kernels import Kernels as Kernels
from seamark.profiles.results.memory import LeakCandidate as LeakCandidate
from seamark.profiles.results.memory import Memory as Memory
from seamark.profiles.results.memory import MemoryCurve as MemoryCurve
from seamark.profiles.results.memory import MemoryOperatorRow as MemoryOperatorRow
from seamark.profiles.results.memory import MemoryRow as MemoryRow
from seamark.profiles.results.operators import OperatorRow as OperatorRow
from seamark.profiles.results.operators import Operators as Operators
from seamark.profiles.results.overview import EnvironmentEntry as EnvironmentEntry
from seamark.profiles.results.overview import Headline as Headline
from seamark.profiles.results.overview import Overview as Overview
from seamark.profiles.results.overview import ResourceStrip as ResourceStrip
from seamark.profiles.results.overview import Step as Step
from seamark.profiles.results.overview import StepBreakdown as StepBreakdown
from seamark.profiles.results.overview import Steps as Steps
from seamark.profiles.results.overview import StepStrip as StepStrip
from seamark.profiles.results.overview import StreamIdle as StreamIdle
from seamark.profiles.results.overview import Utilization as Utilization
from seamark.profiles.results.roofline import Roofline as Roofline
from seamark.profiles.results.roofline import RooflineRow as RooflineRow
from seamark.profiles.results.trace_page import Area as Area
from seamark.profiles.results.trace_page import AreaRow as AreaRow
from seamark.profiles.results.trace_page import CounterEntry as CounterEntry
from seamark.profiles.results.trace_page import SliceArgument as SliceArgument
from seamark.profiles.results.trace_page import SliceDetails as SliceDetails
from seamark.profiles.results.trace_page import SliceLink as SliceLink
from seamark.profiles.results.trees import Modules as Modules
from seamark.profiles.results.trees import StackNode as StackNode
from seamark.profiles.results.trees import StackTree as StackTree
