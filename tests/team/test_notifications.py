"""Notifications: what rules find, that each message is sent once, and where it may be sent."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seamark.compare.test_support import log_run
from seamark.team.notify.deliver import MAX_FAILURES
from seamark.team.notify.webhook import DeliveryError, is_public, send_webhook
from seamark.team.settings import TeamSettings
from tests.team.run_files import add_row, wait_for
from tests.team.sinks import mail_sink, webhook_sink
from tools.in_process_team import InProcessTeam, in_process_team

RULES = "/team/api/projects/lab/vision/notification_rules"


@pytest.fixture
def team(tmp_path: Path) -> Iterator[InProcessTeam]:
    settings = TeamSettings(allow_private_webhooks=True, public_url="https://runs.example.org")
    with in_process_team(tmp_path / "team", settings) as found:
        yield found


def add_rule(team: InProcessTeam, event: str, who: str = "writer", **body: Any) -> str:
    response = team.person(who).post(RULES, {"event": event, "channel": "page", **body})
    assert response.status_code == 200, response.text
    found: str = response.json()["id"]
    return found


def add_run(team: InProcessTeam, name: str = "a", **record: Any) -> Path:
    folder = team.team.folder.logs_dir(team.project.id) / name
    log_run(folder, loss=[3.0, 2.0, 9.0, 1.0])
    add_row(team, team.project, name)
    write_record(team, folder, **record)
    return folder


def write_record(team: InProcessTeam, folder: Path, *, later_secs: float = 0.0, **record: Any) -> None:
    """As an upload would: the row of the run says when."""
    whole = {"schema": "seamark.run", "version": 1, "heartbeat_at": time.time(), **record}
    (folder / "run.json").write_text(json.dumps(whole))
    now = time.time() + later_secs
    team.team.write(lambda transaction: transaction.execute("UPDATE runs SET uploaded_at = ?", now))


def evaluate(team: InProcessTeam, later_secs: float = 0.0) -> None:
    now = time.time() + later_secs
    team.client.portal.call(team.team.evaluation.evaluate, now)
    team.team.delivery.send_waiting(now)


def texts(team: InProcessTeam, who: str = "writer") -> list[str]:
    found = team.person(who).get("/team/api/notifications").json()["notifications"]
    return [each["text"] for each in reversed(found)]


def test_the_end_of_a_run_is_told_once(team: InProcessTeam) -> None:
    add_rule(team, "finished")
    add_rule(team, "crashed")
    folder = add_run(team, status="running")
    evaluate(team)
    assert texts(team) == []
    write_record(team, folder, status="finished", sessions=[{}])
    evaluate(team)
    evaluate(team)
    assert texts(team) == ["lab/vision: a has finished"]
    # Resumed, and then it fails.
    error = {"type": "ValueError", "message": "loss is NaN"}
    write_record(team, folder, status="crashed", sessions=[{}, {}], error=error)
    evaluate(team)
    evaluate(team)
    assert texts(team) == ["lab/vision: a has finished", "lab/vision: a crashed: ValueError: loss is NaN"]


def test_a_run_whose_trainer_is_gone_has_crashed(team: InProcessTeam) -> None:
    add_rule(team, "crashed")
    add_run(team, status="running", heartbeat_at=time.time(), writer={"host": "elsewhere"})
    evaluate(team, later_secs=300)  # perhaps only the network is gone
    assert texts(team) == []
    evaluate(team, later_secs=3600)
    assert texts(team) == ["lab/vision: a is lost: its program has sent nothing for 60 minutes"]


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ({"tag": "loss", "above": 8}, "loss rose above 8: 9"),
        ({"tag": "loss", "below": 1.5}, "loss fell below 1.5: 1"),
        ({"tag": "loss", "above": 8, "runs": "^b"}, ""),
        ({"tag": "loss", "above": 9}, ""),
        ({"tag": "nothing", "above": 0}, ""),
    ],
)
def test_a_threshold_counts_every_point(team: InProcessTeam, condition: dict[str, Any], sentence: str) -> None:
    add_rule(team, "threshold", condition=condition)
    add_run(team)
    wait_for(lambda: "loss" in team.person("viewer").get("/p/lab/vision/api/tags").text)
    evaluate(team)
    evaluate(team)
    assert texts(team) == ([f"lab/vision: a: {sentence}"] if sentence else [])


def test_no_progress_is_told_once_for_each_pause(team: InProcessTeam) -> None:
    add_rule(team, "no_progress", condition={"minutes": 5})
    folder = add_run(team, status="running", writer={"host": "elsewhere"})
    evaluate(team, later_secs=60)
    assert texts(team) == []
    evaluate(team, later_secs=400)
    evaluate(team, later_secs=2000)
    assert texts(team) == ["lab/vision: a has logged nothing for 5 minutes"]
    log_run(folder, loss=[0.5], began=1_800_000_000.0)
    path = max(folder.glob("*tfevents*"), key=lambda each: each.stat().st_mtime)
    os.utime(path, (time.time() + 3000, time.time() + 3000))
    write_record(team, folder, later_secs=3000, status="running", writer={"host": "elsewhere"})
    evaluate(team, later_secs=3100)
    assert len(texts(team)) == 1
    evaluate(team, later_secs=3400)
    assert len(texts(team)) == 2
    write_record(team, folder, later_secs=3500, status="finished")
    evaluate(team, later_secs=9000)
    assert len(texts(team)) == 2


def test_what_happened_before_the_rule_is_no_news(team: InProcessTeam) -> None:
    add_run(team, status="finished")
    team.team.write(lambda transaction: transaction.execute("UPDATE runs SET uploaded_at = ?", time.time() - 10))
    add_rule(team, "finished")
    evaluate(team)
    assert texts(team) == []


def test_a_webhook_gets_the_message_of_slack(team: InProcessTeam) -> None:
    with webhook_sink() as sink:
        rule_id = add_rule(team, "finished", channel="webhook", target=sink.url)
        add_run(team, "deep/run 1", status="finished")
        evaluate(team)
        evaluate(team)
        assert sink.messages == [
            {"text": "lab/vision: deep/run 1 has finished\nhttps://runs.example.org/p/lab/vision/run/deep%2Frun%201"}
        ]
        assert sink.requests == ["POST /hooks/secret application/json"]
        assert texts(team) == []
        assert team.person("writer").post(f"{RULES}/test", {"id": rule_id}).status_code == 200
        assert "this is a test" in sink.messages[-1]["text"]


def test_a_webhook_that_fails_is_tried_again_later(team: InProcessTeam) -> None:
    with webhook_sink() as sink:
        sink.status = 500
        add_rule(team, "finished", channel="webhook", target=sink.url)
        add_run(team, status="finished")
        evaluate(team)
        evaluate(team, later_secs=1)
        assert len(sink.messages) == 1
        evaluate(team, later_secs=40)
        assert len(sink.messages) == 2
        sink.status = 200
        evaluate(team, later_secs=70)  # it waits longer each time
        assert len(sink.messages) == 2
        evaluate(team, later_secs=120)
        evaluate(team, later_secs=7200)
        assert len(sink.messages) == 3


def test_a_webhook_that_never_answers_is_given_up(team: InProcessTeam) -> None:
    with webhook_sink() as sink:
        url = sink.url
    add_rule(team, "finished", channel="webhook", target=url)
    add_run(team, status="finished")
    for attempt in range(MAX_FAILURES + 3):
        evaluate(team, later_secs=attempt * 10_000.0)
    rows = team.team.read(lambda transaction: transaction.rows("SELECT failures, sent_at FROM notifications"))
    assert rows == [(MAX_FAILURES, None)]


def test_redirects_are_not_followed(team: InProcessTeam) -> None:
    with webhook_sink() as sink:
        sink.status = 302
        with pytest.raises(DeliveryError, match="status 302"):
            send_webhook(sink.url, "x", allow_private=True)
        assert len(sink.messages) == 1


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.9.9", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
     "::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "2002:7f00:1::", "::", "fe80::1%eth0",
     "64:ff9b::10.0.0.1"],
)  # fmt: skip
def test_private_addresses_are_recognized(address: str) -> None:
    assert not is_public(address)


def test_public_addresses_are_allowed() -> None:
    assert is_public("93.184.215.14")
    assert is_public("64:ff9b::5db8:d70e")
    assert is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "0x7f000001", "2130706433", "[::ffff:127.0.0.1]"])
def test_a_webhook_does_not_reach_the_servers_own_network(tmp_path: Path, host: str) -> None:
    with webhook_sink() as sink, in_process_team(tmp_path / "team") as team:
        url = sink.url.replace("127.0.0.1", host)
        rule_id = add_rule(team, "finished", channel="webhook", target=url)
        add_run(team, status="finished")
        evaluate(team)
        assert sink.messages == []
        response = team.person("writer").post(f"{RULES}/test", {"id": rule_id})
        assert response.status_code == 400
        assert "private network" in response.json()["error"] or "resolved" in response.json()["error"]


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://a.example/", "https://", "https://user:pw@a.example/", "https://a b/", "x"]
)
def test_only_web_addresses_are_webhooks(team: InProcessTeam, url: str) -> None:
    response = team.person("writer").post(RULES, {"event": "finished", "channel": "webhook", "target": url})
    assert response.status_code == 400


def set_smtp(team: InProcessTeam, port: int) -> None:
    body = {"host": "127.0.0.1", "port": port, "sender": "seamark@example.org", "security": "none"}
    assert team.person("server").request("PUT", "/team/api/smtp", json=body).status_code == 200


def test_mail_is_sent_once(team: InProcessTeam) -> None:
    with mail_sink() as sink:
        set_smtp(team, sink.port)
        add_rule(team, "crashed", channel="email")
        add_run(team, status="crashed", error={"type": "E", "message": "a\r\nBcc: all@example.org"})
        evaluate(team)
        evaluate(team)
        ((recipient, mail),) = sink.mails
        assert recipient == "writer@example.org"
        head, _, body = mail.partition("\n\n")
        assert "Subject: lab/vision: a crashed: E: a Bcc: all@example.org" in head
        assert not [line for line in head.splitlines() if line.startswith("Bcc")]
        assert "https://runs.example.org/p/lab/vision/run/a" in body


def test_mail_that_is_refused_is_tried_again(team: InProcessTeam) -> None:
    with mail_sink() as sink:
        set_smtp(team, sink.port)
        sink.refuses = True
        add_rule(team, "finished", channel="email")
        add_run(team, status="finished")
        evaluate(team)
        assert sink.mails == []
        sink.refuses = False
        evaluate(team, later_secs=60)
        assert len(sink.mails) == 1


def test_mail_goes_to_members_only(team: InProcessTeam) -> None:
    wanted = {"event": "finished", "channel": "email", "target": "stranger@example.org"}
    response = team.person("writer").post(RULES, wanted)
    assert response.status_code == 400
    assert "not a member" in response.json()["error"]
    assert team.person("writer").post(RULES, {**wanted, "target": "viewer@example.org"}).status_code == 200


def test_the_mail_server_is_set_by_an_admin_of_the_server(team: InProcessTeam) -> None:
    body = {"host": "mail.example.org", "sender": "a@example.org", "user": "u", "password": "p"}
    assert team.person("admin").request("PUT", "/team/api/smtp", json=body).status_code == 403
    assert team.person("admin").get("/team/api/smtp").status_code == 403
    server = team.person("server")
    assert server.request("PUT", "/team/api/smtp", json=body).json()["has_password"]
    del body["password"]  # stays as it is
    server.request("PUT", "/team/api/smtp", json=body)
    shown = server.get("/team/api/smtp")
    assert shown.json()["has_password"]
    assert "password" not in shown.json()


def test_a_mention_is_sent_to_those_who_asked_for_it(team: InProcessTeam) -> None:
    with webhook_sink() as sink:
        add_rule(team, "mention", "viewer", channel="webhook", target=sink.url)
        for text in ("@viewer@example.org look", "@admin@example.org look"):
            team.person("writer").post("/team/api/projects/lab/vision/comments", {"run": "a", "text": text})
        evaluate(team)
        (message,) = sink.messages
        assert message["text"].startswith("Writer mentioned you in lab/vision: @viewer@example.org look")


def test_people_see_and_delete_their_own_rules(team: InProcessTeam) -> None:
    rule_id = add_rule(team, "finished")
    assert [rule["id"] for rule in team.person("writer").get(RULES).json()["rules"]] == [rule_id]
    assert team.person("viewer").get(RULES).json() == {"rules": []}
    assert [rule["id"] for rule in team.person("admin").get(RULES).json()["rules"]] == [rule_id]
    assert team.person("viewer").post(f"{RULES}/delete", {"id": rule_id}).status_code == 404
    assert team.person("outsider").post(f"{RULES}/delete", {"id": rule_id}).status_code == 404
    assert team.person("writer").post(f"{RULES}/delete", {"id": rule_id}).status_code == 200
    assert team.person("writer").get(RULES).json() == {"rules": []}


@pytest.mark.parametrize(
    "body",
    [
        {"event": "threshold", "condition": {"tag": "loss"}},
        {"event": "threshold", "condition": {"above": 1}},
        {"event": "no_progress"},
        {"event": "no_progress", "condition": {"minutes": 0}},
        {"event": "finished", "condition": {"runs": "("}},
        {"event": "finished", "condition": {"other": 1}},
        {"event": "rained"},
        {"event": "finished", "channel": "pigeon"},
    ],
)
def test_a_rule_that_cannot_be_is_an_error(team: InProcessTeam, body: dict[str, Any]) -> None:
    response = team.person("writer").post(RULES, {"channel": "page", **body})
    assert response.status_code == 400, response.text
