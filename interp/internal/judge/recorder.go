package judge

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/teststreams"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Session runs cells: an interp.Session, which this package does not import since the tests of interp import it.
type Session interface {
	Run(ctx context.Context, cell int, src string) (display.Bundle, error)
}

// Recorder runs cells and collects what they print and show.
type Recorder struct {
	Limit time.Duration // of a cell; five minutes, which a busy machine may need

	t       testing.TB
	session Session
	out     *os.File
	read    int64
}

// Record lets the standard output of the process be what cells of s print, until the test ends.
func Record(t testing.TB, s Session) *Recorder {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	teststreams.OwnStderr(t)
	old := os.Stdout
	os.Stdout = f
	t.Cleanup(func() {
		os.Stdout = old
		f.Close()
	})
	return &Recorder{Limit: 5 * time.Minute, t: t, session: s, out: f}
}

// Run runs a cell and returns what it printed, what it showed, and the lines of its error.
func (r *Recorder) Run(cell int, src string) string {
	ctx, cancel := context.WithTimeout(context.Background(), r.Limit)
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
		var e interface {
			error
			Lines(colour bool) []string
		}
		if !errors.As(err, &e) {
			r.t.Fatalf("cell %d failed with %T: %v", cell, err, err)
		}
		text += strings.Join(e.Lines(false), "\n") + "\n"
	}
	return text
}
