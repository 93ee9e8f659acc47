"""What each rule looks for, and its threshold; docs/profile.md has the same table, and a test compares them."""

from __future__ import annotations

from seamark.profiles.results import RuleText

RULE_TEXTS = [
    RuleText(code=code, looks_for=looks_for, threshold=threshold)
    for code, looks_for, threshold in (
        ("input_bound", "the device waits while the host waits for a DataLoader or tf.data", "5 %"),
        ("input_in_main_process", "the same, with a DataLoader without workers", "5 %"),
        ("exposed_copies", "copies to the device while nothing else runs on it", "3 %"),
        ("unpinned_copies", "the same, from pageable memory, of 1 MB or more", "3 %"),
        ("device_to_host_copies", "copies to the host of 1 MB or more while nothing else runs", "3 %"),
        ("sync_calls", "idle time from the return of a waiting call to the next kernel", "3 %"),
        (
            "launch_bound",
            "idle time while the host is in operators and launches; the median kernel takes 10 µs or more",
            "3 %",
        ),
        ("small_kernels", "the same, the median kernel is shorter, and a step has 50 such kernels or more", "3 %"),
        ("unfused_optimizer", "idle time in the optimizer, which launches 50 kernels or more", "3 %"),
        ("host_bound", "idle time while the host's thread is in no operator", "3 %"),
        (
            "full_precision",
            "matrix kernels without tensor cores on a device that has them; half of their time counts",
            "5 %",
        ),
        (
            "low_occupancy",
            "kernels with less than half a block for each multiprocessor; half of the unused part counts",
            "3 %",
        ),
        ("recompilation", "compiling in a step that is not the first", "3 %"),
        (
            "exposed_communication",
            "collectives while the device computes nothing; without a device, while the thread runs no operator",
            "3 %",
        ),
        ("small_collectives", "the same, with 50 or more in a step whose median is below 100 µs", "3 %"),
        ("host_collectives", "gloo or MPI exchange data on the host while a device waits", "3 %"),
        ("data_parallel", "`nn.DataParallel`: its scattering, broadcasting and gathering", "3 %"),
        (
            "straggler",
            "the other ranks wait in collectives for the same rank, which waits a quarter as long at most",
            "3 %",
        ),
        ("allocator_calls", "`cudaMalloc`, `cudaFree` and their like after the first step", "3 %"),
        ("checkpoint_in_step", "a checkpoint is written while the device waits", "3 %"),
        ("garbage_collection", "Python's garbage collection while the device waits", "3 %"),
        ("memory_near_limit", "the highest reserved memory, as a share of the device's", "92 %"),
        (
            "memory_growth",
            "memory at the end of a step grows by 10 MB or more in four of five steps, over five or more",
            "10 MB",
        ),
        ("uneven_steps", "steps of more than 1.5 times the median, beyond what other rules explain", "5 %"),
    )
]
