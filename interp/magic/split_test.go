package magic

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Parts are written as kind and text: G for Go, else the magic's name and its argument; "·" is a line end.
func TestSplit(t *testing.T) {
	declared := func(name string) bool { return name == "done" }
	for src, want := range map[string]string{
		"":                            "",
		"x := 1":                      "G x := 1",
		"%pwd":                        "%pwd",
		"  %cd  a b ":                 "%cd a b",
		"x := 1\n%pwd\ny := 2":        "G x := 1· | %pwd | G y := 2",
		"f(\n%pwd\n)":                 "G f(·%pwd·)",
		"`\n%pwd\n`":                  "G `·%pwd·`",
		"/*\n%pwd\n*/ 1":              "G /*·%pwd·*/ 1",
		"a :=\n%pwd":                  "G a :=·%pwd",
		"a %\nb":                      "G a %·b",
		"!ls | wc; echo 'it''s'\n1":   "! ls | wc; echo 'it''s' | G 1",
		"!done":                       "G !done",
		"! done":                      "! done",
		"!undone":                     "! undone",
		"undone := true\n!undone":     "G undone := true·!undone",
		"!f(1)":                       "G !f(1)",
		"!(1 < 2)":                    "G !(1 < 2)",
		"!git log":                    "! git log",
		"!p.ok":                       "G !p.ok",
		"$ a \\\n b\n1":               "! a \\· b | G 1",
		"f()\n%% -n=1\ng()\n%pwd":     "G f()· | %% -n=1 {g()·%pwd}",
		"//gonb:%main\ng()":           "%main {g()}",
		"`\n//gonb:%%\n`":             "G `·//gonb:%%·`",
		"x?":                          "? x",
		"?x.Y":                        "? x.Y",
		"x.Y ??":                      "? x.Y",
		"a; b?":                       "G a; b?",
		"\"what?\"":                   "G \"what?\"",
		"%time?":                      "? %time",
		"%%bash\nls\n%pwd":            "%%bash {ls·%pwd}",
		"\n\n%%time x\n y":            "%%time x { y}",
		"x\n%%time":                   "G x· | %%time",
		"// c\n%pwd":                  "%pwd",
		"%pwd\n// c":                  "%pwd",
		"if a {\n!ls\n}":              "G if a {·!ls·}",
		"x := 1;\n%pwd":               "G x := 1;· | %pwd",
		"%timeit -n 5 f(\"%\")\r\n1":  "%timeit -n 5 f(\"%\") | G 1",
		":package x\ny":               ": package x | G y",
		"L:\nfor {\nbreak L\n}":       "G L:·for {·break L·}",
		"é := 1\n%pwd":                "G é := 1· | %pwd",
		"s := \"unterminated\n%pwd":   "G s := \"unterminated· | %pwd",
		"%":                           "%",
		"!":                           "!",
		"switch {\ncase a:\n!b()\n}":  "G switch {·case a:·!b()·}",
		"x := map[string]int{\n}\n?x": "G x := map[string]int{·}· | ? x",
	} {
		var got []string
		for _, p := range split(src, declared) {
			if p.magic == nil {
				if p.text != "" {
					got = append(got, "G "+p.text)
				}
				continue
			}
			text := strings.TrimSpace(p.magic.name + " " + p.magic.arg)
			if p.magic.body != "" {
				text += " {" + p.magic.body + "}"
			}
			got = append(got, text)
		}
		if s := strings.ReplaceAll(strings.Join(got, " | "), "\n", "·"); s != want {
			t.Errorf("%q:\ngot  %s\nwant %s", src, s, want)
		}
	}
}

// FuzzSplit: parts do not overlap, lie in the cell, and hold all of it but blanks and comments.
func FuzzSplit(f *testing.F) {
	for _, src := range []string{"x\n%pwd\ny", "%%bash\nls", "!a \\\n b", "x?", "`\n%", "f(\n!", "é\n$ é?", "\v\n!"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		at := 0
		for _, p := range split(src, func(string) bool { return false }) {
			if p.start < at || p.end < p.start || p.end > len(src) {
				t.Fatalf("%q: part %d to %d after %d", src, p.start, p.end, at)
			}
			if p.magic == nil && p.text != src[p.start:p.end] {
				t.Fatalf("%q: text %q", src, p.text)
			}
			if m := p.magic; m != nil && (m.argStart < p.start || m.argStart > len(src)) {
				t.Fatalf("%q: argument at %d of %d to %d", src, m.argStart, p.start, p.end)
			}
			if hasTokens(src[at:p.start]) {
				t.Fatalf("%q: %q is lost", src, src[at:p.start])
			}
			at = p.end
		}
		s := &Session{table: map[string]*Magic{}}
		if only := s.goOnly(src, split(src, func(string) bool { return false })); utf8.ValidString(src) && utf8.RuneCountInString(only) != utf8.RuneCountInString(src) {
			t.Fatalf("%q: %q has other positions", src, only)
		}
	})
}

// TestSplitManyMagics has each magic in its own line, however many there are, and looks at the text a bounded number of
// times.
func TestSplitManyMagics(t *testing.T) {
	asked := 0
	src := strings.Repeat("x := 1; y := 2\n%who\n!x\n`\n%raw\n` // é\n", 3000) + "name?" + strings.Repeat("?", 20_000)
	parts := split(src, func(string) bool { asked++; return false })
	if len(parts) != 3*3000+1 || asked > 4*len(parts) {
		t.Fatal(len(parts), "parts, asked for names", asked, "times")
	}
	for i, p := range parts[:9000] {
		if want := i/3*6 + []int{1, 2, 3}[i%3]; i > 2 && i%3 == 0 {
			if p.line != want-3 {
				t.Fatal("part", i, "begins in line", p.line, "and not", want-3)
			}
		} else if p.line != want {
			t.Fatal("part", i, "begins in line", p.line, "and not", want)
		}
	}
}
