"""Custom scalars: a layout of charts whose tags are regular expressions."""

from collections.abc import Iterable
from dataclasses import dataclass

from seamark.format import messages
from seamark.kinds.payload import DecodeError, parse, parse_value
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_strings, strings_of

PLUGIN_NAME = "custom_scalars"
TAG = "custom_scalars__config__"


@dataclass(frozen=True, slots=True)
class Multiline:
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarginSeries:
    """A line with a lower and an upper bound."""

    value: str
    lower: str
    upper: str


@dataclass(frozen=True, slots=True)
class Margin:
    series: tuple[MarginSeries, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    content: Multiline | Margin | None


@dataclass(frozen=True, slots=True)
class Category:
    title: str
    charts: tuple[Chart, ...]
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    categories: tuple[Category, ...]


def encode(layout: Layout) -> messages.Summary.Value:
    message = messages.Layout(category=[_category_message(category) for category in layout.categories])
    return tensor_value(TAG, from_strings([message.SerializeToString()], shape=[]), plugin_name=PLUGIN_NAME)


def decode(data: bytes) -> Layout:
    strings = strings_of(parse_value(data, "layout"), "layout")
    if strings.size != 1:
        raise DecodeError(f"layout is not one string: got shape {list(strings.shape)}")
    message = parse(messages.Layout, strings.item(), "layout")
    return Layout(tuple(_category(category) for category in message.category))


def merge(layouts: Iterable[Layout]) -> Layout:
    """Merges the layouts of several runs: categories with the same title are joined, equal charts kept once."""
    merged: dict[str, Category] = {}
    for layout in layouts:
        for category in layout.categories:
            seen = merged.get(category.title)
            if seen is None:
                merged[category.title] = category
            else:
                new = tuple(chart for chart in category.charts if chart not in seen.charts)
                merged[category.title] = Category(seen.title, seen.charts + new, seen.closed)
    return Layout(tuple(merged.values()))


def as_json(layout: Layout) -> dict[str, object]:
    """The layout as JSON, with the field names that TensorBoard's page expects."""
    return {"version": 0, "category": [_category_json(category) for category in layout.categories]}


def _category_json(category: Category) -> dict[str, object]:
    return {"title": category.title, "chart": [_chart_json(c) for c in category.charts], "closed": category.closed}


def _chart_json(chart: Chart) -> dict[str, object]:
    match chart.content:
        case Multiline(tags):
            return {"title": chart.title, "multiline": {"tag": list(tags)}}
        case Margin(series):
            lines = [{"value": line.value, "lower": line.lower, "upper": line.upper} for line in series]
            return {"title": chart.title, "margin": {"series": lines}}
        case None:
            return {"title": chart.title}


def _category(message: messages.Category) -> Category:
    return Category(message.title, tuple(_chart(chart) for chart in message.chart), message.closed)


def _chart(message: messages.Chart) -> Chart:
    match message.WhichOneof("content"):
        case "multiline":
            return Chart(message.title, Multiline(tuple(message.multiline.tag)))
        case "margin":
            series = tuple(MarginSeries(s.value, s.lower, s.upper) for s in message.margin.series)
            return Chart(message.title, Margin(series))
        case _:
            return Chart(message.title, None)


def _category_message(category: Category) -> messages.Category:
    charts = [_chart_message(chart) for chart in category.charts]
    return messages.Category(title=category.title, chart=charts, closed=category.closed)


def _chart_message(chart: Chart) -> messages.Chart:
    match chart.content:
        case Multiline(tags):
            return messages.Chart(title=chart.title, multiline=messages.MultilineChartContent(tag=tags))
        case Margin(series):
            rows = [messages.MarginChartContent.Series(value=s.value, lower=s.lower, upper=s.upper) for s in series]
            return messages.Chart(title=chart.title, margin=messages.MarginChartContent(series=rows))
        case None:
            return messages.Chart(title=chart.title)
