"""Compilers: the events of XLA, TorchDynamo, Inductor and Triton, by their names."""

from __future__ import annotations

import re

# In this order; the first that matches names the compiler.
COMPILERS = (
    ("Triton", re.compile(r"\btriton\w*[._]compil|make_(cubin|ptx|llir|ttgir|ttir)\b|TritonBundler", re.IGNORECASE)),
    (
        "Inductor",
        re.compile(
            r"inductor|async_compile|CompileFx|compile_fx|PyCodeCache|GraphLowering|FxGraphCache", re.IGNORECASE
        ),
    ),
    (
        "TorchDynamo",
        re.compile(
            r"\(dynamo_timed\)|_compile\.(compile_inner|_?compile)\b|entire_(frame|backward)_compile|compile_attempt_\d"
            r"|AOTAutograd|aot_\w*(compile|trace)|bytecode_tracing|build_guards|OutputGraph\.call_user_compiler"
            r"|\Abackend_compile\Z|\Adynamo\Z",
        ),
    ),
    (
        "XLA",
        re.compile(
            r"Xla\w*Compil|HloPass|RunHloPasses|RunBackend\b|backend_compile|compile_or_get_cached|CompileAndLoad"
            r"|PjRt\w*(::)?Compil|cached_compilation|compile_to_llvm|CompileModule|XlaComputation|LlvmCompiler"
            r"|lower_sharding_computation|\bir_emitter|CpuCompiler|GpuCompiler|jit_compile",
            re.IGNORECASE,
        ),
    ),
)
# Written beside each of torch's events, with the compile id in the name.
DATA_NAME = re.compile(r"\w[\w.]*_data: ")
# What runs compiled code, or looks for it.
RUNNING_NAME = re.compile(r"Cache Lookup|Torch-Compiled Region|CompiledF(unction|xGraph)|is_compiling|graph_break")


def compiler_of(text: str, category: str) -> str:
    """Empty: not an event of a compiler."""
    if category == "python_function" or RUNNING_NAME.search(text) or DATA_NAME.match(text):
        return ""
    return next((compiler for compiler, pattern in COMPILERS if pattern.search(text)), "")
