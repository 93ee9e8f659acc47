"""HParams in a real browser: three writers, one brush, and every view that follows it."""

from __future__ import annotations

import csv
import json
import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.trial_logs import STEPS, Made, write_sweep, write_trial
from tools.browser import served

TRIALS = 40
# A thousand event files are read first.
PATIENCE_MS = 30_000


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Made]]]:
    """One server for all tests that only look."""
    logdir = tmp_path_factory.mktemp("sweep")
    made = write_sweep(logdir, TRIALS)
    with served("--logdir", str(logdir)) as address:
        yield address, made


def grid(page: Page) -> Locator:
    return page.get_by_role("grid", name="Trials")


def rows(page: Page) -> Locator:
    return grid(page).locator("[role=rowgroup] [role=row]")


def row(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.get_by_text(name, exact=True))


def has_rows(page: Page, count: int) -> None:
    expect(grid(page)).to_have_attribute("aria-rowcount", str(count + 1), timeout=PATIENCE_MS)


def column_of(page: Page, title: str) -> list[str]:
    """The words of a column in the rows on screen, by its place in the header."""
    head = grid(page).get_by_role("columnheader").filter(has=page.get_by_text(title, exact=True))
    place = head.get_attribute("aria-colindex")
    return rows(page).locator(f"[aria-colindex='{place}']").all_inner_texts()


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def parallel(page: Page) -> Locator:
    return page.get_by_role("application", name=re.compile("^Parallel coordinates"))


def matrix(page: Page) -> Locator:
    return page.get_by_role("application", name=re.compile("^Scatter matrix"))


def brush(page: Page, axis: str, start: float, stop: float, *, shift: bool = False) -> None:
    """Along an axis, by shares of its length from the bottom."""
    head = page.get_by_role("button", name=re.compile(rf"^Axis {re.escape(axis)}, ")).bounding_box()
    glass = parallel(page).bounding_box()
    assert head is not None and glass is not None
    x, top, bottom = head["x"] + head["width"] / 2, glass["y"] + 34, glass["y"] + glass["height"] - 14
    if shift:
        page.keyboard.down("Shift")
    page.mouse.move(x, bottom - start * (bottom - top))
    page.mouse.down()
    page.mouse.move(x, bottom - (start + stop) / 2 * (bottom - top))
    page.mouse.move(x, bottom - stop * (bottom - top))
    page.mouse.up()
    if shift:
        page.keyboard.up("Shift")


def link_of(page: Page) -> str:
    """By a timer of the page itself, which ends after the one that writes the address, however busy the machine is."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    return page.url


def picked(page: Page) -> dict[str, Any]:
    """The brush as the address has it."""
    found = parse_qs(urlsplit(link_of(page)).fragment).get("hparams.brush")
    return json.loads(found[0]) if found else {}


def is_inside(trial: Made, brush: dict[str, Any]) -> bool:
    values = {f"param:{name}": value for name, value in trial.params.items()} | {"metric:val/loss:last": trial.loss}
    return all(
        any(low <= values[name] <= high for low, high in picks)
        if isinstance(picks[0], list)
        else str(values[name]).lower() in [str(pick).lower() for pick in picks]
        for name, picks in brush.items()
    )


def held_by(brush: dict[str, Any], made: list[Made]) -> list[Made]:
    return [trial for trial in made if is_inside(trial, brush)]


def drawn(view: Locator, count: int) -> None:
    expect(view).to_have_attribute("data-drawn", str(count), timeout=PATIENCE_MS)


def test_numbers_on_the_screen_are_those_that_were_logged(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    has_rows(page, TRIALS)
    by_loss = sorted(made, key=lambda trial: trial.loss)
    names = column_of(page, "Trial")
    assert names == [trial.name for trial in by_loss[: len(names)]] and len(names) >= 10
    for title, value_of in {
        "val/loss": lambda trial: trial.loss,
        "val/acc": lambda trial: trial.accuracy,
        "lr": lambda trial: trial.params["lr"],
        "batch": lambda trial: trial.params["batch"],
    }.items():
        shown = [number(text) for text in column_of(page, title)]
        assert shown == pytest.approx([value_of(trial) for trial in by_loss[: len(shown)]], rel=2e-3), title
    assert column_of(page, "optimizer")[:5] == [trial.params["optimizer"] for trial in by_loss[:5]]
    best = page.get_by_role("region", name="Best trial")
    expect(best).to_contain_text(by_loss[0].name)
    assert number(best.locator("dd").first.inner_text()) == pytest.approx(by_loss[0].loss, rel=1e-3)
    inside = page.get_by_role("region", name="Inside the brush")
    mean = inside.locator("dt", has_text="mean val/loss").locator("xpath=following-sibling::dd[1]").inner_text()
    assert number(mean) == pytest.approx(statistics.fmean(trial.loss for trial in made), rel=1e-3)
    drawn(parallel(page), TRIALS)


def test_a_brush_changes_the_table_the_matrix_and_the_runs_on_other_tabs(
    swept: tuple[str, list[Made]], open_page: OpenPage
) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    drawn(parallel(page), TRIALS)
    brush(page, "lr", 0.25, 0.7)
    ((name, picks),) = picked(page).items()
    assert name == "param:lr" and len(picks) == 1
    inside = held_by(picked(page), made)
    assert 5 < len(inside) < TRIALS - 5
    drawn(parallel(page), len(inside))
    expect(page.get_by_role("status").filter(has_text="of 40 trials")).to_contain_text(f"{len(inside)} of 40 trials")
    # The table: inside is checked, outside is not, and both are there.
    for trial in sorted(made, key=lambda trial: trial.loss)[:8]:
        expect(row(page, trial.name)).to_have_attribute("aria-selected", str(trial in inside).lower())
    has_rows(page, TRIALS)
    # A second axis, with a word.
    brush(page, "optimizer", 0.0, 0.3)
    assert set(picked(page)) == {"param:lr", "param:optimizer"}
    inside = held_by(picked(page), made)
    drawn(parallel(page), len(inside))
    # The scatter matrix has the same.
    page.get_by_role("button", name="Scatter matrix").click()
    drawn(matrix(page), len(inside))
    # And so have the curves.
    page.get_by_role("link", name="Scalars", exact=True).click()
    expect(page.locator("aside[aria-label=Runs]")).to_contain_text(f"{len(inside)} of 40 runs shown")
    expect(page.locator("article").first).to_contain_text(f"{len(inside)} runs")
    # Back, and away with it.
    page.go_back()
    drawn(matrix(page), len(inside))
    page.keyboard.press("Escape")
    drawn(matrix(page), TRIALS)
    assert picked(page) == {}
    page.get_by_role("link", name="Scalars", exact=True).click()
    expect(page.locator("aside[aria-label=Runs]")).to_contain_text("40 of 40 runs shown")


def test_shift_adds_a_range_a_click_takes_it_away_and_a_link_keeps_it(
    swept: tuple[str, list[Made]], open_page: OpenPage
) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    drawn(parallel(page), TRIALS)
    brush(page, "lr", 0.0, 0.2)
    brush(page, "lr", 0.6, 0.9, shift=True)
    assert len(picked(page)["param:lr"]) == 2
    inside = held_by(picked(page), made)
    drawn(parallel(page), len(inside))
    again = open_page(link_of(page))
    drawn(parallel(again), len(inside))
    brush(again, "lr", 0.4, 0.4)
    assert picked(again) == {}
    drawn(parallel(again), TRIALS)


def axes(page: Page) -> list[str]:
    heads = page.get_by_role("button", name=re.compile("^Axis "))
    return [text.strip() for text in heads.all_inner_texts()]


def test_axes_move_by_key_and_by_drag_and_change_their_scale(
    swept: tuple[str, list[Made]], open_page: OpenPage
) -> None:
    address, _ = swept
    page = open_page(address + "#hparams")
    drawn(parallel(page), TRIALS)
    before = axes(page)
    assert before[-1] == "val/loss"
    lr = page.get_by_role("button", name=re.compile("^Axis lr, "))
    expect(lr).to_have_attribute("aria-label", "Axis lr, log")
    lr.focus()
    page.keyboard.press("Shift+ArrowLeft")
    place = before.index("lr")
    moved = [*before[: place - 1], "lr", before[place - 1], *before[place + 1 :]]
    expect(page.get_by_role("button", name=re.compile("^Axis ")).nth(place - 1)).to_have_text("lr")
    assert axes(page) == moved
    # To the front, with the mouse.
    box = lr.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"] + 8)
    page.mouse.move(20, box["y"] + 8)
    page.mouse.up()
    expect(page.get_by_role("button", name=re.compile("^Axis ")).first).to_have_text("lr")
    lr.click()
    page.get_by_role("button", name="quantile").click()
    expect(lr).to_have_attribute("aria-label", "Axis lr, quantile")
    page.get_by_label("Highest lr").fill("0.001")
    page.get_by_label("Highest lr").press("Enter")
    page.keyboard.press("Escape")
    drawn(parallel(page), sum(trial.params["lr"] <= 0.001 for trial in swept[1]))
    again = open_page(link_of(page))
    expect(again.get_by_role("button", name=re.compile("^Axis ")).first).to_have_attribute(
        "aria-label", "Axis lr, quantile"
    )


def test_a_drag_in_the_scatter_matrix_brushes_two_axes(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    axes = json.dumps(["param:lr", "param:weight decay", "metric:val/loss:last"])
    page = open_page(address + f"#hparams&hparams.view=matrix&hparams.axes={axes}")
    drawn(matrix(page), TRIALS)
    box = matrix(page).bounding_box()
    assert box is not None
    # The cell in the second row, first column: lr along, weight decay up.
    page.mouse.move(box["x"] + 84 + 60, box["y"] + box["height"] / 3 + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 84 + 200, box["y"] + box["height"] * 2 / 3 - 40, steps=4)
    page.mouse.up()
    assert set(picked(page)) == {"param:lr", "param:weight decay"}
    drawn(matrix(page), len(held_by(picked(page), made)))


def test_downloads_are_the_table_as_it_stands(
    swept: tuple[str, list[Made]], open_page: OpenPage, tmp_path: Path
) -> None:
    address, made = swept
    page = open_page(address + '#hparams&hparams.sort=["param:lr"]')
    drawn(parallel(page), TRIALS)
    brush(page, "lr", 0.25, 0.7)
    inside = sorted(held_by(picked(page), made), key=lambda trial: trial.params["lr"])

    def download(words: str) -> str:
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Download {words}").click()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
        return path.read_text()

    table = list(csv.DictReader(download("CSV").splitlines()))
    assert [line["trial"] for line in table] == [trial.name for trial in inside]
    for line, trial in zip(table, inside, strict=True):
        assert float(line["lr"]) == pytest.approx(trial.params["lr"], rel=1e-12)
        assert float(line["val/loss"]) == pytest.approx(trial.loss, rel=1e-6)
        assert line["optimizer"] == trial.params["optimizer"] and line["bias"] == str(trial.params["bias"]).lower()
    objects = json.loads(download("JSON"))
    assert [each["trial"] for each in objects] == [trial.name for trial in inside]
    assert objects[0]["params"]["batch"] == inside[0].params["batch"]
    assert objects[0]["metrics"]["val/loss.last"] == pytest.approx(inside[0].loss, rel=1e-6)
    latex = download("LaTeX")
    assert latex.count("\\\\\n") == len(inside) + 1 and "weight decay" in latex
    best = min(inside, key=lambda trial: trial.loss)
    assert f"\\textbf{{${best.loss:.4g}$}}" in latex


def test_filters_leave_out_what_does_not_fit(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    # Half a query is refused, and the browser says so in its console.
    page = open_page(address + "#hparams", may_complain=True)
    has_rows(page, TRIALS)
    page.get_by_label("Filter trials").fill('lr < 0.002 and optimizer == "adamw"')
    left = [trial for trial in made if trial.params["lr"] < 0.002 and trial.params["optimizer"] == "adamw"]
    has_rows(page, len(left))
    drawn(parallel(page), len(left))
    page.get_by_role("button", name="Filter", exact=True).click()
    dialog = page.get_by_role("dialog", name="Filter")
    dialog.get_by_text("depth", exact=True).click()
    dialog.get_by_label("Highest depth").fill("50")
    dialog.get_by_label("Highest depth").press("Enter")
    left = [trial for trial in left if trial.params["depth"] <= 50]
    has_rows(page, len(left))
    expect(page.get_by_role("toolbar").locator(".count")).to_have_text(re.compile(rf"^{len(left)}\s+of 40 trials$"))
    page.get_by_label("Filter trials").fill("lr < ")
    expect(page.get_by_role("alert").first).to_be_visible()


def test_the_objective_can_be_any_statistic_of_any_metric(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    has_rows(page, TRIALS)
    page.get_by_role("button", name="Objective").click()
    page.get_by_role("dialog", name="Objective").get_by_role("button", name="val/acc").click()
    page.get_by_label("Statistic").select_option("first")
    page.keyboard.press("Escape")
    worst_first = sorted(made, key=lambda trial: -trial.accuracy)
    expect(page.get_by_role("region", name="Best trial")).to_contain_text(worst_first[0].name)
    first = page.get_by_role("region", name="Best trial").locator("dd").first
    assert number(first.inner_text()) == pytest.approx(worst_first[0].accuracy * 0.5, rel=1e-3)


def test_a_trial_opens_with_all_it_has_and_its_curves(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    best = min(made, key=lambda trial: trial.loss)
    row(page, best.name).get_by_text(best.name).dblclick()
    session = page.get_by_label(f"Trial {best.name}")
    expect(session).to_contain_text("optimizer")
    expect(session.locator("dt", has_text="optimizer").locator("xpath=following-sibling::dd[1]")).to_have_text(
        best.params["optimizer"]
    )
    expect(session.locator("figure")).to_have_count(2)
    expect(session.locator("figure", has_text="val/loss").locator("b")).to_have_text(f"{best.loss:.4f}")
    expect(session.locator(".chart[data-drawn]:not([data-drawn='0'])")).to_have_count(2)
    page.get_by_role("button", name="The trial below").click()
    expect(page.get_by_label(f"Trial {sorted(made, key=lambda trial: trial.loss)[1].name}")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="Importance")).to_be_visible()


def test_importance_names_what_mattered_and_shows_its_effect(
    swept: tuple[str, list[Made]], open_page: OpenPage
) -> None:
    address, _ = swept
    page = open_page(address + "#hparams")
    importance = page.get_by_role("region", name="Importance")
    ranked = importance.locator("button.row")
    expect(ranked.first).to_contain_text("lr")
    numbers = [number(text) for text in importance.locator(".number").all_inner_texts()]
    assert numbers == sorted(numbers, reverse=True) and len(numbers) == 7
    ranked.first.click()
    effect = importance.get_by_role("img", name=re.compile("^Effect of lr on "))
    assert effect.locator("circle").count() >= 3
    # The loss is lowest in the middle of the learning rates: there the curve is further down than at both ends.
    heights = [float(circle.get_attribute("cy") or "nan") for circle in effect.locator("circle").all()]
    assert max(heights[1:-1]) > max(heights[0], heights[-1])


def test_a_caveat_of_importance_does_not_hide_it(address: str, open_page: OpenPage, logdir: Path) -> None:
    for index in range(30):
        params = {"lr": (index * 7919 % 30) / 30, "width": (index * 104729 % 31) / 31}
        write_trial(logdir, Made(f"run-{index}", params, (index * 15485863 % 97) / 97, 0.5, 5.0))
    page = open_page(address + "#hparams")
    importance = page.get_by_role("region", name="Importance")
    expect(importance).to_contain_text("next to nothing", timeout=PATIENCE_MS)
    expect(importance.locator("button.row")).to_have_count(2)


def log_with_torch(logdir: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    for number in range(3):
        with SummaryWriter(str(logdir / f"torch-{number}")) as writer:
            for step in range(STEPS):
                writer.add_scalar("loss", 1.0 / (step + 1 + number), step)
            writer.add_hparams({"lr": 0.1 * (number + 1), "act": "relu"}, {"hparam/score": float(number)})


def log_with_init(logdir: Path) -> None:
    import seamark

    run = seamark.init(
        name="ours", dir=logdir, config={"lr": 0.4, "optim": {"name": "sgd"}}, console="off", system_metrics_secs=0, git=False, quiet=True
    )  # fmt: skip
    run.log({"loss": 0.25}, step=1)
    run.finish()


def test_trials_of_three_writers_share_one_table(address: str, open_page: OpenPage, logdir: Path) -> None:
    log_with_torch(logdir)
    log_with_init(logdir)
    (trial,) = write_sweep(logdir, 1)
    page = open_page(
        address
        + '#hparams&hparams.columns=["param:lr","param:act","param:optim.name","metric:hparam/score:last","metric:loss:last"]&hparams.sort=["param:lr"]'
    )
    # torch's own runs below each run are folded into it.
    has_rows(page, 5)
    assert [number(text) for text in column_of(page, "lr")] == pytest.approx(
        [trial.params["lr"], 0.1, 0.2, 0.3, 0.4], rel=1e-3
    )
    assert column_of(page, "act") == ["", "relu", "relu", "relu", ""]
    assert column_of(page, "optim.name")[-1] == "sgd"
    assert [text for text in column_of(page, "hparam/score") if text] and column_of(page, "hparam/score")[0] == ""
    # What a run does not have is below its axis, and can be picked there.
    drawn(parallel(page), 5)
    expect(page.locator("svg text", has_text="none").first).to_be_visible()


def test_new_trials_appear_by_themselves(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_sweep(logdir, 4)
    page = open_page(address + "#hparams")
    drawn(parallel(page), 4)
    brush(page, "lr", -0.02, 1.02)
    assert set(picked(page)) == {"param:lr"}
    late = Made("late", {"lr": 0.5, "depth": 50}, 0.01, 0.99, 5.0)
    write_trial(logdir, late)
    has_rows(page, 5)
    expect(page.get_by_role("region", name="Best trial")).to_contain_text("late")
    # It lies outside the brush: not drawn, not checked.
    drawn(parallel(page), 4)
    expect(row(page, "late")).to_have_attribute("aria-selected", "false")


def test_seeds_are_averaged(address: str, open_page: OpenPage, logdir: Path) -> None:
    for index in range(6):
        params = {"lr": 0.1 if index < 3 else 0.2, "seed": index % 3}
        write_trial(logdir, Made(f"run-{index}", params, 1.0 + index, 0.5, 5.0))
    page = open_page(address + "#hparams")
    has_rows(page, 6)
    page.get_by_role("button", name="Seeds").click()
    page.get_by_role("dialog", name="Seeds").get_by_role("button", name="averaged").click()
    page.keyboard.press("Escape")
    has_rows(page, 2)
    assert column_of(page, "Trial (runs)") == ["run-0 ×3", "run-3 ×3"]
    means = [text.split("±") for text in column_of(page, "val/loss")]
    assert [number(mean) for mean, _ in means] == [2.0, 5.0]
    assert [number(deviation) for _, deviation in means] == [1.0, 1.0]


HOSTILE = "<img src=x onerror=alert(1)> \N{GRINNING FACE} '\"&,__proto__"


def test_hostile_names_and_values_are_text(address: str, open_page: OpenPage, logdir: Path) -> None:
    for number in range(4):
        params = {
            HOSTILE: number * 1.5,
            "constructor": "</script><b>x" if number % 2 else "",
            "lr": 0.1 * (number + 1),
            "a" * 300: "b" * 500,
        }
        write_trial(
            logdir,
            Made(f"run {number} {HOSTILE[:20]}", params, float("nan") if number == 0 else 1.0 / number, 0.5, 5.0),
        )
    page = open_page(address + "#hparams")
    has_rows(page, 4)
    drawn(parallel(page), 4)
    expect(grid(page)).to_contain_text("</script><b>x")
    assert page.locator("main img, main b:text-is('x')").count() == 0
    # The run that went to NaN has its own mark, and is the last in the table.
    expect(page.locator("svg text", has_text="NaN")).to_be_visible()
    assert column_of(page, "val/loss")[-1] == "NaN"
    brush(page, "constructor", 0.5, 1.0)
    assert picked(page) == {"param:constructor": ["</script><b>x"]}
    drawn(parallel(page), 2)
    page.get_by_role("button", name="Scatter matrix").click()
    drawn(matrix(page), 2)


def test_without_hyperparameters_it_says_how_to_log_them(address: str, open_page: OpenPage, logdir: Path) -> None:
    from seamark.write.event_file import EventFile

    with EventFile(logdir / "plain") as file:
        file.add_scalar("loss", 1.0, 0)
    page = open_page(address + "#hparams")
    expect(page.get_by_text("No hyperparameters yet")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("add_hparams")
    page.get_by_role("button", name="Keras").click()
    expect(page.locator("pre")).to_contain_text("hp.KerasCallback")
    page.get_by_role("button", name="seamark", exact=True).click()
    expect(page.locator("pre")).to_contain_text("seamark.init")


def test_a_thousand_trials(address: str, open_page: OpenPage, logdir: Path) -> None:
    made = write_sweep(logdir, 1000)
    page = open_page(address + "#hparams")
    has_rows(page, 1000)
    drawn(parallel(page), 1000)
    brush(page, "lr", 0.3, 0.6)
    inside = len(held_by(picked(page), made))
    assert 200 < inside < 500
    drawn(parallel(page), inside)
    page.get_by_role("button", name="Keep only these").click()
    has_rows(page, inside)
    drawn(parallel(page), inside)
    page.get_by_role("button", name="Scatter matrix").click()
    drawn(matrix(page), inside)
    page.get_by_role("link", name="Scalars", exact=True).click()
    expect(page.locator("aside[aria-label=Runs]")).to_contain_text(f"{inside} of 1,000 runs shown")
