"""The pictures in docs/, from fresh demo runs: python tools/screenshots.py [folder]."""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from seamark.cli import main as seamark
from tools.browser import launch, served

DOCS = Path(__file__).resolve().parent.parent / "docs"
# Beside Scalars: trials and what they tried, one run, and two of them compared.
PAGES = {
    "hparams": "#hparams",
    "run": "run/lr0.5/seed0#timeseries&run.with=lr0.1/seed0",
    "compare": "compare?runs=lr0.5/seed0,lr0.1/seed0",
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
                for name, path in PAGES.items() if theme == "light" else ():
                    page.goto(f"{address}{path}")
                    page.reload()  # from one dashboard to another only the hash changes
                    page.wait_for_selector("main section, main canvas")
                    page.wait_for_timeout(2000)
                    shrink(page.screenshot(), folder / f"{name}.png")
                page.close()
        browser.close()


def shrink(picture: bytes, path: Path) -> None:
    """A palette of 256 colours is enough for a page and a third of the size."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)


def settle(page: Page) -> None:
    """Until every card on screen is drawn."""
    page.wait_for_selector("article canvas")
    page.wait_for_function(
        "![...document.querySelectorAll('article .sub')].some(e => e.textContent.includes('loading'))"
    )
    page.wait_for_timeout(500)


if __name__ == "__main__":
    take(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
