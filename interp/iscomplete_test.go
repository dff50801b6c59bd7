package interp

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

func TestIsCompleteLineByLine(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	// The answers are those of a session that has seen nothing before.
	texts := []string{
		"func f() {\n\tx := `a\n{ (\n`\n\t/* ( \n*/ y(x,\n\t\t[]int{1, 2})\n}\nf()", "a := 1 /", "a := 1 /*", "a := 1 /* x */", "a := `", "a := `x`",
		"f(]", "f(", "f()", "f())", "\ufefff(", "f(\n1", "", "x +", "len(x), y", "if a {\n}", "if a {\n} else {", "} {",
	}
	for _, text := range texts {
		for n := range len(text) + 1 {
			fresh, err := New(Options{})
			if n > 20 && n%7 != 0 || err != nil {
				continue
			}
			status, indent := s.IsComplete(text[:n])
			if want, wantIndent := fresh.IsComplete(text[:n]); status != want || indent != wantIndent {
				t.Errorf("%q: %s %q, alone %s %q", text[:n], status, indent, want, wantIndent)
			}
		}
	}
}

func TestIsCompleteScansOnce(t *testing.T) {
	var o openScan
	long := "f(\n" + strings.Repeat("1,\n", 10000)
	if depth, _ := o.scan(long); depth != 1 {
		t.Fatal(depth)
	}
	if n := len(o.done); n < len(long)-4 {
		t.Errorf("only %d of %d bytes need not be scanned again", n, len(long))
	}
	if depth, _ := o.scan(long + "g("); depth != 2 {
		t.Error(depth)
	}
	if depth, _ := o.scan(long + ")"); depth != 0 {
		t.Error(depth)
	}
}

func TestByteOrderMark(t *testing.T) {
	r := newRecorder(t, Options{})
	if got := r.Run(1, "\ufeffx := 5\nx"); got != "5\n" {
		t.Error(got)
	}
}

// Cells that are typed line by line are parsed from the last line on at which they were complete.
func TestIsCompleteParsesWhatIsNew(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("testdata/*.txt")
	asked := 0
	for _, file := range files {
		_, all := judge.Transcripts(t, file)
		for i, tr := range all {
			if !testsize.Part(i, 3) {
				continue
			}
			all := ""
			for _, c := range tr.Cells {
				all += c.Src
				text := ""
				for line := range strings.Lines(c.Src) {
					text += line
					asked++
					status, indent := s.IsComplete(text)
					parsed, open := s.typing.parsed, s.typing.open
					s.typing.parsed, s.typing.open = "", openScan{}
					if want, wantIndent := s.IsComplete(text); status != want || indent != wantIndent {
						t.Errorf("%q: %s %q, alone %s %q", text, status, indent, want, wantIndent)
					}
					s.typing.parsed, s.typing.open = parsed, open
				}
			}
			s.IsComplete(all)
		}
	}
	if asked < 400 {
		t.Errorf("%d lines, want at least 400", asked)
	}
	long := strings.Repeat("x := []int{1, 2}\n", 1000)
	s.IsComplete(long)
	if s.typing.parsed != long {
		t.Errorf("of %d bytes %d need not be parsed again", len(long), len(s.typing.parsed))
	}
}

func BenchmarkIsCompleteLine(b *testing.B) {
	s, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, lines := range []int{10, 1000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			long := strings.Repeat("x = append(x, 1)", 1) + strings.Repeat("\nx = append(x, 1)", lines)
			s.IsComplete(long)
			for b.Loop() {
				s.IsComplete(long + "\ny()")
				s.typing.parsed = long
			}
		})
	}
}
