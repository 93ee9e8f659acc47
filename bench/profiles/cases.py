"""Sick and healthy training loops: each sick one has one planted cause, named by the code of its finding."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.profiles.simulated_loop import (
    COMPUTE,
    COPIES,
    FLOAT_GEMM,
    HALF_GEMM,
    NCCL,
    POINTWISE,
    SimulatedLoop,
)

US, MS = 1_000, 1_000_000
STEPS = 12
BATCH_BYTES = 38_000_000
Hook = Callable[[SimulatedLoop, int], None]


def nothing(loop: SimulatedLoop, step: int) -> None:
    pass


class Step(NamedTuple):
    """How one step goes. A hook gets the loop and the number of the step."""

    input: Hook = lambda loop, _: loop.load_batch(150 * US)
    copy: Hook = lambda loop, _: loop.copy("HtoD", BATCH_BYTES, 1_500 * US)
    before_forward: Hook = nothing
    after_layer: Hook = nothing
    after_backward: Hook = nothing
    optimizer: Hook | None = None
    at_end: Hook = nothing
    layers: int = 20
    gemm: str = HALF_GEMM
    gemm_ns: int = 220 * US
    pointwise_ns: int = 40 * US
    host_ns: int = 6 * US
    blocks_per_sm: float = 8.0


def run_step(loop: SimulatedLoop, number: int, step: Step) -> None:
    with loop.step():
        step.input(loop, number)
        step.copy(loop, number)
        step.before_forward(loop, number)
        with loop.span("forward", "user_annotation"):
            for layer in range(step.layers):
                run_layer(loop, step, "aten::linear", 1.0)
                step.after_layer(loop, layer)
        with loop.span("backward", "user_annotation"):
            for _ in range(step.layers):
                run_layer(loop, step, "autograd::engine::evaluate_function: AddmmBackward0", 2.0)
        step.after_backward(loop, number)
        with loop.span("Optimizer.step#AdamW.step", "user_annotation"):
            (step.optimizer or fused_optimizer)(loop, number)
        step.at_end(loop, number)


def run_layer(loop: SimulatedLoop, step: Step, name: str, factor: float) -> None:
    size: dict[str, Any] = {"blocks per SM": step.blocks_per_sm}
    loop.op(name, [(step.gemm, int(step.gemm_ns * factor))], host=step.host_ns, **size)
    loop.op("aten::add_", [(POINTWISE, int(step.pointwise_ns * factor))], host=step.host_ns, **size)


def fused_optimizer(loop: SimulatedLoop, _: int) -> None:
    for _ in range(4):
        loop.op("aten::_fused_adamw_", [("void at::native::multi_tensor_apply_kernel<fused_adam>(int)", 250 * US)])


def run(step: Step, *, loop: SimulatedLoop | None = None, steps: int = STEPS) -> SimulatedLoop:
    loop = loop or SimulatedLoop()
    for number in range(steps):
        run_step(loop, number, step)
    loop.synchronize()
    return loop


class Case(NamedTuple):
    name: str
    expected: str  # the code of the finding that must come first; "" for a healthy one
    make: Callable[[], list[SimulatedLoop]]  # one loop for each rank


def one(step: Step) -> Callable[[], list[SimulatedLoop]]:
    return lambda: [run(step)]


# Sick


def wait_for_batch(loop: SimulatedLoop, _: int) -> None:
    loop.synchronize()
    loop.load_batch(6 * MS)


def load_in_main_process(loop: SimulatedLoop, _: int) -> None:
    loop.synchronize()
    loop.load_batch(5 * MS, is_single_process=True)


def layer_items(loop: SimulatedLoop, layer: int) -> None:
    if layer % 2 == 0:
        loop.item()


def compile_again(loop: SimulatedLoop, number: int) -> None:
    if number % 3 == 1:
        loop.synchronize()
        outer, inner = "TorchDynamo: _compile.compile_inner", "Inductor: compile_fx_inner"
        with loop.span(outer, "user_annotation"), loop.span(inner, "user_annotation"):
            loop.work(25 * MS)


def unfused_optimizer(loop: SimulatedLoop, _: int) -> None:
    for _ in range(800):
        loop.op("aten::addcdiv_", [("void at::native::vectorized_elementwise_kernel<4, addcdiv>(int)", 3 * US)])


def exposed_all_reduce(loop: SimulatedLoop, _: int) -> None:
    for _ in range(4):
        loop.all_reduce(50_000_000, 1_500 * US)
    loop.wait_for(COMPUTE, NCCL)


def small_all_reduces(loop: SimulatedLoop, _: int) -> None:
    for _ in range(160):
        loop.all_reduce(20_000, 28 * US)
    loop.wait_for(COMPUTE, NCCL)


def gloo_all_reduce(loop: SimulatedLoop, _: int) -> None:
    loop.wait_for(COPIES, COMPUTE)
    loop.copy("DtoH", 200_000_000, 900 * US, is_blocking=True)
    with loop.span("gloo:all_reduce"):
        loop.work(6 * MS)
    loop.copy("HtoD", 200_000_000, 900 * US)
    loop.wait_for(COMPUTE, COPIES)


def data_parallel(loop: SimulatedLoop, _: int) -> None:
    with loop.span("DataParallel.forward", "user_annotation"):
        loop.synchronize(COMPUTE)
        with loop.span("Scatter"):
            loop.work(1 * MS)
        with loop.span("Broadcast"):
            loop.op("aten::copy_", [("ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*)", 2 * MS)], stream=NCCL)
            loop.synchronize(NCCL)


def allocate(loop: SimulatedLoop, _: int) -> None:
    loop.synchronize()
    for _ in range(6):
        with loop.span("cudaFree", "cuda_runtime"):
            loop.work(300 * US)
        with loop.span("cudaMalloc", "cuda_runtime"):
            loop.work(400 * US)


def save_checkpoint(loop: SimulatedLoop, number: int) -> None:
    if number % 4 == 2:
        loop.synchronize()
        save, write = "train.py(88): save_checkpoint", "torch/serialization.py(850): save"
        with loop.span(save, "python_function"), loop.span(write, "python_function"):
            loop.work(20 * MS)


def collect_garbage(loop: SimulatedLoop, _: int) -> None:
    loop.synchronize()
    with loop.span("<built-in function collect>", "python_function"):
        loop.work(3 * MS)


def grow_memory(loop: SimulatedLoop, _: int) -> None:
    with loop.span("aten::cat"):
        loop.memory(200_000_000)


def nearly_full(loop: SimulatedLoop, number: int) -> None:
    if number == 0:
        loop.memory(81_800_000_000)


def python_work(loop: SimulatedLoop, _: int) -> None:
    """Longer than the device has work for."""
    with loop.span("train.py(120): log_metrics", "python_function"):
        loop.work(26 * MS)


def slow_rank() -> list[SimulatedLoop]:
    """Rank 2 computes longer; the collectives of the others wait for it."""
    fast, slow = 220 * US, 330 * US
    loops = []
    for rank in range(4):
        gemm = slow if rank == 2 else fast
        loop = SimulatedLoop(rank=rank, world_size=4, seed=rank)
        wait = 0 if rank == 2 else int(20 * 3 * (slow - fast))

        def reduce(loop: SimulatedLoop, _: int, wait: int = wait) -> None:
            loop.all_reduce(50_000_000, 300 * US + wait)
            loop.wait_for(COMPUTE, NCCL)

        loops.append(run(Step(gemm_ns=gemm, after_backward=reduce), loop=loop))
    return loops


def host_only_with_slow_input() -> list[SimulatedLoop]:
    return host_only(input_ns=5 * MS)


SICK = [
    Case("slow input without a device", "input_bound", host_only_with_slow_input),
    Case(
        "few DataLoader workers",
        "input_bound",
        one(Step(input=wait_for_batch)),
    ),
    Case(
        "DataLoader in the main process",
        "input_in_main_process",
        one(Step(input=load_in_main_process)),
    ),
    Case(
        "batch copied on the compute stream",
        "exposed_copies",
        one(Step(copy=lambda loop, _: loop.copy("HtoD", 4 * BATCH_BYTES, 5 * MS, stream=COMPUTE))),
    ),
    Case(
        "pageable host memory",
        "unpinned_copies",
        one(
            Step(
                copy=lambda loop, _: loop.copy(
                    "HtoD", BATCH_BYTES, 4 * MS, is_pinned=False, stream=COMPUTE, is_blocking=True
                )
            )
        ),
    ),
    Case(
        "outputs copied to the host",
        "device_to_host_copies",
        one(
            Step(
                after_backward=lambda loop, _: loop.copy("DtoH", 100_000_000, 4 * MS, stream=COMPUTE, is_blocking=True)
            )
        ),
    ),
    Case(
        "item() after every other layer",
        "sync_calls",
        one(Step(after_layer=layer_items, gemm_ns=80 * US, host_ns=25 * US)),
    ),
    Case(
        "cudaDeviceSynchronize after every layer",
        "sync_calls",
        one(
            Step(
                after_layer=lambda loop, _: loop.synchronize(call="cudaDeviceSynchronize"),
                gemm_ns=60 * US,
                host_ns=25 * US,
            )
        ),
    ),
    Case(
        "slow host between launches", "launch_bound", one(Step(host_ns=90 * US, gemm_ns=40 * US, pointwise_ns=20 * US))
    ),
    Case(
        "eager mode with tiny tensors",
        "small_kernels",
        one(Step(layers=120, gemm_ns=4 * US, pointwise_ns=2 * US, host_ns=5 * US)),
    ),
    Case("matrix products in fp32", "full_precision", one(Step(gemm=FLOAT_GEMM, gemm_ns=600 * US))),
    Case("recompiles every third step", "recompilation", one(Step(before_forward=compile_again))),
    Case("all-reduce after backward", "exposed_communication", one(Step(after_backward=exposed_all_reduce))),
    Case("one all-reduce for each tensor", "small_collectives", one(Step(after_backward=small_all_reduces))),
    Case("gloo on GPUs", "host_collectives", one(Step(after_backward=gloo_all_reduce))),
    Case("DataParallel", "data_parallel", one(Step(before_forward=data_parallel))),
    Case("memory nearly full", "memory_near_limit", one(Step(after_backward=nearly_full))),
    Case("allocator asks the driver each step", "allocator_calls", one(Step(before_forward=allocate))),
    Case("checkpoint in the loop", "checkpoint_in_step", one(Step(at_end=save_checkpoint))),
    Case("gc.collect() each step", "garbage_collection", one(Step(at_end=collect_garbage))),
    Case("optimizer without foreach", "unfused_optimizer", one(Step(optimizer=unfused_optimizer, gemm_ns=60 * US))),
    Case("few blocks", "low_occupancy", one(Step(blocks_per_sm=0.15, gemm_ns=500 * US, pointwise_ns=100 * US))),
    Case("list of losses that keeps graphs", "memory_growth", one(Step(after_backward=grow_memory))),
    Case("Python between steps", "host_bound", one(Step(at_end=python_work))),
    Case("one slow rank", "straggler", slow_rank),
]


# Healthy


def hidden_all_reduce(loop: SimulatedLoop, _: int) -> None:
    """Buckets are sent while backward goes on."""
    begin = loop.free[COMPUTE] - 8 * MS
    for number in range(4):
        loop.all_reduce(50_000_000, 1_200 * US, after=begin + number * 2 * MS)
    loop.wait_for(COMPUTE, NCCL)


def varied(loop: SimulatedLoop, number: int) -> None:
    loop.work(random.Random(number).randrange(0, 300 * US))


def first_compile(loop: SimulatedLoop, number: int) -> None:
    if number == 0:
        with loop.span("TorchDynamo: _compile.compile_inner", "user_annotation"):
            loop.work(40 * MS)


def host_only(input_ns: int = 200 * US) -> list[SimulatedLoop]:
    loop = SimulatedLoop()
    for _ in range(STEPS):
        with loop.step():
            loop.load_batch(input_ns)
            for _ in range(20):
                with loop.span("aten::linear"), loop.span("aten::addmm"):
                    loop.work(700 * US)
            with loop.span("Optimizer.step#SGD.step", "user_annotation"), loop.span("aten::_foreach_add_"):
                loop.work(900 * US)
    return [loop]


def even_ranks() -> list[SimulatedLoop]:
    return [
        run(Step(after_backward=hidden_all_reduce), loop=SimulatedLoop(rank=rank, world_size=4, seed=rank))
        for rank in range(4)
    ]


HEALTHY = [
    Case("one device", "", one(Step())),
    Case(
        "overlapped all-reduce",
        "",
        lambda: [run(Step(after_backward=hidden_all_reduce), loop=SimulatedLoop(world_size=8))],
    ),
    Case("four even ranks", "", even_ranks),
    Case("host only", "", host_only),
    Case("item() once a step", "", one(Step(at_end=lambda loop, _: loop.item()))),
    Case("varied host times", "", one(Step(before_forward=varied))),
    Case(
        "memory at 80 %", "", one(Step(after_backward=lambda loop, n: loop.memory(64_000_000_000) if n == 0 else None))
    ),
    Case("compiled in the first step", "", one(Step(before_forward=first_compile))),
    Case("short waits for input", "", one(Step(input=lambda loop, _: loop.load_batch(350 * US)))),
    Case("memory up and down", "", one(Step(after_layer=lambda loop, n: loop.memory(10**8 if n % 2 else -(10**8))))),
    Case("few small kernels", "", one(Step(after_layer=lambda loop, _: loop.op("aten::fill_", [(POINTWISE, 3 * US)])))),
]
