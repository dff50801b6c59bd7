package interp

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// answerLimit is how long an answer at a cursor may take before the test takes it for a loop without an end.
const answerLimit = 30 * time.Second

// askEverything asks all that can be asked at a cursor and checks what must hold for every answer.
func askEverything(t *testing.T, s *Session, src string, cursor int) {
	t.Helper()
	begin := time.Now()
	c := s.Complete(src, cursor)
	runes := utf8.RuneCountInString(src)
	if at := min(cursor, runes); c.Start < 0 || c.Start > c.End || c.End != at {
		t.Errorf("%q at %d: replaces %d to %d", src, cursor, c.Start, c.End)
	}
	seen := map[string]bool{}
	for _, m := range c.Matches {
		if m.Text == "" || m.Type == "" || seen[m.Text] || strings.ContainsAny(m.Text+m.Signature, "·Ξ\n") && m.Type != "function" {
			t.Errorf("%q at %d proposes %+v", src, cursor, m)
		}
		seen[m.Text] = true
	}
	if d, ok := s.Describe(src, cursor, 1); ok && (d.Plain() == "" || d.Markdown() == "" || d.HTML() == "" || strings.Contains(d.Signature, "·")) {
		t.Errorf("%q at %d is described as %+v", src, cursor, d)
	}
	if took := time.Since(begin); took > answerLimit {
		t.Errorf("%q at %d: answers after %v", src, cursor, took)
	}
}

// TestCursorAnywhere stands at places of every cell of the transcripts, with the rest of the cell and without it; a
// short test stands at a third of the places, each turn at others, in turn with and without.
func TestCursorAnywhere(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("testdata/*.txt")
	at, places := 0, 0
	for _, file := range files {
		if base := filepath.Base(file); base == "complete.txt" || base == "describe.txt" {
			continue
		}
		_, all := judge.Transcripts(t, file)
		for _, tr := range all {
			for _, cell := range tr.Cells {
				text := []rune(cell.Src)
				for i := len(tr.Name) % 31; i <= len(text); i += 31 { // another start for each transcript
					if at++; !testsize.Part(at, 3) {
						continue
					}
					places++
					if places%2 == 0 || !testsize.Short() {
						askEverything(t, s, cell.Src, i)
					}
					if places%2 == 1 || !testsize.Short() {
						askEverything(t, s, string(text[:i]), i)
					}
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	if places < 500 {
		t.Errorf("%d places only", places)
	}
}

// FuzzCursor stands anywhere in any text: go test ./interp -fuzz FuzzCursor.
func FuzzCursor(f *testing.F) {
	for _, src := range []string{
		"x := strings.Repeat(\"a\", 3).", "func f(a int) { for i := range a { switch i { case ", "import \"enc", "type T struct { a, b ",
		"if x := f(func(a int) {", "}])", "go func() { defer ", "a[b{c(d.", "\xff\xfe", "`", "/*", "'", "x := y := z.", "goto ", "1.", "for ;;",
		"package p\nfunc main() { fmt.", "select { case <-", "var a, b = 1, ", "\ufeffx.", "map[string]func(", "[...]int{1: ", "x.(type", "...",
	} {
		f.Add(src, len(src))
		f.Add(src, len(src)/2)
	}
	s, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string, cursor int) {
		if len(src) < 4000 {
			askEverything(t, s, src, max(0, min(cursor, 5000)))
		}
	})
}
