"""Tests of when to trust file events and when to look again."""

import pytest

from seamark.store.watch import NETWORK_FILE_SYSTEMS, PollClock, _type_of, common_folder

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
tmpfs /tmp tmpfs rw 0 0
server:/home /home/me nfs4 rw 0 0
server:/data /mnt/my\\040data fuse.sshfs rw 0 0
/dev/sdb1 /home/me/local xfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/logs", "ext4"),
        ("/tmp", "tmpfs"),
        ("/tmpfiles", "ext4"),
        ("/home/me/runs", "nfs4"),
        ("/home/me/local/runs", "xfs"),
        ("/mnt/my data/runs", "fuse.sshfs"),
    ],
)
def test_the_file_system_of_a_folder_is_that_of_the_deepest_mount(path: str, kind: str) -> None:
    assert _type_of(path, MOUNTS) == kind


def test_network_disks_are_known_by_the_beginning_of_their_type() -> None:
    assert "nfs4".startswith(NETWORK_FILE_SYSTEMS)
    assert not "ext4".startswith(NETWORK_FILE_SYSTEMS)


def test_looking_again_backs_off_while_nothing_changes() -> None:
    clock = PollClock(interval_secs=2.0, backs_off=True)
    waits = []
    for _ in range(6):
        clock.looked(0.0, took_secs=0.0, has_changed=False)
        waits.append(clock.remaining_secs(0.0))
    assert waits == [3.0, 4.5, 6.75, 8.0, 8.0, 8.0]
    clock.looked(0.0, took_secs=0.0, has_changed=True)
    assert clock.remaining_secs(0.0) == 2.0


def test_a_walk_that_takes_long_is_made_less_often() -> None:
    clock = PollClock(interval_secs=2.0, backs_off=False)
    clock.looked(0.0, took_secs=1.0, has_changed=True)
    assert clock.remaining_secs(0.0) == 50.0


def test_changes_in_several_folders_are_looked_for_in_what_holds_them_all() -> None:
    assert common_folder(["a/b", "a/c"]) == "a"
    assert common_folder(["a/b", "ab"]) == ""
    assert common_folder(["", "a"]) == ""
    assert common_folder(["a/b"]) == "a/b"
