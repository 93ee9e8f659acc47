"""The contract for dashboards has no unused name and no name without a sentence, and the docs list it."""

from __future__ import annotations

from pathlib import Path

from tools.public_names import MODULES, exports, exports_in, problems, tables


def test_the_contract_is_used_described_and_documented() -> None:
    assert list(problems()) == []


def test_names_and_sentences_are_read_from_the_modules() -> None:
    text = """
/** A chart. It
 * zooms. */
export { default as Chart } from "../chart/Chart.svelte";
export { a, type B, c as d } from "./x";
/** One tag. */
export interface Tag {
/** Numbers. */
export const format = {
  value: formatValue,
  counted,
} as const;
"""
    exported = list(exports_in(text, "charts", "charts.ts"))
    assert exported[-1].members == ("value", "counted")
    assert [(export.names, export.values, export.sentence) for export in exported] == [
        (("Chart",), ("Chart",), "A chart"),
        (("a", "B", "d"), ("a", "d"), ""),
        (("Tag",), (), "One tag"),
        (("format",), ("format",), "Numbers"),
    ]


def test_an_unused_name_is_a_problem(tmp_path: Path) -> None:
    public = tmp_path / "web/src/public"
    view = tmp_path / "src/seamark/dashboards/mine/view"
    for folder in (public, view, tmp_path / "docs"):
        folder.mkdir(parents=True)
    for module in MODULES:
        (public / f"{module}.ts").write_text(f'/** Used. */\nexport {{ used }} from "../{module}";\n')
    (public / "core.ts").write_text('/** Used. */\nexport { used } from "../a";\nexport { unused } from "../b";\n')
    imports = "".join(f'import {{ used }} from "$public/{module}";\n' for module in MODULES)
    (view / "View.svelte").write_text(imports)
    (tmp_path / "docs/built-in-dashboards.md").write_text(tables(tmp_path))
    assert list(problems(tmp_path)) == [
        "web/src/public/core.ts: unused: no sentence above the export",
        "web/src/public/core.ts: unused: no dashboard imports 'unused' from $public/core",
    ]
    assert [export.names for export in exports(tmp_path, "charts")] == [("used",)]


def test_a_module_with_code_of_its_own_is_a_problem(tmp_path: Path) -> None:
    public = tmp_path / "web/src/public"
    view = tmp_path / "src/seamark/dashboards/mine/view"
    for folder in (public, view, tmp_path / "docs"):
        folder.mkdir(parents=True)
    for module in MODULES:
        (public / f"{module}.ts").write_text("/** A function. */\nexport const used = () => 1;\n")
    (view / "View.svelte").write_text("".join(f'import {{ used }} from "$public/{module}";\n' for module in MODULES))
    (tmp_path / "docs/built-in-dashboards.md").write_text(tables(tmp_path))
    assert [problem.split(":")[1] for problem in problems(tmp_path)] == [
        " has code of its own; if it only re-exports, start-up loads what it uses"
    ] * 4
