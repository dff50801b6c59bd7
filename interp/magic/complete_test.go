package magic

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Cells are written with a bar at the cursor; wanted are names that must be among the proposals, unwanted after a !.
func TestComplete(t *testing.T) {
	f := newFixture(t, Options{PageNames: []string{"kernels", "text-page"}})
	os.Mkdir("folder", 0o755)
	os.WriteFile("file.go", nil, 0o644)
	f.run(1, "text := strings.NewReader(\"a\")\ntext")
	f.run(2, "done := true\n[]int{1}")
	for src, want := range map[string]string{
		"%ti|":                   "%time %timeit !%%time",
		"%|":                     "%time %cd",
		"  %whos|":               "%whos",
		"%%|":                    "%%time %%bash",
		"x := 1\n%ti|":           "%time %timeit !%%time",
		"%cd |":                  "folder/ !file.go",
		"%load f|":               "folder/ file.go",
		"!cat fi|":               "file.go",
		"!cat ./fi|":             "./file.go",
		"%time tex|":             "text",
		"%time text.Rea|":        "Read ReadByte",
		"%%time\ntext.Rea|":      "Read ReadByte",
		"%timeit -n 5 text.Len|": "Len",
		"%pwd\ntext.Rea|":        "Read",
		"text.Rea|\n%pwd":        "Read",
		"é := \"é\"\ntext.Rea|":  "Read",
		"!done && tex|":          "text",
		"%%bash\ntext.Rea|":      "!Read",
		"%reset o|":              "out",
		"%env HOM|":              "HOME",
		"%doc strings.Rep|":      "Repeat",
		"?strings.Rep|":          "Repeat",
		"%doc |":                 "kernels text-page",
		"%doc ker|":              "kernels !text-page",
		"%doc tex|":              "text-page text !kernels",
		"%doc text-p|":           "text-page",
		"tex|":                   "text !text-page",
		"%help wh|":              "!x",
		"Out[1].Rea|":            "Read",
		"__.Rea|":                "Read",
		"x := _[0] + le|":        "len",
		"%nosuch a|":             "!a",
		"|%time":                 "!Read",
	} {
		before, after, _ := strings.Cut(src, "|")
		c := f.session.Complete(before+after, utf8.RuneCountInString(before))
		var names []string
		for _, m := range c.Matches {
			names = append(names, m.Text)
		}
		for _, name := range strings.Fields(want) {
			if bad, ok := strings.CutPrefix(name, "!"); ok == slices.Contains(names, strings.TrimPrefix(name, "!")) {
				t.Errorf("%q: %q (%v) among %q", src, bad, !ok, names)
			}
		}
		if n := utf8.RuneCountInString(before); c.End != n && len(names) > 0 || c.Start > n {
			t.Errorf("%q: replaces %d to %d, cursor at %d", src, c.Start, c.End, n)
		}
	}
}

func TestDescribe(t *testing.T) {
	f := newFixture(t, Options{})
	f.run(1, "// twice doubles.\nfunc twice(a int) int { return 2 * a }")
	for src, want := range map[string]string{
		"%ti|me 1":           "run a line of Go and say",
		"%%ba|sh\nls":        "script of bash",
		"%time tw|ice(3)":    "twice doubles",
		"%pwd\ntw|ice(3)":    "twice doubles",
		"?tw|ice":            "twice doubles",
		"tw|ice?":            "twice doubles",
		"%%time\ntw|ice(3)":  "twice doubles",
		"%%bash\ntw|ice(3)":  "",
		"! tw|ice":           "",
		"é := 1; tw|ice(é)":  "twice doubles",
		"!l|s":               "",
		"%nosuch|":           "",
		"x := 1\n%env H|OME": "",
	} {
		before, after, _ := strings.Cut(src, "|")
		d, ok := f.session.Describe(before+after, utf8.RuneCountInString(before), 0)
		if ok != (want != "") || !strings.Contains(d.Plain(), want) {
			t.Errorf("%q: %v, %q, want %q", src, ok, d.Plain(), want)
		}
	}
}
