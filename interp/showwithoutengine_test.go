package interp

import (
	"context"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Cells that only name a value go past the engine, and show what the engine would: fmt.Sprint, compiled in the engine,
// says what that is. Others do not go past it.
func TestDirect(t *testing.T) {
	const before = `
import "bytes"
type point struct{ X, Y int }
func (p point) String() string { panic("no") }
n, f, s, yes := 7, 2.5, "text", true
list, table, letters := []int{1, 2}, map[string][]float64{"a": {1.5}}, [2]rune{'a', 'b'}
buf := bytes.NewBufferString("in it")
var none []int
p, points, boxed := point{1, 2}, []point{{3, 4}}, any(n)`
	for cell, direct := range map[string]bool{
		"1 + 1": true, "(-3)": true, "2.5e300": true, "1 << 40": true, "'x'": true, `"a" + "b"`: true, "1 < 2": true, "len(letters)": true,
		"n": true, "f": true, "s": true, "yes": true, "(list)": true, "table": true, "letters": true, "buf": true, "none": true,
		"n + 1": false, "list[0]": false, "uint8(3)": false, "1i": false, "n, f": false, "boxed": false, "nil": false,
		"n;": false, "n = 8": false, "len(list)": false, "p": false, "points": false, "point{}": false,
	} {
		s, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(context.Background(), 1, before); err != nil {
			t.Fatal(err)
		}
		got, failed := s.Run(context.Background(), 2, cell)
		p, fail := s.prepare(nil, s.supervisor.NewRun(), 3, cell)
		if fail == nil {
			if _, ok := p.code.(*shownCode); ok != direct {
				t.Errorf("%s: direct is %v, want %v", cell, ok, direct)
			}
		}
		if direct {
			want, err := s.Run(context.Background(), 4, "fmt.Sprint("+cell+")")
			if failed != nil || err != nil {
				t.Errorf("%s: %v, %v", cell, failed, err)
			} else if text := strings.Trim(want.Text(), "`\""); got.Text() != text && got.Text() != want.Text() {
				t.Errorf("%s: shown as %s, not %s", cell, got.Text(), text)
			}
		}
		s.Close()
	}
}

// What fails while a variable is shown says in which cell that was, and leaves the variable.
func TestDirectFails(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Run(context.Background(), 1, "n := 1")
	code := &shownCode{func() { panic("while it is shown") }, engine.Frame{Cell: 2, Line: 1}}
	if f := code.Run(); f == nil || f.Value != "while it is shown" || len(f.Trace) != 1 || f.Trace[0].Cell != 2 {
		t.Errorf("%+v", f)
	}
	p, fail := s.prepare(nil, s.supervisor.NewRun(), 7, "\n\nn")
	if fail != nil {
		t.Fatal(fail)
	}
	if at := p.code.Where(); len(at) != 1 || at[0] != (engine.Frame{Cell: 7, Line: 3}) {
		t.Errorf("a cell whose third line shows n is at %+v", at)
	}
}
