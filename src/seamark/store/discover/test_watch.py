"""Tests of file systems that are polled, and of when they are polled."""

import pytest

from seamark.store.discover.watch import NETWORK_FILE_SYSTEMS, PollClock, _type_of, common_folder

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
tmpfs /tmp tmpfs rw 0 0
server:/home /home/me nfs4 rw 0 0
server:/data /mnt/my\\040data fuse.sshfs rw 0 0
/dev/sdb1 /home/me/local xfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "file_system"),
    [
        ("/var/logs", "ext4"),
        ("/tmp", "tmpfs"),
        ("/tmpfiles", "ext4"),
        ("/home/me/runs", "nfs4"),
        ("/home/me/local/runs", "xfs"),
        ("/mnt/my data/runs", "fuse.sshfs"),
    ],
)
def test_the_file_system_of_a_folder_is_that_of_the_deepest_mount(path: str, file_system: str) -> None:
    assert _type_of(path, MOUNTS) == file_system


def test_network_disks_are_recognised_by_the_prefix_of_their_type() -> None:
    assert "nfs4".startswith(NETWORK_FILE_SYSTEMS)
    assert not "ext4".startswith(NETWORK_FILE_SYSTEMS)


def test_polling_backs_off_while_nothing_changes() -> None:
    clock = PollClock(interval_secs=2.0, backs_off=True)
    waits = []
    for _ in range(6):
        clock.polled(0.0, took_secs=0.0, has_changed=False)
        waits.append(clock.remaining_secs(0.0))
    assert waits == [3.0, 4.5, 6.75, 8.0, 8.0, 8.0]
    clock.polled(0.0, took_secs=0.0, has_changed=True)
    assert clock.remaining_secs(0.0) == 2.0


def test_slow_walks_are_polled_less_often() -> None:
    clock = PollClock(interval_secs=2.0, backs_off=False)
    clock.polled(0.0, took_secs=1.0, has_changed=True)
    assert clock.remaining_secs(0.0) == 50.0


def test_changes_in_several_folders_are_walked_from_their_common_parent() -> None:
    assert common_folder(["a/b", "a/c"]) == "a"
    assert common_folder(["a/b", "ab"]) == ""
    assert common_folder(["", "a"]) == ""
    assert common_folder(["a/b"]) == "a/b"
