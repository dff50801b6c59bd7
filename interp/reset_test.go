package interp

import (
	"context"
	"strings"
	"testing"
)

// What is declared again, what a reset forgets and what a closed session had is garbage: 80 MB each time, whatever knows of
// them.
func TestMemoryComesBack(t *testing.T) {
	const large = 80 << 20
	run := func(s *Session, srcs ...string) {
		for _, src := range srcs {
			if _, err := s.Run(context.Background(), 1, src); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, srcs := range [][]string{
		{"big := make([]byte, 80<<20)"},
		{"big := make([]byte, 80<<20)", "len(big) + 1"},
		{"big := make([]byte, 80<<20)\nh := func() int { return len(big) }\nh()"},
		{"type T struct{ b []byte }\nfunc (t T) Len() int { return len(t.b) }\nbig := T{make([]byte, 80<<20)}\nbig.Len()"},
		{"type T struct{ b []byte }\nfunc (t T) String() string { return fmt.Sprint(len(t.b)) }\nvar big any = T{make([]byte, 80<<20)}\nfmt.Sprint(big)"},
		{"type T struct{ b []byte }\nbig := T{make([]byte, 80<<20)}", "func (t T) String() string { return fmt.Sprint(len(t.b)) }\nfmt.Sprint(big)"},
		{"type T struct{ b []byte }\nfunc (t T) Len() int { return len(t.b) }", "big := T{make([]byte, 80<<20)}", "big.Len()"},
		{"type T struct{}\nfunc (t T) Len() int { return len(big) }\nvar big = make([]byte, 80<<20)\nT{}.Len()"},
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
		if left > 1<<20 || closed > 1<<20 {
			t.Errorf("%q: %d kB are left by a reset, %d kB by Close", srcs, left>>10, closed>>10)
		}
	}
}

// Compiled code that still holds a value of a type that was forgotten gets an error from its methods.
func TestForgottenMethod(t *testing.T) {
	r := newRecorder(t, Options{})
	r.Run(1, "type W struct{}\nfunc (W) Write(b []byte) (int, error) { return len(b), nil }\nlog.SetOutput(W{})\nlog.Print(1)")
	r.session.Reset()
	if got := r.Run(2, "log.Print(2)"); !strings.Contains(got, "has been forgotten") {
		t.Errorf("a method of a forgotten type gives %q", got)
	}
	if got := r.Run(3, "log.SetOutput(os.Stdout); log.SetFlags(0); log.Print(3)"); got != "3\n" {
		t.Errorf("afterwards: %q", got)
	}
	r.Run(4, "log.SetOutput(os.Stderr); log.SetFlags(log.LstdFlags)")
}
