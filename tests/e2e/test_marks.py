"""The scatter matrix draws its marks with WebGL where there is a GPU, and in software elsewhere; both look the same."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.hparams_page import TRIALS, drawn, matrix
from tests.e2e.trial_logs import Made

# The test browser renders in software. With another name the page takes it for a GPU.
POSE_AS_GPU = """
const getParameter = WebGL2RenderingContext.prototype.getParameter;
WebGL2RenderingContext.prototype.getParameter = function (name) {
  window.seamarkGl = this;
  const value = getParameter.call(this, name);
  return String(value).includes("SwiftShader") ? "a GPU" : value;
};
"""

OpenMatrix = Callable[..., Page]


@pytest.fixture
def open_matrix(swept: tuple[str, list[Made]], open_page: OpenPage) -> OpenMatrix:
    """Opens the scatter matrix."""

    def open_matrix(*, with_gpu: bool, brush: str = "") -> Page:
        page = open_page("about:blank")
        if with_gpu:
            page.add_init_script(POSE_AS_GPU)
        page.goto(f"{swept[0]}#hparams&hparams.view=matrix{brush}")
        drawn(matrix(page), TRIALS)
        return page

    return open_matrix


def picture(page: Page) -> NDArray[np.int16]:
    shot = page.locator(".matrix canvas").screenshot()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(np.int16)


def test_both_renderers_draw_the_same_picture(open_matrix: OpenMatrix) -> None:
    software, webgl = open_matrix(with_gpu=False), open_matrix(with_gpu=True)
    expect(matrix(software)).to_have_attribute("data-drawn-by", "software")
    expect(matrix(webgl)).to_have_attribute("data-drawn-by", "webgl")
    left, right = picture(software), picture(webgl)
    assert left.std() > 5, "an empty picture would be the same, too"
    # The edges of dots are rounded differently.
    difference = np.abs(left - right).max(axis=2)
    assert difference.mean() < 0.5
    assert (difference > 48).mean() < 0.001


def test_a_lost_context_leaves_the_picture_and_drawing_goes_on(open_matrix: OpenMatrix) -> None:
    page = open_matrix(with_gpu=True)
    before = picture(page)
    page.evaluate(
        "() => new Promise((done) => {"
        " seamarkGl.canvas.addEventListener('webglcontextlost', done, { once: true });"
        " seamarkGl.getExtension('WEBGL_lose_context').loseContext(); })"
    )
    assert (picture(page) == before).all()
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    page.set_viewport_size({"width": 1300, "height": 900})
    page.wait_for_function("() => document.querySelector('.matrix canvas').width < 1100")
    assert picture(page).std() > 5
