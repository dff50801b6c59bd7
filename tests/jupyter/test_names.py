"""Completion and inspection as a client sees them: what JupyterLab shows on Tab and Shift-Tab."""

import pytest

from conftest import FAKE

pytestmark = pytest.mark.skipif(FAKE, reason="needs a session that runs Go")


def complete(client, code):
    """The items proposed at the | of code, by their text, and the text that they replace."""
    at = code.index("|")
    code = code.replace("|", "", 1)
    content = client.reply(client.kc.complete(code, at))["content"]
    assert content["status"] == "ok"
    items = content["metadata"]["_jupyter_types_experimental"] if content["matches"] else []
    assert [i["text"] for i in items] == content["matches"]
    assert all(i["start"] == content["cursor_start"] and i["end"] == content["cursor_end"] for i in items)
    return {i["text"]: i for i in items}, code[content["cursor_start"] : content["cursor_end"]]


def inspect(client, code, detail=0):
    at = code.index("|")
    content = client.reply(client.kc.inspect(code.replace("|", "", 1), at, detail_level=detail))["content"]
    assert content["found"] == bool(content["data"])
    return content["data"]


def test_members_have_types_signatures_and_documentation(client):
    items, word = complete(client, "strings.Repl|")
    assert word == "Repl"
    assert items["ReplaceAll"]["type"] == "function"
    assert items["ReplaceAll"]["signature"] == "func strings.ReplaceAll(s, old, new string) string"
    assert items["ReplaceAll"]["documentation"].startswith("ReplaceAll returns a copy of the string s")


def test_cursors_count_code_points(client):
    items, word = complete(client, 's := "😀é"; strings.Rep| // 😀')
    assert word == "Rep" and "Repeat" in items


def test_a_broken_cell(client):
    items, _ = complete(client, "for i := 0; i < len(os.Args|\nx := (1]\n")
    assert items["Args"]["signature"] == "var os.Args []string"


def test_fields_and_labels(client):
    client.run("// Place is where.\ntype Place struct {\n\tName string // what people say\n\tLat, Long float64\n}\np := Place{}")
    items, _ = complete(client, "p.|")
    assert items["Name"]["type"] == "field" and items["Name"]["documentation"] == "what people say"
    items, _ = complete(client, "Place{Name: `x`, L|}")
    assert list(items)[:2] == ["Lat", "Long"]
    assert "Place is where." in inspect(client, "Pla|ce{}")["text/plain"]


def test_the_project_is_documented(client):
    items, _ = complete(client, "np.Linsp|")
    assert "start" in items["Linspace"]["signature"] and items["Linspace"]["documentation"]
    data = inspect(client, "np.Linspace(0, |")
    assert data["text/plain"].startswith("func np.Linspace(") and "// here: " in data["text/plain"]
    assert data["text/markdown"].startswith("```go\nfunc np.Linspace(")


def test_inspect_shows_source_on_demand(client):
    client.run("// Twice doubles.\nfunc Twice(n int) int { return 2 * n }")
    brief = inspect(client, "Twi|ce(3)")["text/plain"]
    assert "Twice doubles." in brief and "return" not in brief
    assert "return 2 * n" in inspect(client, "Twi|ce(3)", detail=1)["text/plain"]


def test_inspect_a_variable(client):
    client.run("count := 41")
    assert inspect(client, "coun|t")["text/plain"] == "var count int = 41"


def test_import_paths(client):
    items, word = complete(client, 'import "encoding/js|"')
    assert word == "encoding/js" and list(items) == ["encoding/json"]


def test_nothing_in_strings_and_comments(client):
    assert complete(client, '"fmt.|"')[0] == {}
    assert complete(client, "// fmt.|")[0] == {}
    assert inspect(client, "x := `fmt.Prin|tln`") == {}
