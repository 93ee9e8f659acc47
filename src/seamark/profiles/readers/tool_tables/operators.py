"""tensorflow_stats.pb: the times of operators on host and device."""

from __future__ import annotations

import msgspec

from seamark.format.messages import TfStatsDatabase, TfStatsRecord
from seamark.profiles.activity import Activity, classify
from seamark.profiles.results import OperatorRow
from seamark.profiles.stored_tables import StoredTables

NS_PER_US = 1000
IDLE, DEVICE = "IDLE", "Device"


def with_operators(tables: StoredTables, data: bytes) -> StoredTables:
    """One row for each operator, with its record of the host and of the device. Raises DecodeError."""
    database = TfStatsDatabase.FromString(data)
    records = database.without_idle.tf_stats_record or database.with_idle.tf_stats_record
    hosts: dict[str, TfStatsRecord] = {}
    devices: dict[str, TfStatsRecord] = {}
    for record in records:
        if record.op_type != IDLE:
            (devices if record.host_or_device == DEVICE else hosts).setdefault(_name_of(record), record)
    rows = [_row(name, hosts.get(name), devices.get(name), bool(devices)) for name in {**devices, **hosts}]
    rows.sort(key=lambda row: (-(row.device_self_ns or 0), -row.self_ns, row.name))
    return msgspec.structs.replace(tables, operators=rows, device=tables.device or ("device" if devices else ""))


def _name_of(record: TfStatsRecord) -> str:
    """As in traces: `dense/MatMul:MatMul`."""
    is_named = record.op_type and record.op_type != record.op_name
    return f"{record.op_name}:{record.op_type}" if is_named else record.op_name


def _row(name: str, host: TfStatsRecord | None, device: TfStatsRecord | None, has_device: bool) -> OperatorRow:
    activity = classify(name, "Op" if device is None else "kernel")
    return OperatorRow(
        name=name,
        activity=int(Activity.HOST_OP if activity is Activity.OTHER else activity),
        calls=max(host.occurrences if host else 0, device.occurrences if device else 0),
        self_ns=_ns(host.total_self_time_in_us) if host else 0,
        total_ns=_ns(host.total_time_in_us) if host else 0,
        device_self_ns=(_ns(device.total_self_time_in_us) if device else 0) if has_device else None,
        device_total_ns=(_ns(device.total_time_in_us) if device else 0) if has_device else None,
        tensor_cores=True if device and device.gpu_tensorcore_utilization > 0 else None,
    )


def _ns(time_us: float) -> int:
    return round(time_us * NS_PER_US)
