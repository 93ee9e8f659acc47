"""The messages match the .proto files and are in a private pool."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from seamark.format import messages

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture
def make_messages() -> ModuleType:
    path = REPOSITORY / "tools" / "make_messages.py"
    spec = importlib.util.spec_from_file_location("make_messages", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_descriptors_and_stub_are_up_to_date(make_messages: ModuleType) -> None:
    pytest.importorskip("grpc_tools", reason="grpcio-tools is not installed: nothing to compare with")
    descriptors = make_messages.compile_protos()
    assert make_messages.DESCRIPTORS_PATH.read_bytes() == descriptors
    assert make_messages.STUB_PATH.read_text() == make_messages.make_stub(descriptors)


def test_an_event_is_parsed_as_it_was_serialized() -> None:
    event = messages.Event(step=-3, wall_time=1.5)
    event.summary.value.add(tag="loss", simple_value=0.25)
    again = messages.Event.FromString(event.SerializeToString())
    assert (again.step, again.summary.value[0].tag, again.summary.value[0].simple_value) == (-3, "loss", 0.25)


def test_enums_have_names_and_numbers() -> None:
    assert messages.DataType.DT_BFLOAT16 == 14
    assert messages.DataType.Name(19) == "DT_HALF"
    assert messages.SessionLog.CHECKPOINT == 3


def test_our_messages_are_not_in_the_shared_pool() -> None:
    from google.protobuf import descriptor_pool

    with pytest.raises(KeyError):
        descriptor_pool.Default().FindMessageTypeByName("seamark.v1.Event")


@pytest.mark.parametrize("order", [("tensorboard.compat.proto.event_pb2", "seamark.format.messages")])
@pytest.mark.parametrize("swapped", [False, True])
def test_tensorboard_and_seamark_can_be_imported_in_one_process(order: tuple[str, str], swapped: bool) -> None:
    pytest.importorskip("tensorboard")
    first, second = order[::-1] if swapped else order
    subprocess.run([sys.executable, "-c", f"import {first}, {second}"], check=True)


def test_the_light_modules_load_neither_protobuf_nor_pillow() -> None:
    code = (
        "import sys, seamark, seamark.format, seamark.kinds, seamark.kinds.kind;"
        "print([name for name in ('google.protobuf', 'PIL', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
