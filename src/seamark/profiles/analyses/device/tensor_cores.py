"""Tensor cores: which kernels run on them, and which could; by name, because traces do not say it."""

from __future__ import annotations

import re

# Shapes of matrix instructions (884, 1688, 16816, hmma, wgmma) and the libraries that use nothing else.
USES = re.compile(
    r"[hsic]884|[hsic]1688|16816|i8816|hmma|imma|wgmma|gmma|tensorop|xmma_|nvjet|"
    r"dgrad_1x1_stride_2x2|first_layer_wgrad_kernel|conv1x1|conv2d_c1_k1|direct_group|"
    r"flash_(fwd|bwd)|fmha_|mfma|_MT\d+x\d+x\d+.*_MFMA",
    re.IGNORECASE,
)
# Matrix products and convolutions.
COULD = re.compile(
    r"gemm|gemv|_nn_|_nt_|_tn_|cutlass|convolve|implicit_convolve|winograd|[dw]grad|scudnn|attention|fmha|matmul|Cijk_",
    re.IGNORECASE,
)
OPERATORS = re.compile(
    r"(aten::)?(_?conv|convolution|cudnn_convolution|miopen_convolution|addmm|addmv|addbmm|baddbmm|bmm|mm\b|mv\b|matmul|"
    r"linear|chain_matmul|linalg_multi_dot|lstm_cell|gru_cell|_thnn_fused|scaled_dot_product|_flash_attention|"
    r"_efficient_attention)|(Mm|Addmm|Bmm|Baddbmm|Convolution|CudnnConvolution)Backward|.*\b(MatMul|Conv2D|Einsum|dot)\b"
)


def uses_tensor_cores(kernel: str) -> bool:
    return USES.search(kernel) is not None


def could_use(kernel: str) -> bool:
    return COULD.search(kernel) is not None or uses_tensor_cores(kernel)


def is_matrix_operator(operator: str) -> bool:
    return OPERATORS.match(operator) is not None
