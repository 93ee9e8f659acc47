"""Activities of names that real traces have."""

from __future__ import annotations

import pytest

from seamark.profiles.activity import Activity, classify, find_activities
from seamark.profiles.testing_events import profile_of, slice_event


@pytest.mark.parametrize(
    ("name", "category", "activity"),
    [
        # Kernels of NVIDIA's libraries, by the type of their inputs.
        ("ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_tn", "kernel", Activity.KERNEL_16),
        ("ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_tn", "kernel", Activity.KERNEL_16),
        ("volta_h884gemm_64x64_ldg8_nn", "Kernel", Activity.KERNEL_16),
        ("turing_s1688cudnn_128x128_ldg8_relu", "kernel", Activity.KERNEL_16),
        ("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", "kernel", Activity.KERNEL_16),
        ("nvjet_tst_128x256_64x4_1x2_h_bz_coopB_TNT", "kernel", Activity.KERNEL_16),
        ("void flash_fwd_kernel<Flash_fwd_kernel_traits<64, cutlass::bfloat16_t>>", "kernel", Activity.KERNEL_16),
        ("void at::native::vectorized_elementwise_kernel<4, FillFunctor<c10::Half>>", "kernel", Activity.KERNEL_16),
        ("_ZN2at6native13reduce_kernelIN3c108BFloat16E", "kernel", Activity.KERNEL_16),
        ("Cijk_Alik_Bljk_HHS_BH_MT128x128x16_SE", "kernel", Activity.KERNEL_16),
        ("Cijk_Alik_Bljk_SB_MT64x64x16_SE", "kernel", Activity.KERNEL_32),
        ("volta_sgemm_32x128_tn", "kernel", Activity.KERNEL_32),
        ("cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4", "kernel", Activity.KERNEL_32),
        ("sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw", "kernel", Activity.KERNEL_32),
        ("void xmma_new::gemm::kernel<xmma_new::Ampere_hmma_tf32_traits<un", "cuda_profiler_range", Activity.KERNEL_32),
        ("triton_poi_fused_add_relu_0", "kernel", Activity.KERNEL_32),
        # Other work on devices.
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "kernel", Activity.COLLECTIVE),
        ("all-gather-start.3", "XLA Ops", Activity.COLLECTIVE),
        ("Memcpy HtoD (Pinned -> Device)", "gpu_memcpy", Activity.COPY),
        ("MemcpyD2H", "Stream #20(MemcpyD2H)", Activity.COPY),
        ("dma_request", "mtia_ccp_events", Activity.COPY),
        ("pe_exe", "mtia_ccp_events", Activity.KERNEL_32),
        ("event_wait", "mtia_ccp_events", Activity.SYNC),
        ("Stream Wait Event", "cuda_sync", Activity.SYNC),
        ("loop_add_fusion", "Stream #14(Compute)", Activity.KERNEL_32),
        ("fusion.12", "XLA Ops", Activity.KERNEL_32),
        ("infeed.1", "XLA Ops", Activity.INPUT),
        ("jit_train_step(123)", "XLA Modules", Activity.DEVICE_ANNOTATION),
        ("12", "Steps", Activity.STEP),
        ("ProfilerStep#1", "gpu_user_annotation", Activity.DEVICE_ANNOTATION),
        # The host of torch.
        ("ProfilerStep#101", "user_annotation", Activity.STEP),
        ("ProfilerStep#2", "Operator", Activity.STEP),
        ("aten::conv2d", "cpu_op", Activity.HOST_OP),
        ("cudaLaunchKernel", "cuda_runtime", Activity.RUNTIME),
        ("hipExtModuleLaunchKernel", "cuda_runtime", Activity.RUNTIME),
        ("hipDeviceSynchronize", "cuda_runtime", Activity.SYNC),
        ("synchronizeStream", "mtia_runtime", Activity.SYNC),
        ("aten::_local_scalar_dense", "cpu_op", Activity.SYNC),
        ("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "user_annotation", Activity.INPUT),
        ("torch/utils/data/dataloader.py(701): __next__", "python_function", Activity.PYTHON),
        ("nn.Module: Conv2d_0", "python_function", Activity.MODULE),
        ("gloo:all_reduce", "user_annotation", Activity.COLLECTIVE),
        ("c10d::allreduce_", "cpu_op", Activity.COLLECTIVE),
        ("_compile.compile_inner (dynamo_timed)", "user_annotation", Activity.COMPILE),
        ("TorchDynamo Cache Lookup", "cpu_op", Activity.HOST_OP),
        ("Torch-Compiled Region: 0/0", "cpu_op", Activity.HOST_OP),
        ("## Call CompiledFxGraph f7x ##", "user_annotation", Activity.ANNOTATION),
        # The host of TensorFlow and JAX.
        ("matmul:_MklMatMul", "tf_Compute/-3619422058591913361", Activity.HOST_OP),
        ("IteratorGetNextOp::DoCompute", "python", Activity.INPUT),
        ("Iterator::Root::Prefetch::Map", "tf_data_iterator_resource/50845101", Activity.INPUT),
        ("ExecutorState::Process", "tf_data_private_threadpool/6776115063462942305", Activity.INPUT),
        ("ynn_fusion.1", "tf_XLAEigen/1403989702297090406", Activity.HOST_OP),
        ("end: dot", "tf_XLAEigen/1403989702297090406", Activity.OTHER),
        ("ThunkExecutor::Execute", "tf_XLAEigen/1403989702297090406", Activity.HOST_OP),
        ("ThunkExecutor::Execute (wait for completion)", "tf_XLAPjRtCpuClient/-66170084906", Activity.SYNC),
        ("CommonPjRtBuffer::Await", "python", Activity.SYNC),
        ("PjitFunction(step)", "python", Activity.HOST_OP),
        ("$time sleep", "python", Activity.PYTHON),
        ("backend_compile", "", Activity.COMPILE),
        ("Profiled batch", "python", Activity.STEP),
        ("EagerLocalExecute: IteratorGetNext", "python", Activity.HOST_OP),
        # Plain Chrome traces.
        ("render frame", "", Activity.OTHER),
    ],
)
def test_activity_of_a_name(name: str, category: str, activity: Activity) -> None:
    assert classify(name, category).name == activity.name


def test_a_slice_with_a_step_number_is_a_step() -> None:
    profile = profile_of(
        [slice_event("train", 0, 100, category="", step_num=3), slice_event("load", 0, 10, category="")]
    )
    texts = [entry.text for entry in profile.trace.names]
    assert profile.get(find_activities)[texts.index("train")] == Activity.STEP
    assert profile.get(find_activities)[texts.index("load")] == Activity.OTHER


def test_a_name_without_a_category_is_classified_by_its_track() -> None:
    thread = {"ph": "M", "name": "thread_name", "pid": 701, "tid": 3, "args": {"name": "tf_XLAEigen/1403"}}
    profile = profile_of([thread, slice_event("dot.3", 0, 100, category="", pid=701, tid=3)])
    assert profile.get(find_activities).tolist() == [Activity.HOST_OP]


def test_a_name_on_several_lines_is_not_classified_by_one_of_them() -> None:
    threads = [
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 3, "args": {"name": "tf_data_private_threadpool/1"}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 4, "args": {"name": "tf_Compute/2"}},
    ]
    slices = [slice_event("ExecutorState::Process", 0, 100, category="", pid=1, tid=tid) for tid in (3, 4)]
    assert profile_of([*threads, *slices]).get(find_activities).tolist() == [Activity.HOST_OP]
