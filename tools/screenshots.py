"""Makes the screenshots in docs/ from new demo runs: python tools/screenshots.py [folder]."""

from __future__ import annotations

import io
import json
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from bench.profiles.cases import Step, exposed_all_reduce, nearly_full, run, wait_for_batch
from bench.profiles.simulated_loop import SimulatedLoop
from seamark._core import encode_file_version, encode_scalars
from seamark.cli import main as seamark
from tools.browser import launch, served

DOCS = Path(__file__).resolve().parent.parent / "docs"
# Besides Scalars: HParams, a run, and two runs compared.
PAGES = {
    "hparams": "#hparams",
    "run": "run/lr0.5/seed0#timeseries&run.with=lr0.1/seed0",
    "compare": "compare?runs=lr0.5/seed0,lr0.1/seed0",
}
# Graphs: a dead layer, and what differs between two models.
BLOCK = "GPT/ModuleList[h]/Block[6]/"
OPEN = quote(json.dumps(["GPT/", "GPT/ModuleList[h]/", BLOCK, BLOCK + "MLP[mlp]/"]))
GRAPHS = {
    "light": (
        "graphs",
        f"#graphs&graphs.run=gpt/deeper&graphs.colour=health&graphs.open={OPEN}"
        f"&selected={quote(f'graph_node,run:gpt/deeper,id:{BLOCK}MLP[mlp]/Linear[c_fc]/')}",
    ),
    "dark": (
        "graphs-compare",
        f"#graphs&graphs.run=gpt/deeper&graphs.colour=change&graphs.open={OPEN}"
        f"&graphs.baseline={quote(json.dumps(['gpt/base', 'run_graph']))}",
    ),
}
SIZE: ViewportSize = {"width": 1440, "height": 900}


def take(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        seamark(["demo", "--logdir", scratch, "--no_serve"])
        browser = launch(playwright)
        with served("--logdir", scratch) as address:
            for theme in ("light", "dark"):
                page = browser.new_page(viewport=SIZE, color_scheme=theme)
                page.goto(f"{address}#scalars")
                settle(page)
                shrink(page.screenshot(), folder / f"scalars-{theme}.png")
                name, path = GRAPHS[theme]
                take_graph(page, f"{address}{path}", folder / f"{name}.png")
                for name, path in PAGES.items() if theme == "light" else ():
                    page.goto(f"{address}{path}")
                    page.reload()  # only the hash changes between dashboards
                    page.wait_for_selector("main section, main canvas")
                    page.wait_for_timeout(2000)
                    shrink(page.screenshot(), folder / f"{name}.png")
                page.close()
        browser.close()


def take_graph(page: Page, address: str, path: Path) -> None:
    page.goto(address)
    page.reload()
    page.wait_for_function("() => performance.getEntriesByName('graphs:ready').length > 0")
    page.wait_for_timeout(2000)
    shrink(page.screenshot(), path)


def take_attempts(folder: Path) -> None:
    """A chart of a run that diverged and was restarted from a checkpoint, with the pointer after the restart."""
    random = np.random.default_rng(3)

    def losses(steps: NDArray[np.int64]) -> NDArray[np.float64]:
        wander = np.cumsum(random.normal(scale=0.006, size=len(steps)))
        return 2 * np.exp(-steps / 300) + 0.3 + wander + random.normal(scale=0.03, size=len(steps))

    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        first, second = np.arange(620), np.arange(400, 1000)
        diverging = losses(first) + np.linspace(-2.2, 1, 620).clip(0) ** 1.6
        for began, steps, values in ((1.7e9, first, diverging), (1.7e9 + 1000, second, losses(second))):
            body = encode_scalars(
                [b"train/loss"], np.zeros(len(steps), np.uint32), steps, began + steps - steps[0], values
            )
            path = Path(scratch) / "resnet-50" / f"events.out.tfevents.{began:.0f}.host"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(encode_file_version(began) + body)
        browser = launch(playwright)
        with served("--logdir", scratch) as address:
            page = browser.new_page(viewport={"width": 860, "height": 640})
            page.goto(f"{address}#scalars&smoothing=0.5&columns=1")
            settle(page)
            overlay = page.locator("article .pointer-overlay")
            box = overlay.bounding_box()
            assert box is not None
            overlay.hover(position={"x": box["width"] * 0.55, "y": box["height"] * 0.5})
            page.wait_for_selector("[role=tooltip]")
            card = page.locator("article").bounding_box()
            assert card is not None
            clip = {"x": card["x"] - 8, "y": card["y"] - 8, "width": card["width"] + 16, "height": card["height"] + 92}
            shrink(page.screenshot(clip=clip), folder / "attempts.png")  # type: ignore[arg-type]
        browser.close()


def take_profile(folder: Path) -> None:
    """The overview of a simulated loop that waits for input and whose all-reduce follows the backward pass."""

    def after_backward(loop: SimulatedLoop, step: int) -> None:
        nearly_full(loop, step)
        exposed_all_reduce(loop, step)

    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        loop = run(Step(input=wait_for_batch, after_backward=after_backward))
        path = Path(scratch) / "resnet-50" / "rank0.1700000000000.pt.trace.json"
        path.parent.mkdir()
        loop.write(path)
        browser = launch(playwright)
        with served("--logdir", scratch) as address:
            page = browser.new_page(viewport=SIZE)
            page.goto(f"{address}#profile")
            page.wait_for_selector("canvas[data-bars]")
            page.wait_for_selector("text=Rules and thresholds")
            page.wait_for_timeout(500)
            shrink(page.screenshot(), folder / "profile.png")
        browser.close()


def shrink(picture: bytes, path: Path) -> None:
    """Reduces a picture to 256 colours, a third of the size."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)


def settle(page: Page) -> None:
    """Waits until every card on the screen is drawn."""
    page.wait_for_selector("article canvas")
    page.wait_for_function(
        "![...document.querySelectorAll('article .sub')].some(e => e.textContent.includes('loading'))"
    )
    page.wait_for_timeout(500)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS
    take(target)
    take_attempts(target)
    take_profile(target)
