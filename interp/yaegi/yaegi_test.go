package yaegi

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

var update = flag.Bool("update", false, "mark the transcripts that are as they should be")

func newRecorder(t testing.TB) *recorder {
	t.Helper()
	s, err := interp.New(interp.Options{Engine: New()})
	if err != nil {
		t.Fatal(err)
	}
	return &recorder{judge.Record(t, s), s}
}

// recorder runs cells and collects what they print and show.
type recorder struct {
	*judge.Recorder
	session *interp.Session
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
		_, all := judge.Transcripts(t, file)
		for _, tr := range all {
			total++
			name := base + "/" + tr.Name
			t.Run(name, func(t *testing.T) {
				r := newRecorder(t)
				equal := true
				for i, c := range tr.Cells {
					got := r.Run(i+1, c.Src)
					if strings.TrimSpace(got) == strings.TrimSpace(c.Want) {
						continue
					}
					equal = false
					report := t.Logf
					if must[name] && !*update {
						report = t.Errorf
					}
					report("cell %d:\n%s\ngot:\n%s\nwant:\n%s", i+1, c.Src, got, c.Want)
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
