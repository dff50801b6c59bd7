package yaegi

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

func newRecorder(t testing.TB) *recorder {
	t.Helper()
	return newRecorderWith(t, interp.Options{})
}

func newRecorderWith(t testing.TB, opts interp.Options) *recorder {
	t.Helper()
	opts.Engine = New()
	s, err := interp.New(opts)
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

// racy are transcripts that this engine gets wrong now and then.
var racy = map[string]string{
	"spec/goroutines with sync, context and errors":            literalsPutBack,
	"idioms/goroutines, and callbacks of the standard library": literalsPutBack,
}

const literalsPutBack = "a function literal that ends puts itself back where yaegi keeps the one of a later turn of the loop (run.go, getFunc)"

// TestTranscripts runs the sessions of the first engine, whose expectations compiled Go agrees with. Those that this
// engine does not give word by word are marked; they differ in what doc.go says.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	total, same := 0, 0
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".txt")
		if base == "complete" || base == "describe" {
			continue // of another form: they need no engine
		}
		_, all := judge.Transcripts(t, file)
		for _, tr := range all {
			if total++; !testsize.Part(total, 3) { // a short test has a third of them, each turn another
				continue
			}
			t.Run(base+"/"+tr.Name, func(t *testing.T) {
				if why := racy[base+"/"+tr.Name]; why != "" {
					t.Skip(why)
				}
				r := newRecorder(t)
				if tr.NotYaegi {
					r.Limit = 5 * time.Second // one has a loop that does not end here
				}
				equal := true
				for i, c := range tr.Cells {
					got := r.Run(i+1, c.Src)
					if strings.TrimSpace(got) == strings.TrimSpace(c.Want) {
						continue
					}
					equal = false
					report := t.Errorf
					if tr.NotYaegi {
						report = t.Logf
					}
					report("cell %d:\n%s\ngot:\n%s\nwant:\n%s", i+1, c.Src, got, c.Want)
				}
				if equal {
					same++
				}
				if equal && tr.NotYaegi {
					t.Error("it is as it should be: take the mark \"not yaegi: \" away")
				}
			})
		}
	}
	t.Logf("%d of %d transcripts are as with the first engine", same, total)
}
