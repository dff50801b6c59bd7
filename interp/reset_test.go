package interp

import (
	"context"
	"strings"
	"testing"
)

// What is declared again, what a reset forgets and what a closed session had is garbage: 80 MB each time. (Types with
// methods are left out: what their programs have stays, see docs/design/decisions/0022-programs-with-methods-stay.md.)
func TestMemoryComesBack(t *testing.T) {
	if !alone(t) {
		return
	}
	const large = 80 << 20
	run := func(s *Session, srcs ...string) {
		for _, src := range srcs {
			if _, err := s.Run(context.Background(), 1, src); err != nil {
				t.Fatal(err)
			}
		}
	}
	const method = "; type T struct{ n int }; func (t T) Len() int { return len(big) + t.n }" // its program stays until Close
	for _, srcs := range [][]string{
		{"big := make([]byte, 80<<20)" + method + "\nT{1}.Len()", "any(T{2}).(interface{ Len() int }).Len()", "fmt.Sprint(reflect.ValueOf(T{3}).Method(0).Call(nil))"},
		{"big := make([]byte, 80<<20)"},
		{"big := make([]byte, 80<<20)", "len(big) + 1"},
		{"big := make([]byte, 80<<20)\nh := func() int { return len(big) }\nh()"},
		{"big := make([]byte, 80<<20)\ndone := make(chan bool)\ngo func() { big[0] = 1; done <- true }()\n<-done"},
	} {
		s, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		run(s, "fmt.Sprint(1)", "x := 1; x + 1")
		before := heap()
		for range 3 {
			run(s, srcs...)
		}
		if held := heap() - before; held < large-1<<20 {
			t.Errorf("%q: only %d MB are held", srcs, held>>20)
		} else {
			t.Logf("held after three runs: %d MB", held>>20)
		}
		s.Reset()
		run(s, "x := 1; x + 1")
		left := heap() - before
		s.Close()
		s = nil
		closed := heap() - before
		t.Logf("after %%reset %d kB are left, after Close %d kB: %q", left>>10, closed>>10, srcs)
		if left > 1<<20 && !strings.Contains(srcs[0], method) || closed > 1<<20 {
			t.Errorf("%q: %d kB are left by a reset, %d kB by Close", srcs, left>>10, closed>>10)
		}
	}
}
