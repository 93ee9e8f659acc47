from __future__ import annotations

from seamark.graphs import problems


def test_verbs_agree_with_the_count() -> None:
    assert problems.malformed(1) == "1 node is malformed and left out"
    assert problems.malformed(2000) == "2,000 nodes are malformed and left out"
    assert problems.nested_too_deeply(1) == "1 node is nested too deeply; its innermost groups are joined"
    assert problems.calls_without_body(1, "f") == "1 call of the function 'f' is shown without its nodes"
    assert problems.calls_without_body(2, "f") == "2 calls of the function 'f' are shown without its nodes"
    assert problems.sizes_in_other_files(2, ["a", "b"]).endswith(
        "2 tensors of sizes are in other files, not read: 'a', 'b'"
    )
    assert problems.unknown_weights(1, ["Dense"]) == "the parameters of 1 layer are not known: Dense"


def test_a_sentence_lists_a_few_names() -> None:
    assert problems.repeated(["a"]) == "1 node has the name of another node: 'a'"
    assert problems.missing_inputs(["a", "b", "c", "d"]).endswith("do not exist: 'a', 'b', 'c' …")
