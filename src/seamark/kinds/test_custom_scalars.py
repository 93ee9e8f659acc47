"""Layouts are encoded, decoded and merged across runs."""

from seamark.kinds import custom_scalars
from seamark.kinds.custom_scalars import Category, Chart, Layout, Margin, MarginSeries, Multiline

LOSS = Chart("loss", Multiline(("loss/.*", "eval/loss")))
BAND = Chart("band", Margin((MarginSeries("mean", "low", "high"),)))
EMPTY = Chart("empty", None)


def test_a_layout_is_decoded_as_it_was_encoded() -> None:
    layout = Layout((Category("a", (LOSS, BAND, EMPTY), closed=True), Category("b", ())))
    value = custom_scalars.encode(layout)
    assert value.tag == "custom_scalars__config__"
    assert custom_scalars.decode(value.SerializeToString()) == layout


def test_layouts_of_several_runs_are_merged_by_title() -> None:
    merged = custom_scalars.merge(
        [
            Layout((Category("a", (LOSS,)),)),
            Layout((Category("b", (BAND,)), Category("a", (LOSS, EMPTY)))),
            Layout((Category("b", (BAND, EMPTY)),)),
        ]
    )
    assert merged == Layout((Category("a", (LOSS, EMPTY)), Category("b", (BAND, EMPTY))))


def test_no_layouts_merge_to_an_empty_layout() -> None:
    assert custom_scalars.merge([]) == Layout(())
