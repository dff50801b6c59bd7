package interp

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/modules"
)

// A cursor file holds cells to run, each a block of lines that start with ">", and then places to ask about: a block of
// lines that start with "?", with "|" at the cursor, and what is answered. Lines that start with "#" are remarks.
const cursorIntro = "# What the session answers at cursors. The lines after a ? are written by go test ./interp -run Cursor -update:\n" +
	"# read them before you commit them.\n\n"

// TestCursorComplete compares with testdata/complete.txt: for each place the number of proposals, the first ten, and
// the call that is being written.
func TestCursorComplete(t *testing.T) {
	cursorFile(t, "complete.txt", func(s *Session, src string, cursor int) string {
		c := s.Complete(src, cursor)
		var b strings.Builder
		fmt.Fprintf(&b, "%d, replacing %q\n", len(c.Matches), string([]rune(src)[c.Start:c.End]))
		for i, m := range c.Matches {
			if i == 10 {
				b.WriteString("  …\n")
				break
			}
			fmt.Fprintf(&b, "  %s %s: %s\n", m.Text, m.Type, strings.TrimSpace(m.Signature+" — "+m.Doc))
		}
		if c.Call != nil {
			fmt.Fprintf(&b, "  call of %s; argument %d: %s — %s\n", c.Call.Signature, c.Call.Index, c.Call.Param, c.Call.Doc)
		}
		return b.String()
	})
}

// TestCursorDescribe compares with testdata/describe.txt.
func TestCursorDescribe(t *testing.T) {
	cursorFile(t, "describe.txt", func(s *Session, src string, cursor int) string {
		d, ok := s.Describe(src, cursor, 1)
		if !ok {
			return "  nothing\n"
		}
		var b strings.Builder
		lines := strings.Split(d.Plain(), "\n")
		if len(lines) > 12 {
			lines = append(lines[:12], fmt.Sprintf("… %d lines", len(lines)))
		}
		for _, l := range lines {
			b.WriteString(strings.TrimRight("  "+l, " ") + "\n")
		}
		return b.String()
	})
}

// cursorFile runs the cells of a file, asks at its places and compares, or writes the answers with -update.
func cursorFile(t *testing.T, name string, ask func(s *Session, src string, cursor int) string) {
	file := filepath.Join("testdata", name)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString(cursorIntro)
	cells, asked, names := 0, 0, 0
	block, kind := "", ""
	flush := func() {
		switch kind {
		case ">":
			cells++
			if _, err := s.Run(context.Background(), cells, block); err != nil {
				t.Errorf("cell %d: %v", cells, err)
			}
			names = len(s.Names())
		case "?":
			asked++
			src, cursor := cut(strings.TrimSuffix(block, "\n"))
			out.WriteString(ask(s, src, cursor))
			if len(s.Names()) != names {
				t.Errorf("%q changed the session", src)
			}
		}
		block, kind = "", ""
	}
	for line := range strings.Lines(string(raw)) {
		mark := line[:1]
		if mark != kind {
			flush()
		}
		switch mark {
		case ">", "?":
			if kind == "" {
				out.WriteString("\n")
			}
			kind = mark
			block += strings.TrimPrefix(line[1:], " ")
			out.WriteString(line)
		}
	}
	flush()
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if asked < 30 {
		t.Errorf("%s has %d places only", name, asked)
	}
	want := string(raw)
	if got := out.String(); got != want && !*update {
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range g {
			if i >= len(w) || g[i] != w[i] {
				t.Fatalf("%s, line %d: got\n%s\nwant\n%s", name, i+1, strings.Join(g[max(0, i-3):min(len(g), i+4)], "\n"), strings.Join(w[max(0, min(i-3, len(w))):min(len(w), i+4)], "\n"))
			}
		}
		t.Fatalf("%s has more lines than the answers", name)
	}
}

// TestCursorWhileACellRuns asks while a cell makes run-time types and calls methods, and the answers import packages; a
// short test asks for a third of the packages, each turn another.
func TestCursorWhileACellRuns(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := s.Run(ctx, 1, "type T struct{ n int }\nfunc (t T) String() string { return fmt.Sprint(t.n) }\nready := true\n_ = ready\n"+
			"for i := 0; ; i++ {\n\t_ = fmt.Sprint(T{i}, []T{{i}}, map[string]any{`x`: T{i}}, reflect.TypeOf(struct{ A, B T }{}), errors.Is(io.EOF, io.EOF))\n}")
		done <- err
	}()
	for i, path := range slices.Sorted(maps.Keys(s.installed)) {
		name := modules.BaseName(path)
		if s.auto[name] != path || !testsize.Part(i, 3) {
			continue
		}
		if c := s.Complete(name+".", len(name)+1); len(c.Matches) == 0 && path != "time/tzdata" {
			t.Errorf("nothing is proposed after %s.", name)
		}
		s.Describe("T{}.String()", 6, 1)
	}
	cancel()
	if err := <-done; err == nil || !strings.Contains(err.Error(), Interrupted) {
		t.Errorf("the cell ended with %v", err)
	}
}
