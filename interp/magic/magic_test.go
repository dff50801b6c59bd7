package magic

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

var update = flag.Bool("update", false, "write what the sessions print into testdata")

// fixture is a session whose cells' output, results and errors are read as one text.
type fixture struct {
	t       testing.TB
	session *Session
	out     *os.File
	read    int64
	dir     string
}

func newFixture(t testing.TB, o Options) *fixture {
	t.Helper()
	s, err := interp.New(interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, session: New(s, o), dir: t.TempDir()}
	if f.dir, err = filepath.EvalSymlinks(f.dir); err != nil {
		t.Fatal(err)
	}
	was, _ := os.Getwd()
	if err := os.Chdir(f.dir); err != nil {
		t.Fatal(err)
	}
	if f.out, err = os.Create(filepath.Join(t.TempDir(), "output")); err != nil {
		t.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = f.out, f.out
	display.SetPublisher(f)
	t.Cleanup(func() {
		os.Stdout, os.Stderr = stdout, stderr
		os.Chdir(was)
		display.SetPublisher(nil)
		f.out.Close()
	})
	return f
}

// Publish prints what a cell displays.
func (f *fixture) Publish(b display.Bundle) { f.out.WriteString(b.Text() + "\n") }

func (f *fixture) run(cell int, src string) string {
	ctx, cancel := context.WithTimeout(f.t.Context(), 30*time.Second)
	defer cancel()
	b, err := f.session.Run(ctx, cell, src)
	raw, _ := io.ReadAll(io.NewSectionReader(f.out, f.read, 1<<30))
	f.read += int64(len(raw))
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
			f.t.Fatalf("cell %d failed with %T: %v", cell, err, err)
		}
		text += strings.Join(e.Lines(false), "\n") + "\n"
	}
	return f.stable(text)
}

var (
	timeText = regexp.MustCompile(`\d[\d.e+]* (ns|µs|ms|s)\b`)
	// of a test's closing line, as the testing package prints it
	testTook = regexp.MustCompile(`(?m)^( *--- \w+: \S+) \(\d+\.\d\ds\)$`)
	slowRun  = regexp.MustCompile(`(?m)^The slowest run took .*\n|^Compiler : .*\n`)
)

// stable takes out of a text what changes from run to run: times and the place of the test.
func (f *fixture) stable(text string) string {
	text = slowRun.ReplaceAllString(text, "")
	text = timeText.ReplaceAllString(text, "TIME")
	text = testTook.ReplaceAllString(text, "$1 (TIME)")
	return strings.ReplaceAll(text, f.dir, "DIR")
}

// TestTranscripts runs the sessions of testdata: "## name" begins one, lines after ">" are a cell, the others what
// comes of it.
func TestTranscripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) == 0 {
		t.Fatal("no transcripts")
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		intro, rest, _ := strings.Cut(string(raw), "\n## ")
		got := strings.TrimRight(intro, "\n") + "\n"
		for _, session := range strings.Split(rest, "\n## ") {
			name, text, _ := strings.Cut(session, "\n")
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+name, func(t *testing.T) {
				f := newFixture(t, Options{})
				got += "\n## " + name + "\n"
				for i, c := range cellsOf(text) {
					out := f.run(i+1, c.src)
					got += "> " + strings.ReplaceAll(c.src, "\n", "\n> ") + "\n" + out
					if out == "" {
						got += "\n"
					}
					if !*update && strings.TrimSpace(out) != strings.TrimSpace(c.want) {
						t.Errorf("cell %d:\n%s\ngot:\n%s\nwant:\n%s", i+1, c.src, out, c.want)
					}
				}
			})
		}
		if *update {
			lines := strings.Split(strings.TrimRight(got, "\n")+"\n", "\n")
			for i := range lines {
				lines[i] = strings.TrimRight(lines[i], " ")
			}
			if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

type cellText struct{ src, want string }

func cellsOf(text string) (cells []cellText) {
	in := false
	for _, line := range strings.Split(text, "\n") {
		code, ok := strings.CutPrefix(line, ">")
		if ok {
			code = strings.TrimPrefix(code, " ")
			if in {
				cells[len(cells)-1].src += "\n" + code
			} else {
				cells = append(cells, cellText{src: code})
			}
		} else if len(cells) > 0 {
			cells[len(cells)-1].want += line + "\n"
		}
		in = ok
	}
	return cells
}
