"""Parameters of notebooks for papermill: Go assignments, and what a cell with the tag "parameters" declares.

Papermill has entry points for engines and none for translators. The entry point of this package names an engine, papermill's own
one; papermill imports this module to get it, and the module registers the translator.
"""

import json
import math
import re

from papermill.engines import NBClientEngine as Engine  # noqa: F401 what the entry point names
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators


class GoTranslator(Translator):
    """Values of YAML as Go.

    They are assigned to what the cell before declares, as `arrayrepl run -p` does: a name or a type that does not fit is an error,
    where a new variable would be read by nobody.
    """

    @classmethod
    def comment(cls, cmt_str):
        return f"// {cmt_str}".strip()

    @classmethod
    def translate_none(cls, val):
        return "nil"

    @classmethod
    def translate_escaped_str(cls, str_val):
        return json.dumps(str(str_val), ensure_ascii=False).replace("\ufeff", "\\ufeff")

    @classmethod
    def translate_float(cls, val):
        if math.isnan(val):
            return "math.NaN()"
        if math.isinf(val):
            return f"math.Inf({1 if val > 0 else -1})"
        return repr(val)

    @classmethod
    def translate_list(cls, val):
        return cls.literal(val, cls.type_of(val)) if val else "nil"

    @classmethod
    def translate_dict(cls, val):
        return cls.literal(val, cls.type_of(val))

    @classmethod
    def literal(cls, val, type_name):
        """A value as one of a type: the elements of [1, 2.5] are all float64, those of [1, "a"] any."""
        if isinstance(val, list) and type_name.startswith("[]"):
            return type_name + "{" + ", ".join(cls.literal(v, type_name[2:]) for v in val) + "}"
        if isinstance(val, dict) and type_name.startswith("map[string]"):
            return type_name + "{" + ", ".join(f"{cls.translate_str(str(k))}: {cls.literal(v, type_name[11:])}" for k, v in val.items()) + "}"
        return cls.translate(val)

    @classmethod
    def type_of(cls, val):
        """The narrowest Go type of a value."""
        if isinstance(val, bool):
            return "bool"
        if isinstance(val, int):
            return "int"
        if isinstance(val, float):
            return "float64"
        if isinstance(val, list):
            return "[]" + cls.common(val)
        if isinstance(val, dict):
            return "map[string]" + cls.common(val.values())
        return "any" if val is None else "string"

    @classmethod
    def common(cls, values):
        types = {cls.type_of(v) for v in values}
        if len(types) == 1:
            return types.pop()
        return "float64" if types == {"int", "float64"} else "any"

    @classmethod
    def inspect(cls, parameters_cell):
        return [p for statement, said in statements(parameters_cell["source"]) for p in declared(statement, said)]


# A piece of Go: a comment, a string, a rune, a line's end, a bracket, or a run of anything else.
PIECE = re.compile(r"//[^\n]*|/\*.*?\*/|`[^`]*`|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[\n;]|[()\[\]{}]|[^\s/`\"'\n;()\[\]{}]+|[ \t\r]+|.", re.S)


def statements(source):
    """The statements of a cell outside functions, each with the comment on its last line; those in var (...) have var before them."""
    text, said, depth, group = "", "", 0, False

    def end():
        nonlocal text, said
        if text.strip():
            found.append((("var " if group else "") + text.strip(), said))
        text, said = "", ""

    found = []
    for piece in PIECE.findall(source):
        if piece.startswith(("//", "/*")):
            said = piece[2:].removesuffix("*/").strip() if text.strip() else ""
        elif depth == 0 and (piece == ";" or piece == "\n" and not text.rstrip().endswith((",", "=", "+", "-", "*", "/", "."))):
            end()
        elif piece == "(" and depth == 0 and text.strip() == "var":
            text, group = "", True
        elif piece == ")" and depth == 0 and group:
            end()
            group = False
        elif not piece.strip():
            text, said = text + " ", "" if "\n" in piece else said
        else:
            depth += (piece in "([{") - (piece in ")]}") if len(piece) == 1 else 0
            text += piece
    end()
    return found


NAME = r"[^\W\d]\w*"
SHORT = re.compile(rf"({NAME}(?:\s*,\s*{NAME})*)\s*:=(.*)", re.S)
VAR = re.compile(rf"var\s+({NAME}(?:\s*,\s*{NAME})*)\s*(?:\b([^=]*?))?\s*(?:=(?!=)(.*))?", re.S)


def declared(statement, said):
    """The variables that a statement declares, with types as far as the text has them."""
    if m := SHORT.fullmatch(statement):
        names, type_name, values = m[1], "", m[2]
    elif m := VAR.fullmatch(statement):
        names, type_name, values = m[1], m[2] or "", m[3] or ""
    else:
        return
    names, values = [n.strip() for n in names.split(",")], parts(values)
    for i, name in enumerate(names):
        default = values[i] if len(values) == len(names) else "zero" if not values else ""
        yield Parameter(name=name, inferred_type_name=type_name.strip() or literal_type(default) or "None", default=default, help=said)


def parts(values):
    """A list of expressions, at its outer commas."""
    out, depth = [""], 0
    for piece in PIECE.findall(values.strip()):
        if depth == 0 and piece.strip(" \t") == ",":
            out.append("")
            continue
        if len(piece) == 1:
            depth += (piece in "([{") - (piece in ")]}")
        elif depth == 0 and piece.endswith(","):
            out[-1] += piece[:-1]
            out.append("")
            continue
        out[-1] += piece
    return [p.strip() for p in out if p.strip()]


LITERALS = (
    (r"-?\d[\d_]*|-?0[xXbBoO][0-9a-fA-F_]+", "int"),
    (r"-?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?", "float64"),
    (r"true|false", "bool"),
    (r'"(\\.|[^"\\])*"|`[^`]*`', "string"),
    (r"'(\\.|[^'\\])+'", "rune"),
)


def literal_type(text):
    for pattern, name in LITERALS:
        if re.fullmatch(pattern, text, re.S):
            return name
    if m := re.fullmatch(r"((?:\[[^\]]*\]|map\[[\w.]+\]|\*)*[\w.]+)\{.*\}", text, re.S):
        return m[1]
    if m := re.fullmatch(r"(u?int(?:8|16|32|64)?|float32|float64|complex64|complex128|string|byte|rune)\(.*\)", text, re.S):
        return m[1]
    return ""


papermill_translators.register("go", GoTranslator)
