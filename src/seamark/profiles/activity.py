"""Activity: what a slice does, by its category and name; decided once for each name of a trace.

The category is what the file says: `kernel`, `cpu_op` … in Chrome traces, the name of the line (`XLA Ops`,
`Stream #14(Compute)`, `tf_data_private_threadpool/12` …) in XPlanes, empty in the JSON that JAX writes.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.compilers import compiler_of

if TYPE_CHECKING:
    from seamark.profiles.form import Trace
    from seamark.profiles.profile import Profile


class Activity(IntEnum):
    """The same numbers as in view/wire.ts."""

    OTHER = 0
    HOST_OP = 1  # an operator on the host
    PYTHON = 2  # a Python function
    ANNOTATION = 3  # named by the user; a phase
    MODULE = 4  # nn.Module or name scope
    RUNTIME = 5  # a call of the device's runtime: a launch, an allocation
    SYNC = 6  # the host waits for the device
    KERNEL_16 = 7  # compute on a device with half precision or less; TF32 is not
    KERNEL_32 = 8  # compute on a device in other precisions
    COPY = 9  # between host and device, within a device, memset
    COLLECTIVE = 10  # on a device, or on the host of a run without devices
    INPUT = 11  # DataLoader, tf.data
    COMPILE = 12
    STEP = 13
    DEVICE_ANNOTATION = 14  # what the user named, as seen on the device


DEVICE_COMPUTE = (Activity.KERNEL_16, Activity.KERNEL_32)
DEVICE_ACTIVITIES = (*DEVICE_COMPUTE, Activity.COPY, Activity.COLLECTIVE)

# Categories of torch 2021 to today; names of older files in lower case.
CATEGORIES = {
    "cpu_op": Activity.HOST_OP,
    "operator": Activity.HOST_OP,
    "op": Activity.HOST_OP,
    "python_function": Activity.PYTHON,
    "user_annotation": Activity.ANNOTATION,
    "gpu_user_annotation": Activity.DEVICE_ANNOTATION,
    "cuda_runtime": Activity.RUNTIME,
    "cuda_driver": Activity.RUNTIME,
    "runtime": Activity.RUNTIME,
    "mtia_runtime": Activity.RUNTIME,
    "xpu_runtime": Activity.RUNTIME,
    "privateuse1_runtime": Activity.RUNTIME,
    "privateuse1_driver": Activity.RUNTIME,
    "gpu_memcpy": Activity.COPY,
    "gpu_memset": Activity.COPY,
    "memcpy": Activity.COPY,
    "memset": Activity.COPY,
    "cuda_sync": Activity.SYNC,
    # Lines of devices in XPlanes that repeat what the lines with work have.
    "steps": Activity.STEP,
    "xla modules": Activity.DEVICE_ANNOTATION,
    "xla traceme": Activity.DEVICE_ANNOTATION,
    "framework ops": Activity.DEVICE_ANNOTATION,
    "framework name scope": Activity.DEVICE_ANNOTATION,
    "tensorflow ops": Activity.DEVICE_ANNOTATION,
    "tensorflow name scope": Activity.DEVICE_ANNOTATION,
    "source code": Activity.DEVICE_ANNOTATION,
    "source": Activity.DEVICE_ANNOTATION,
    "launch stats": Activity.DEVICE_ANNOTATION,
}
# Names of templates are long; what decides is near the begin.
MAX_NAME = 4000
KERNEL_CATEGORY = re.compile(
    r"(kernel|xpu_kernel|mtia_ccp_events|mtia_insight|device_op|cuda_profiler_range|concurrent_kernel"
    r"|privateuse1_kernel|xla ops|async xla ops|xla async ops|sparsecore ops|stream #.*)\Z",
    re.IGNORECASE,
)
FINAL = frozenset({Activity.COPY, Activity.DEVICE_ANNOTATION})
STEP_NAME = re.compile(r"ProfilerStep\*?(#\d+)?\Z|Iteration \d+\Z|StepMarker\b|Profiled batch( \d+)?\Z|TraceContext\b")

# Names on devices.
COLLECTIVE_NAME = re.compile(
    r"nccl|rccl|oneccl|msccl|\bgloo:|\bmpi:|cross_device_reduce|collective[-_]?(permute|broadcast)|ragged-all-to-all"
    r"|all[-_]?reduce|all[-_]?gather|reduce[-_]?scatter|all[-_]?to[-_]?all",
    re.IGNORECASE,
)
COPY_NAME = re.compile(
    r"memcpy|memset|\bcopy (HtoD|DtoH|DtoD)|\bcopy-(start|done)\b|\bdma_request\b|\A(send|recv)(-done)?(\.\d+)?\Z",
    re.IGNORECASE,
)
DEVICE_WAIT_NAME = re.compile(r"event_(record|wait)\Z|Stream Wait Event|(Stream|Context|Event) Sync\Z")
INFEED_NAME = re.compile(r"\A%?infeed\b")
# The names of cuBLAS, cuDNN and CUTLASS say the type of the inputs: s16816 multiplies halves and sums floats; s1688
# is half precision on Turing and TF32 on Ampere unless the name has a half type. Tensile writes HHS
# or BBS, nvjet h or t.
HALF_NAME = re.compile(
    r"half|fp16|bf16|float16|(?<![a-z0-9])f16|[hs]884|h1688|[hs]16816|(?<!tf32_)hmma(?!_tf32)|e4m3|e5m2|fp8|16x16x16"
    r"|_B[lj][jkl]{2}_[HB][HBS]S?_|nvjet_(sm\d+_)?(h|t|qq)[a-z]+_|turing\w*s1688|cutlass_75\w*s1688",
    re.IGNORECASE,
)

# Names on the host.
SYNC_NAME = re.compile(
    r"(cuda|hip)(Device|Stream|Event)Synchronize|cu(Stream|Event|Ctx)Synchronize|aten::_local_scalar_dense"
    r"|synchronize(Stream)?\Z|\w*PjRt\w*::Await|Wait for (donation|usage) holds|BlockHostUntilReady|TransferFromDevice"
    r"|ThunkExecutor::Execute \(wait for completion\)|StreamExecutor::BlockHost"
)
INPUT_NAME = re.compile(
    r"DataLoader|DataPipe\)|\AIterator::|\AIteratorGetNext|IteratorResource|tf_data|data_loader|enumerate\(.*Loader"
    r"|\A(Prefetch|ParallelMap|ParallelInterleave|MapAndBatch|ParallelBatch)(Consume|Produce)"
    r"|InstantiatedCapturedFunction",
    re.IGNORECASE,
)
# Threads that prepare input while others compute.
INPUT_LINE = re.compile(r"tf_data_|tfdata|grain", re.IGNORECASE)
COMPILE_NAME = re.compile(
    r"dynamo_timed|\Adynamo\Z|_compile\.|compile_fx|(entire_\w+|inductor|fx_codegen_and)_compile|async_compile"
    r"|compile_(attempt|file)|\Acode_gen\Z|PyCodeCache|_recursive_\w+_passes|inductor_codecache|OutputGraph\."
    r"|min_cut_rematerialization"
    r"|create_aot_dispatcher|aot_(forward|backward|trace|collect)\w*|GraphLowering|Scheduler\.(codegen|__init__)"
    r"|bytecode_tracing|build_guards|backend_compile|xla_?compile|HloPass|cached_compilation|::Compile(AndLoad|Internal)?\b"
    r"|\ARun(Backend|HloPasses)|CpuCompiler|GpuCompiler|LLVM compil|\bJitCompile|jaxpr_(trace|to_mlir)|lower_jaxpr"
    r"|CompileToThunks|ptxas|NVPTXCompiler|\bcompile\b",
    re.IGNORECASE,
)
# What looks for a compiled function or runs one does not compile.
COMPILED_NAME = re.compile(
    r"Cache Lookup|CompiledF|Torch-Compiled Region|torch.compile Region|\A## Call ", re.IGNORECASE
)
RUNTIME_NAME = re.compile(r"(cuda|hip|cu|cl|ze)[A-Z]\w+(_v\d+|_ptsz)*\Z")
# Python functions as JAX and TensorFlow name them: `$file.py:123 function`.
PYTHON_NAME = re.compile(r"\$\S")
# Operators of TensorFlow: `scope/name:Type`.
TENSORFLOW_OP = re.compile(r"\w[\w/.\-]*:\w+\Z")
# What TensorFlow and XLA do around operators: work of the host, but no operator.
FRAMEWORK_CALL = re.compile(
    r"ThunkExecutor::Execute\Z|ThreadpoolListener::Region|EagerLocalExecute|EagerExecute|EagerKernelExecute"
    r"|KernelAndDeviceFunc::Run|FunctionRun|ExecutorState::Process|TFE_Py_\w+|PjitFunction|\w*PjRt\w*::"
    r"|TfrtCpuExecutable::|Execute(Prepare|Helper)"
)
# An instruction of HLO that XLA:CPU runs on a thread pool: `dot.3`, `multiply_add_fusion`, `all-reduce.1`.
HLO_LINE = re.compile(r"tf_XLA|XLAEigen|xla_cpu|TfrtCpu|PjRtCpu")
HLO_NAME = re.compile(r"[a-z][a-z0-9_\-]*(\.\d+)*\Z")


def classify(name: str, category: str) -> Activity:
    text = name[:MAX_NAME]
    if KERNEL_CATEGORY.match(category):
        return _classify_on_device(text)
    known = CATEGORIES.get(category.lower(), Activity.OTHER)
    if known in FINAL:
        return known
    if STEP_NAME.match(text):
        return Activity.STEP
    if known is Activity.PYTHON:
        return Activity.MODULE if text.startswith("nn.Module: ") else Activity.PYTHON
    if SYNC_NAME.match(text):
        return Activity.SYNC
    if known is Activity.RUNTIME:
        return known
    if known is Activity.OTHER and PYTHON_NAME.match(text):
        return Activity.PYTHON
    return _classify_on_host(text, category, known)


def is_framework_call(name: str) -> bool:
    """A host operation that is no operator."""
    return FRAMEWORK_CALL.match(name) is not None


def find_activities(profile: Profile) -> NDArray[np.uint8]:
    """Of each name."""
    trace = profile.trace
    lines = _lines_of_names(trace)
    found = np.array(
        [classify(entry.text, entry.category or line) for entry, line in zip(trace.names, lines, strict=True)], np.uint8
    )
    # A slice that carries the number of its step is a step, whatever its name: `train`, `Profiled batch`.
    steps = np.unique(trace.name[trace.field("step_num").indices])
    found[steps[np.isin(found[steps], (Activity.OTHER, Activity.ANNOTATION, Activity.HOST_OP))]] = Activity.STEP
    return found


def _lines_of_names(trace: Trace) -> list[str]:
    """The track of each name without a category, if it occurs on tracks of one name only.

    In JAX's JSON it is what tells `XLA Ops`, or `dot.3` on a thread of XLA:CPU.
    """
    missing = np.array([not entry.category for entry in trace.names], bool)
    lines = [""] * len(trace.names)
    if not missing.any():
        return lines
    ids = {name: number for number, name in enumerate(dict.fromkeys(track.name for track in trace.tracks))}
    line_of_track = np.array([ids[track.name] for track in trace.tracks], np.int64)
    slices = np.flatnonzero(missing[trace.name])
    rows = np.searchsorted(trace.row_start, slices, "right") - 1
    pairs = np.unique(trace.name[slices].astype(np.int64) * len(ids) + line_of_track[trace.row_track[rows]])
    names, counts = np.unique(pairs // len(ids), return_counts=True)
    texts = list(ids)
    for pair in pairs[np.isin(pairs // len(ids), names[counts == 1])].tolist():
        lines[pair // len(ids)] = texts[pair % len(ids)]
    return lines


def _classify_on_device(text: str) -> Activity:
    if COLLECTIVE_NAME.search(text):
        return Activity.COLLECTIVE
    if DEVICE_WAIT_NAME.match(text):
        return Activity.SYNC
    if COPY_NAME.search(text):
        return Activity.COPY
    if INFEED_NAME.match(text):
        return Activity.INPUT
    return Activity.KERNEL_16 if HALF_NAME.search(text) else Activity.KERNEL_32


def _classify_on_host(text: str, category: str, known: Activity) -> Activity:
    if INPUT_NAME.search(text) or INPUT_LINE.match(category):
        return Activity.INPUT
    if COMPILED_NAME.search(text):
        return Activity.ANNOTATION if known is Activity.OTHER else known
    if COMPILE_NAME.search(text) or compiler_of(text, category):
        return Activity.COMPILE
    if known is not Activity.OTHER:
        return Activity.COLLECTIVE if text.startswith(("c10d::", "gloo:", "nccl:", "mpi:", "ucc:")) else known
    if RUNTIME_NAME.match(text):
        return Activity.RUNTIME
    if HLO_LINE.search(category) and HLO_NAME.match(text):
        return Activity.COLLECTIVE if COLLECTIVE_NAME.search(text) else Activity.HOST_OP
    return Activity.HOST_OP if TENSORFLOW_OP.match(text) or FRAMEWORK_CALL.match(text) else Activity.OTHER
