"""Descriptions of tags, merged over all runs, as the time series dashboard shows them."""

from __future__ import annotations

from collections.abc import Mapping

from seamark.kinds.markdown.safe_html import description_html


def merged_descriptions(by_run: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Tag → description as HTML. If runs describe a tag differently, each description is headed by its runs."""
    runs_of: dict[str, set[str]] = {}
    texts_of: dict[str, set[str]] = {}
    for run, by_tag in by_run.items():
        for tag, description in by_tag.items():
            if description:
                # TensorBoard groups the runs by text alone, whatever the tag.
                runs_of.setdefault(description, set()).add(run)
                texts_of.setdefault(tag, set()).add(description)
    return {tag: description_html(join_texts(sorted(texts), runs_of)) for tag, texts in texts_of.items()}


def join_texts(texts: list[str], runs_of: Mapping[str, set[str]]) -> str:
    if len(texts) == 1:
        return texts[0]
    parts = ["# Multiple descriptions"]
    parts += [f"## In {', '.join(sorted(runs_of[text]))}\n{text}" for text in texts]
    return "\n".join(parts)
