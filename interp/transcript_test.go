package interp

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

var update = flag.Bool("update", false, "write what the sessions print into testdata")

// recorder runs cells and collects what they print and show.
type recorder struct {
	*judge.Recorder
	session *Session
}

func newRecorder(t testing.TB, opts Options) *recorder {
	t.Helper()
	s, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &recorder{judge.Record(t, s), s}
}

func TestTranscripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	total := 0
	for _, file := range files {
		intro, all := judge.Transcripts(t, file)
		if len(all) == 0 {
			continue // of another test
		}
		var b strings.Builder
		b.WriteString(intro)
		ran := 0
		for _, tr := range all {
			total++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+tr.Name, func(t *testing.T) {
				ran++
				r := newRecorder(t, Options{})
				kind := ""
				if tr.IsGo {
					kind = "go: "
				}
				if tr.NotYaegi {
					kind += "not yaegi: "
				}
				fmt.Fprintf(&b, "## %s%s\n", kind, tr.Name)
				for i, c := range tr.Cells {
					got := r.Run(i+1, c.Src)
					b.WriteString("> " + strings.ReplaceAll(strings.TrimSuffix(c.Src, "\n"), "\n", "\n> ") + "\n" + got)
					if got == "" {
						b.WriteString("\n")
					}
					if !*update && strings.TrimSpace(got) != strings.TrimSpace(c.Want) {
						t.Errorf("cell %d:\n%s\ngot:\n%s\nwant:\n%s", i+1, c.Src, got, c.Want)
					}
				}
				b.WriteString("\n")
			})
		}
		if *update && ran == len(all) {
			text := strings.ReplaceAll(b.String(), "> \n", ">\n")
			if err := os.WriteFile(file, []byte(strings.TrimRight(text, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if total < 200 {
		t.Errorf("%d transcripts, want at least 200", total)
	}
}
