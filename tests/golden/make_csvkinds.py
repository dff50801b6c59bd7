"""Files of CSV of many kinds, with options, and what pandas.read_csv makes of them, for TestCSVKindsAsPandas of arrays.

    python tests/golden/make_csvkinds.py            writes arrays/testdata/csvkinds.json: the files below and their variations
    python tests/golden/make_csvkinds.py SEED N     prints N random cases

Options stand in pairs: what pandas calls them, and what arrays does. Run it with pandas 3.1.1.
"""
import base64
import io
import json
import pathlib
import random
import re
import sys

import numpy as np
import pandas as pd

ORDINARY = ["oak", "ash", "elm", "x y", "a-b", "1st", "No", "none", "Ulm", "n.a.", "nil"]
TRICKY = ["2019_01", "0x1p4", "0x10", "1_000", "--", "e5", "1e", "1.5e", ".", "-", "+", "+-1", "1 000", "5-", "- 5", "1.2.3", "infinit", "in", "1d", "1f", "0b1", "0o7", "t", "yes",
          "12:30", "1/2", "3%", "$5", "\\N", "\\.", "a'b", "nan1", "Na", "N/a", "none", "NONE", "nul", "#ff", "#N/B", "<na>", "_", "=1+1", "1e5.0", "1e5e5", "1..2", "1__0"]
WIDE = ["Köln", "é", "ÿ", "£5", "½", "naïve"]  # of Latin-1
WIDER = ["日本", "😀", "−5", "１２", "٣", "Ł", "a\u00a0b", "“x”"]
NEEDY = ["a,b", "a;b", "a\tb", "a|b", 'say "no"', "two\nlines", "two\r\nlines", " pad ", "  ", "'", "it's", '"', '""', "x\"", "#", "# x", "a#b", "a b  c"]
MISSING = ["", "", "NA", "N/A", "n/a", "null", "NULL", "None", "NaN", "nan", "-nan", "-NaN", "#N/A", "<NA>", "#NA", "1.#IND", "-1.#QNAN", "1.#QNAN", "-1.#IND", "#N/A N/A"]
FLOATS = ["1E+5", "1e05", "1.e5", "+.5", "-.5", "5.", "-0.0", "1e309", "-1e309", "1e-400", "0.1000000000000000055511151231257827", "9007199254740993.0", "1e22", "1e23", "4.9e-324",
          "2.4703282292062327e-324", "1.7976931348623158e308", "8.41", "2.2250738585072011e-308", "0e0", "00.5", "inf", "-inf", "+inf", "Infinity", "-Infinity", "INF", "1" + "0" * 30 + ".5", "0." + "0" * 30 + "1"]
WHOLES = ["+5", "-0", "007", "0", "-007", str(2**53 + 1), str(-2**53 - 1), str(2**63 - 1), str(-2**63), "00"]
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
HUGE = [str(2**63), str(2**64 - 1), str(-2**63 - 1), str(2**64), "1" + "0" * 25]


class Texts:
    """What cells are made of."""

    def __init__(self, rng):
        self.rng = rng

    def small(self):
        return str(self.rng.randrange(-99, 99))

    def whole(self):
        return self.rng.choice([self.small(), self.rng.choice(WHOLES), str(self.rng.randrange(-2**63, 2**63)), str(self.rng.randrange(-10**9, 10**9))])

    def unsigned(self):
        return self.rng.choice([str(self.rng.randrange(2**63, 2**64)), str(self.rng.randrange(100))])

    def huge(self):
        return self.rng.choice([self.small(), self.rng.choice(HUGE)])

    def number(self):
        g = self.rng.gauss(0, 1)
        return self.rng.choice([self.small(), repr(g), f"{g:.{self.rng.randrange(1, 9)}f}", repr(g * 10.0 ** self.rng.randrange(-300, 300)), self.rng.choice(FLOATS), self.rng.choice(FLOATS)])

    def truth(self):
        return self.rng.choice(["True", "False", "TRUE", "FALSE", "true", "false"])

    def word(self):
        return self.rng.choice(ORDINARY)

    def tricky(self):
        return self.rng.choice(TRICKY + WHOLES[:4])

    def text(self):
        return self.rng.choice(ORDINARY + NEEDY + TRICKY)

    def wide(self):
        return self.rng.choice(ORDINARY + WIDE)

    def wider(self):
        return self.rng.choice(ORDINARY + WIDE + WIDER)

    def mixed(self):
        return self.rng.choice([self.whole, self.number, self.truth, self.word])()

    def date(self):
        day = np.datetime64("1900-01-01") + self.rng.randrange(80000)
        return str(day) + self.rng.choice(["", "", "T05:06", " 05:06:07", "T05:06:07.5", "T23:59:59.123456"])

    def day(self):
        return str(np.datetime64("1900-01-01") + self.rng.randrange(80000))


KINDS = ["small", "whole", "unsigned", "huge", "number", "truth", "word", "tricky", "text", "wide", "wider", "mixed", "date", "day"]
NAMES = ["name", "n", "a b", "é", "value", "2019", "2020", "#c", "x, y", "say \"x\"", "True", "1.5", "two\nlines"]
ENCODINGS = [("utf-8", None)] * 6 + [("utf-8-sig", None), ("utf-16", None), ("utf-16-le", None), ("utf-16-be", None), ("cp1252", None), ("latin-1", "latin1"), ("iso8859-2", "iso-8859-2"),
                                     ("koi8-r", "koi8-r"), ("utf-16", "utf-16"), ("cp437", "cp437"), ("mac_roman", "macintosh")]


def layout_of(strftime):
    """A date layout of Go."""
    for s, g in [("%Y", "2006"), ("%m", "01"), ("%d", "02"), ("%H", "15"), ("%M", "04"), ("%S", "05"), ("%b", "Jan"), ("%y", "06")]:
        strftime = strftime.replace(s, g)
    return strftime


class Case:
    """A file, options of both, and what pandas says."""

    def __init__(self, what, data, ours, theirs, dates=(), order=None):
        self.what, self.data, self.ours, self.theirs, self.dates, self.order = what, data, ours, theirs, list(dates), order

    def answer(self):
        out = {"what": self.what, "data": base64.b64encode(self.data).decode(), "options": self.ours}
        for key, more in (("plain", {}), ("nullable", {"dtype_backend": "numpy_nullable"})):
            if key == "nullable" and "dtype" in self.theirs:  # it takes the dtype, and not the values of it
                out[key] = {"skipped": True}
                continue
            try:
                frame = pd.read_csv(io.BytesIO(self.data), **{"float_precision": "round_trip", **self.theirs}, **more)
                if self.order:
                    frame = frame[self.order]
                for c in self.dates:
                    if c in frame.columns:
                        form = self.theirs.get("date_format")
                        frame[c] = pd.to_datetime(frame[c], format=form[c] if form else "ISO8601").astype("datetime64[us]")
            except Exception as e:  # its errors are of many types
                out[key] = {"error": f"{type(e).__name__}: {e}"[:200]}
                continue
            out[key] = {
                "names": [str(c) for c in frame.columns],
                "dtypes": [{"object": "text", "str": "text", "string": "text", "datetime64[us]": "date"}.get(str(d), str(d)) for d in frame.dtypes],
                "cells": [[cell(v) for v in (frame[c].to_numpy() if str(frame[c].dtype) == "datetime64[us]" else frame[c].tolist())] for c in frame.columns],
            }
        return out


def cell(v):
    if v is None or v is pd.NA or v is pd.NaT or isinstance(v, float) and v != v:
        return None
    if isinstance(v, np.datetime64):
        return None if np.isnat(v) else str(v)
    if isinstance(v, (bool, np.bool_)):
        return str(bool(v))
    if isinstance(v, float):
        return v.hex()
    return str(v)


def quoted(text, q):
    return q + text.replace(q, q + q) + q


def needs_quotes(text, sep, q, comment):
    return (sep in text or q in text or "\n" in text or "\r" in text or text != text.strip() or text == "" or comment is not None and comment in text
            or sep == " " and any(c.isspace() for c in text))


def random_case(rng):
    texts = Texts(rng)
    sep = rng.choice([",", ",", ",", ";", "\t", "|", " "])
    q = rng.choice(['"', '"', '"', "'"])
    ours, theirs = [], {}
    if sep == " ":
        ours.append(["Delimiter", " "])
        theirs["sep"] = r"\s+"
    elif sep != ",":
        ours.append(["Delimiter", sep])
        theirs["sep"] = sep
    if q != '"':
        ours.append(["Quote", q])
        theirs["quotechar"] = q
    comment = None
    if rng.random() < 0.2:
        comment = rng.choice(["#", "%", "!"])
        ours.append(["Comment", comment])
        theirs["comment"] = comment
    mode = rng.choice(["few", "few", "all", "some"])
    point, group = ".", ""
    if sep != "," and rng.random() < 0.3:
        point = ","
        ours.append(["DecimalMark", ","])
        theirs["decimal"] = ","
    if rng.random() < 0.2:
        group = "." if point == "," else rng.choice([",", " ", "'"])
        if group in (sep, q):
            group = ""
        else:
            ours.append(["Thousands", group])
            theirs["thousands"] = group
    order = None
    count = rng.randrange(1, 6)
    kinds = [rng.choice(KINDS) for _ in range(count)]
    codec, named = rng.choice(ENCODINGS)
    if named:
        ours.append(["Encoding", named])
    if codec != "utf-8":
        theirs["encoding"] = codec
    words, known = list(MISSING), []
    if sep == " ":
        words = [w for w in words if w and " " not in w]
    if rng.random() < 0.2:
        own = rng.sample(["?", "-999", "unknown", "x", "--"], 2)
        if rng.random() < 0.5:
            ours.append(["OnlyMissing", *own])
            theirs["na_values"], theirs["keep_default_na"] = ["", *own], False
            words = own + ([""] if sep != " " else [])
            known = ["NA", "null"]  # are texts
        else:
            ours.append(["Missing", *own])
            theirs["na_values"] = own
            words += own
    if comment:
        words = [w for w in words if comment not in w]
    names = rng.sample(NAMES, count)
    # without quotes a decimal comma or groups would be another number
    date_format, dates = None, []
    if rng.random() < 0.15:
        date_format = "%d-%b-%Y" if group else rng.choice(["%d.%m.%Y", "%m/%d/%Y", "%d.%m.%Y %H:%M", "%Y%m%d %H:%M:%S", "%d-%b-%Y"])
        ours.append(["DateFormat", layout_of(date_format)])
        kinds[rng.randrange(count)] = "formatted"
    gaps = [rng.random() < 0.35 for _ in kinds]

    def value(i, row):
        text, forced = bare(i, row)
        # blanks in quotes do not change a number; those of pandas beyond int64 do
        if kinds[i] in ("small", "whole", "number") and NUMBER.fullmatch(text) and rng.random() < 0.15:
            text = rng.choice(["", " ", "\t", "  "]) + text + rng.choice(["", " ", "\t"])
        return text, forced

    def bare(i, row):
        if gaps[i] and rng.random() < 0.35:
            return rng.choice(words if kinds[i] in ("date", "day", "formatted") else words + known), False
        kind = kinds[i]
        if kind == "mixed" and (group or point == ","):
            kind = "tricky"
        if kind == "formatted":
            at = np.datetime64("1950-01-01") + rng.randrange(40000)
            if "%H" in date_format:
                at = at.astype("datetime64[s]") + rng.randrange(86400)
            return pd.Timestamp(at).strftime(date_format), None
        text = getattr(texts, kind)()
        while text in words or group and group in text:  # in quotes a word for a missing value is a text, and groups of pandas have any length
            text = getattr(texts, kind)()
        if kind == "number":
            if group and not text.isdigit():  # with groups pandas does not round to the nearest
                text = f"{rng.gauss(0, 1):.3f}"
            if point == ",":
                return text.replace(".", ","), None
            return text, None
        if kind in ("small", "whole", "unsigned", "huge") and not (kind == "whole" and "dtype" in theirs):
            if group and text.lstrip("+-").isdigit() and rng.random() < 0.5:
                sign = text[: len(text) - len(text.lstrip("+-"))]
                digits = text.lstrip("+-")
                parts = []
                while len(digits) > 3:
                    parts.insert(0, digits[-3:])
                    digits = digits[:-3]
                text = sign + group.join([digits, *parts])
        return text, None

    header = rng.random() < 0.8
    lines = []

    def line(cells):
        out = []
        for text, forced in cells:
            if forced is False:  # a missing word, which quotes would make a text
                out.append(text)
            elif mode == "all" or mode == "some" and rng.random() < 0.3 or needs_quotes(text, sep, q, comment):
                out.append(quoted(text, q))
            else:
                out.append(text)
        return (sep if sep != " " else rng.choice([" ", "  "])).join(out)

    end = rng.choice(["\n", "\n", "\n", "\r\n", "\r"])
    if rng.random() < 0.15:
        n = rng.randrange(1, 4)
        lines += [f"notes {i} about it" for i in range(n)]
        ours.append(["SkipLines", str(n)])
        theirs["skiprows"] = n
    if header:
        lines.append(line([(n, None) for n in names]))
        ours.append(["Header", "true"])
        if rng.random() < 0.1:
            names = [f"c{i}" for i in range(count)]
            ours.append(["Names", *names])
            theirs["names"], theirs["header"] = names, 0
    else:
        ours.append(["Header", "false"])
        theirs["header"] = None
        if rng.random() < 0.5:
            ours.append(["Names", *names])
            theirs["names"] = names
        else:
            names = [str(i) for i in range(count)]
    rows = rng.randrange(1, 9)
    ragged = rng.choice(["filled", "skipped"]) if count > 1 and rng.random() < 0.1 and sep != " " else None
    if ragged:
        ours.append(["Ragged", ragged])
        if ragged == "skipped":
            theirs["on_bad_lines"] = "skip"
    for row in range(rows):
        cells = [value(i, row) for i in range(count)]
        text = line(cells)
        if ragged == "filled" and row > 0 and rng.random() < 0.3:
            text = line(cells[: rng.randrange(1, count)])
            if text == "":  # an empty line is not a row
                text = sep
        if ragged == "skipped" and row > 0 and rng.random() < 0.3:
            text += sep + "more"
        if text == "" and count == 1:
            text = '""' if q == '"' else "''"
        if comment and rng.random() < 0.2 and not text.endswith(q):  # there pandas has the comment in the cell
            text += comment + " note"
        lines.append(text)
        if rng.random() < 0.05 and end != "\r":  # pandas takes a delimiter that begins the next line for text
            lines.append("")
        if comment and rng.random() < 0.1 and end != "\r":
            lines.append(comment + " a comment, of " + q + "two")
    for i, k in enumerate(kinds):
        if k in ("date", "day", "formatted"):
            dates.append(names[i] if header or theirs.get("names") else i)
    if date_format:
        theirs["date_format"] = {d: (date_format if kinds[k] == "formatted" else "ISO8601") for d in dates for k in [[n if header or theirs.get("names") else i for i, n in enumerate(names)].index(d)]}
    if rng.random() < 0.15:
        i = rng.randrange(count)
        dtype = {"small": ["int32", "float32", "str", "int8"], "whole": ["int64", "float64", "str"], "number": ["float32", "str", "float64"], "word": ["str"], "tricky": ["str"],
                 "text": ["str"], "unsigned": ["uint64", "str"], "truth": ["bool", "str"]}.get(kinds[i])
        if dtype and not (gaps[i] and rng.random() < 0.9):
            d = rng.choice(dtype)
            key = names[i] if header or theirs.get("names") else i
            ours.append(["ColumnType", names[i], d])
            theirs["dtype"] = {key: d}
    if rng.random() < 0.15 and count > 1:
        chosen = rng.sample(range(count), rng.randrange(1, count))
        if not any(o[0] == "ColumnType" for o in ours) and ragged != "skipped":  # pandas does not count the cells that it leaves out
            ours.append(["Columns", *[names[i] for i in chosen]])
            keys = [names[i] if header or theirs.get("names") else i for i in chosen]
            theirs["usecols"] = keys
            order = keys
            dates = [d for d in dates if d in keys]
            if "date_format" in theirs:
                theirs["date_format"] = {k: v for k, v in theirs["date_format"].items() if k in keys}
    text = end.join(lines) + rng.choice([end, end, ""])
    try:
        data = text.encode(codec)
    except UnicodeEncodeError:
        return None
    if codec == "cp1252":
        try:
            data.decode("utf-8")
            return None  # it is UTF-8 too
        except UnicodeDecodeError:
            pass
    if codec in ("utf-16-le", "utf-16-be") and any(ord(c) > 255 for c in text[:200]):
        return None  # it is told by its zeros
    return Case(" ".join(kinds), data, ours, theirs, dates, order)


# Files as people have them: what, text, options of arrays, options of pandas, columns of dates.
REAL = [
    ("rows that begin with #", "color,n\n#ff0000,1\n#00ff00,2\n#,3\n", [], {}, []),
    ("# in a cell", "issue,title\n12,fix #7\n13,# heading\n14,C#\n", [], {}, []),
    ("comment lines", "# station 7\n# calibrated\nt,v\n1,2.5\n# pause\n2,3.5# late\n", [["Comment", "#"]], {"comment": "#"}, []),
    ("one column with NaN", "v\n1.5\nNaN\n2.5\nNA\n", [], {}, []),
    ("one column with empty ones in quotes", 'v\n1.5\n""\n2.5\n', [], {}, []),
    ("empty lines between rows", "a,b\n\n1,2\n\n\n3,4\n\n", [], {}, []),
    ("rows of missing cells", "a,b\n,\n1,2\n,\n", [], {}, []),
    ("years in the header", "name,2019,2020\nAnn,1,2\nBob,3,4\n", [], {}, []),
    ("numbers in quotes in the header", '"1","2"\n5,6\n7,8\n', [], {}, []),
    ("months with _", "month,n\n2019_01,5\n2019_02,6\n", [], {}, []),
    ("hexadecimal floats", "a,b\n0x1p4,1\n0x1.8p1,2\n", [], {}, []),
    ("hexadecimal whole numbers", "a,b\n0x10,1\n0xff,2\n", [], {}, []),
    ("words of floats", "a,b\ninf,1\n-Infinity,2\nnan,3\n", [], {}, []),
    ("beyond int64", "id,n\n9223372036854775808,1\n18446744073709551615,2\n", [], {}, []),
    ("beyond uint64", "id,n\n18446744073709551616,1\n5,2\n", [], {}, []),
    ("beyond int64 and negative", "id,n\n9223372036854775808,1\n-5,2\n", [], {}, []),
    ("beyond 2^53", "id,n\n9007199254740993,1\n-9007199254740993,2\n", [], {}, []),
    ("beyond 2^53 with a missing one", "id,n\n9007199254740993,1\n,2\n", [], {}, []),
    ("uint64", "hash,n\n13835058055282163712,1\n7,2\n", [], {}, []),
    ("blanks in quotes", 'name,n\n" Ann ",1\n"  ",2\n"Bob",3\n', [], {}, []),
    ("numbers with blanks in quotes", 'a,b,c,d\n" 8"," 1.5 ","\t7\t"," x"\n"9 ",-2," ",8\n', [], {}, []),
    ("a number with blanks and a missing one", 'a,b\n" 8",1\n,2\n', [], {}, []),
    ("infinities and truths with blanks in quotes", 'a,b,c\n" inf"," True"," NA"\n1,False,5\n', [], {}, []),
    ("words for missing ones", "a,b\n1,x\nN/A,N/A\nnull,null\nNULL,NULL\nNone,None\n#N/A,#N/A\n<NA>,<NA>\nn/a,n/a\n#NA,#NA\n", [], {}, []),
    ("words near those", "a,b\nna,1\nNone.,2\nnil,3\nNONE,4\nN.A.,5\n", [], {}, []),
    ("truths", "a,b,c\nTrue,true,TRUE\nFalse,false,FALSE\n", [], {}, []),
    ("truths with a missing one", "a,b\nTrue,1\n,2\nFalse,3\n", [], {}, []),
    ("truths and numbers", "a,b\nTrue,1\n0,2\n", [], {}, []),
    ("zeros in front", "zip,n\n01234,1\n98765,2\n", [["ColumnType", "zip", "str"]], {"dtype": {"zip": "str"}}, []),
    ("groups of thousands", 'city,people\nUlm,"126,000"\nKiel,"1,247,000"\n', [["Thousands", ","]], {"thousands": ","}, []),
    ("groups of spaces", "city;people\nUlm;126 000\nKiel;247\n", [["Delimiter", ";"], ["Thousands", " "]], {"sep": ";", "thousands": " "}, []),
    ("decimal commas", "tag;wert\n1;2,5\n2;1.234,75\n3;-0,5\n", [["Delimiter", ";"], ["DecimalMark", ","], ["Thousands", "."]], {"sep": ";", "decimal": ",", "thousands": "."}, []),
    ("short rows", "a,b,c\n1,2,3\n4\n5,6\n", [["Ragged", "filled"]], {}, []),
    ("long rows", "a,b\n1,2\n3,4,5\n6,7\n", [["Ragged", "skipped"]], {"on_bad_lines": "skip"}, []),
    ("single quotes", "a,b\n'x, y',1\n'it''s',2\n", [["Quote", "'"]], {"quotechar": "'"}, []),
    ("quotes as text", 'a,b\n6" pipe,1\n"x,2\n', [["Quote", ""]], {"quoting": 3}, []),
    ("a quote in a cell", 'a,b\n6" pipe,1\n7",2\n', [], {}, []),
    ("German dates", "tag,n\n24.12.2024,1\n01.02.2025,2\n,3\n", [["DateFormat", "02.01.2006"]], {"date_format": {"tag": "%d.%m.%Y"}}, ["tag"]),
    ("American dates", "day,n\n12/24/2024 15:04,1\n01/02/2025 00:00,2\n", [["DateFormat", "01/02/2006 15:04"]], {"date_format": {"day": "%m/%d/%Y %H:%M"}}, ["day"]),
    ("dates", "day,n\n2024-12-24,1\nNA,2\n2025-01-02,3\n", [], {}, ["day"]),
    ("times", "at,n\n2024-12-24T05:06:07,1\n2025-01-02 05:06,2\n", [], {}, ["at"]),
    ("lines before the table", "Report of the day\nby Ann\na,b\n1,2\n", [["SkipLines", "2"]], {"skiprows": 2}, []),
    ("some columns", "a,b,c\n1,x,2.5\n3,y,\n", [["Columns", "a", "c"]], {"usecols": ["a", "c"]}, []),
    ("no header", "1,x\n2,y\n", [["Header", "false"]], {"header": None}, []),
    ("names for no header", "1,x\n2,y\n", [["Header", "false"], ["Names", "n", "s"]], {"header": None, "names": ["n", "s"]}, []),
    ("names for a header", "a,a\n1,2\n", [["Header", "true"], ["Names", "n", "s"]], {"header": 0, "names": ["n", "s"]}, []),
    ("missing by another word", "a,b\n-999,?\n1,x\n-999,y\n", [["Missing", "-999", "?"]], {"na_values": ["-999", "?"]}, []),
    ("missing by a number written otherwise", "a,b\n-999.0,1\n1.5,2\n", [["Missing", "-999"]], {"na_values": ["-999"]}, []),
    ("no words for missing ones", "a,b\nNA,1\nnull,2\nx,3\n", [["OnlyMissing"]], {"keep_default_na": False, "na_values": [""]}, []),
    ("dtypes by column", "a,b,c\n1,2,3\n4,5,6\n", [["ColumnType", "a", "int8"], ["ColumnType", "b", "float32"]], {"dtype": {"a": "int8", "b": "float32"}}, []),
    ("aligned by spaces", "a    b   c\n1    x   2.5\n10   yy  3.5\n", [["Delimiter", " "]], {"sep": r"\s+"}, []),
    ("tabs", "a\tb\tc\n1\t\tx\n2\t3\t\n", [["Delimiter", "\t"]], {"sep": "\t"}, []),
    ("letters of Latin-1", "größe,n\nKöln,1\nÅre,2\n", [], {}, []),
    ("line ends in cells", 'a,b\n"x\ny",1\n"z",2\n', [], {}, []),
    ("exponents", "a,b\n1e5,1E-3\n-2.5e+10,.5\n5.,1e400\n", [], {}, []),
    ("an index", ",a,b\nx,1,2\ny,3,4\n", [["Names", "i", "a", "b"], ["Header", "true"]], {"names": ["i", "a", "b"], "header": 0}, []),
    ("a header alone", "a,b\n", [["Header", "true"]], {}, []),
]


def variations():
    """Each file as it is, with other line ends, without the last one, and in other encodings."""
    for what, text, ours, theirs, dates in REAL:
        for end, name in (("\n", "LF"), ("\r\n", "CR LF"), ("\r", "CR")):
            data = text.replace("\n", end)
            if end == "\r" and "\r\r" in data:
                continue  # pandas makes a text of nothing
            yield Case(f"{what}, {name}", data.encode(), ours, theirs, dates)
        yield Case(f"{what}, no last line end", text.rstrip("\n").encode(), ours, theirs, dates)
        yield Case(f"{what}, UTF-8 with a mark", text.encode("utf-8-sig"), ours, theirs, dates)
        yield Case(f"{what}, UTF-16", text.encode("utf-16"), ours, {**theirs, "encoding": "utf-16"}, dates)
        yield Case(f"{what}, UTF-16 without a mark", text.encode("utf-16-be"), ours, {**theirs, "encoding": "utf-16-be"}, dates)
        if not text.isascii():
            yield Case(f"{what}, Latin-1", text.encode("latin-1"), ours, {**theirs, "encoding": "latin-1"}, dates)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        path = pathlib.Path(__file__).parents[2] / "arrays" / "testdata" / "csvkinds.json"
        found = {"pandas": pd.__version__, "cases": [c.answer() for c in variations()]}
        path.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    if len(sys.argv) > 2:
        rng = random.Random(int(sys.argv[1]))
        cases = []
        while len(cases) < int(sys.argv[2]):
            if c := random_case(rng):
                cases.append(c.answer())
        json.dump({"pandas": pd.__version__, "cases": cases}, sys.stdout)
