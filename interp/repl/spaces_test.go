package repl

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSpaces(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"\tx := 1", "    x := 1"},
		{"if a {\n\t\tb()\t// c\td\n}", "if a {\n        b()    // c\td\n}"},
		{"s := `a\n\tb`\n\tt", "s := `a\n\tb`\n    t"},
		{"s := \"a\tb", "s := \"a\tb"},                   // not closed yet
		{"s := `a\r\n\tb`;\tx", "s := `a\r\n\tb`;    x"}, // the scanner takes \r out of raw strings
		{"'\t';\t1", "'\t';    1"},
	} {
		if got := spaces(c.src); got != c.want {
			t.Errorf("spaces(%q) = %q, want %q", c.src, got, c.want)
		}
	}
}

// gofmt judges that blanks for tabs change nothing of a program: it makes the same text of both.
func TestSpacesKeepTheProgram(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := format.Source([]byte(spaces(string(src))))
		if err != nil || string(got) != string(src) {
			t.Errorf("%s is another program with blanks for tabs (%v)", f, err)
		}
	}
}

// The colours of a text, complete or cut anywhere, leave its characters alone: the editor finds the cursor by them.
func TestHighlightKeepsTheText(t *testing.T) {
	src, err := os.ReadFile("highlight.go")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"", "\"", "`a\r\nb`; c", "/* a\r\nb */ c\r\n", "x := 'é", "a \x00 b", "\xff\xfe", "日本 := 1"}
	for n := 0; n < len(src); n += 7 {
		texts = append(texts, string(src[:n]))
	}
	for _, text := range texts {
		var b strings.Builder
		for _, seg := range highlight(text) {
			b.WriteString(seg.Text)
		}
		if b.String() != text {
			t.Errorf("highlight(%q) has the text %q", text, b.String())
		}
	}
}

func TestHighlight(t *testing.T) {
	// The numbers are ANSI's, and nothing before the first semicolon resets: 34 blue, 35 magenta, 32 green, 36 cyan, 90
	// bright black.
	const src = "func f() int { return 7 + len(\"a\") } // c"
	const want = "\x1b[;35mfunc\x1b[m f() \x1b[34mint\x1b[m { \x1b[35mreturn\x1b[m \x1b[36m7\x1b[m + \x1b[34mlen\x1b[m(\x1b[32m\"a\"\x1b[m) } \x1b[90m// c\x1b[m"
	if got := highlight(src).VTString(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
