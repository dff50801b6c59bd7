package interp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write what the sessions print into testdata")

// A transcript file holds sessions. "## name" starts one, "## go: name" one that compiled Go must agree with; lines that
// start with ">" are a cell, up to the next line that does not; the lines after it are what the cell prints and displays.
// Blank lines between cells are not significant.
type transcript struct {
	name  string
	isGo  bool
	cells []transcriptCell
}

type transcriptCell struct{ src, want string }

func readTranscripts(t testing.TB, file string) []transcript {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []transcript
	inCell := false
	for _, line := range strings.Split(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			name, isGo := strings.CutPrefix(name, "go: ")
			out = append(out, transcript{name: name, isGo: isGo})
			inCell = false
			continue
		}
		if len(out) == 0 {
			continue // the file's introduction
		}
		cur := &out[len(out)-1]
		if code, ok := strings.CutPrefix(line, ">"); ok {
			if !inCell {
				cur.cells = append(cur.cells, transcriptCell{})
				inCell = true
			}
			cur.cells[len(cur.cells)-1].src += strings.TrimPrefix(code, " ") + "\n"
			continue
		}
		inCell = false
		if len(cur.cells) > 0 {
			cur.cells[len(cur.cells)-1].want += line + "\n"
		}
	}
	return out
}

// recorder runs cells and collects what they print and show.
type recorder struct {
	t       testing.TB
	session *Session
	out     *os.File
	read    int64
}

func newRecorder(t testing.TB, opts Options) *recorder {
	t.Helper()
	s, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = f
	t.Cleanup(func() {
		os.Stdout = old
		f.Close()
		s.Close()
	})
	return &recorder{t: t, session: s, out: f}
}

func (r *recorder) run(cell int, src string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	b, err := r.session.Run(ctx, cell, src)
	raw, _ := io.ReadAll(io.NewSectionReader(r.out, r.read, 1<<30))
	r.read += int64(len(raw))
	text := string(raw)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if !b.Empty() {
		text += b.Text() + "\n"
	}
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			r.t.Fatalf("cell %d failed with %T: %v", cell, err, err)
		}
		text += strings.Join(e.Lines(false), "\n") + "\n"
	}
	return text
}

func TestTranscripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	total := 0
	for _, file := range files {
		all := readTranscripts(t, file)
		if len(all) == 0 {
			continue // of another test
		}
		intro := introduction(t, file)
		var b strings.Builder
		b.WriteString(intro)
		ran := 0
		for _, tr := range all {
			total++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+tr.name, func(t *testing.T) {
				ran++
				r := newRecorder(t, Options{})
				kind := ""
				if tr.isGo {
					kind = "go: "
				}
				fmt.Fprintf(&b, "## %s%s\n", kind, tr.name)
				for i, c := range tr.cells {
					got := r.run(i+1, c.src)
					b.WriteString("> " + strings.ReplaceAll(strings.TrimSuffix(c.src, "\n"), "\n", "\n> ") + "\n" + got)
					if got == "" {
						b.WriteString("\n")
					}
					if !*update && strings.TrimSpace(got) != strings.TrimSpace(c.want) {
						t.Errorf("cell %d:\n%s\ngot:\n%s\nwant:\n%s", i+1, c.src, got, c.want)
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

func introduction(t *testing.T, file string) string {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(raw), "## ")
	return string(raw[:max(i, 0)])
}
