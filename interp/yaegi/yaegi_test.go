package yaegi

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
)

var update = flag.Bool("update", false, "mark the transcripts that are as they should be")

type recorder struct {
	t       testing.TB
	session *interp.Session
	out     *os.File
	read    int64
}

func newRecorder(t testing.TB) *recorder {
	t.Helper()
	s, err := interp.New(interp.Options{Engine: New()})
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
		var e *interp.Error
		if !errors.As(err, &e) {
			r.t.Fatalf("cell %d failed with %T: %v", cell, err, err)
		}
		text += strings.Join(e.Lines(false), "\n") + "\n"
	}
	return text
}

type transcript struct {
	name  string
	cells []cell
}
type cell struct{ src, want string }

func readTranscripts(t testing.TB, file string) (out []transcript) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inCell := false
	for _, line := range strings.Split(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			out = append(out, transcript{name: name})
			inCell = false
			continue
		}
		if len(out) == 0 {
			continue // the file's introduction
		}
		cur := &out[len(out)-1]
		if code, ok := strings.CutPrefix(line, ">"); ok {
			if !inCell {
				cur.cells = append(cur.cells, cell{})
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

// marked is the list of the transcripts that this engine gives word by word. The others differ in what doc.go says.
const marked = "testdata/transcripts.txt"

// TestTranscripts runs the sessions of the first engine, whose expectations compiled Go agrees with.
func TestTranscripts(t *testing.T) {
	raw, err := os.ReadFile(marked)
	if err != nil {
		t.Fatal(err)
	}
	must := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		must[strings.TrimSpace(line)] = true
	}
	files, err := filepath.Glob("../testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	var same []string
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".txt")
		if base == "complete" || base == "describe" {
			continue // of another form: they need no engine
		}
		for _, tr := range readTranscripts(t, file) {
			total++
			name := base + "/" + strings.TrimPrefix(tr.name, "go: ")
			t.Run(name, func(t *testing.T) {
				r := newRecorder(t)
				equal := true
				for i, c := range tr.cells {
					got := r.run(i+1, c.src)
					if strings.TrimSpace(got) == strings.TrimSpace(c.want) {
						continue
					}
					equal = false
					report := t.Logf
					if must[name] && !*update {
						report = t.Errorf
					}
					report("cell %d:\n%s\ngot:\n%s\nwant:\n%s", i+1, c.src, got, c.want)
				}
				if equal {
					same = append(same, name)
				}
				delete(must, name)
			})
		}
	}
	t.Logf("%d of %d transcripts are as with the first engine", len(same), total)
	for name := range must {
		if !*update {
			t.Errorf("%s is marked in %s and is no transcript", name, marked)
		}
	}
	if *update {
		slices.Sort(same)
		if err := os.WriteFile(marked, []byte(strings.Join(same, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
