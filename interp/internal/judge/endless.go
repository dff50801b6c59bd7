package judge

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
)

// EndlessCell is a cell that would run for ever, or for very long, and what to run before it. A variable kept is there.
type EndlessCell struct{ Name, Before, Source string }

var endless = []EndlessCell{
	{"loop", "", "for {\n}"},
	{"loop that counts", "", "for i := 0; ; i++ {\n\tkept = i\n}"},
	{"called function", "func spin() { for { } }", "spin()"},
	{"closure", "", "f := func() { for { } }\nf()"},
	{"method of an earlier cell", "type W struct{ n int }\nfunc (w *W) spin() { for { w.n++ } }", "(&W{}).spin()"},
	{"range over int", "", "for i := range math.MaxInt { _ = i }"},
	{"range over func", "", "for x := range func(yield func(int) bool) { for yield(1) { } } { _ = x }"},
	{"goto", "", "func g() {\nagain:\n\tgoto again\n}\ng()"},
	{"slow recursion", "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }", "fib(80)"},
	{"blocked channel", "", "<-make(chan int)"},
	{"empty select", "", "select {}"},
	{"sleep", "", "time.Sleep(time.Hour)"},
	{"goroutines that spin", "", "for range 4 { go func() { for { } }() }\nfor { }"},
	{"wait group", "", "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()"},
	{"loop that recovers", "", "func try() { defer func() { recover() }(); for { } }\nfor { try() }"},
	{"callback of compiled code", "", "strings.Map(func(r rune) rune { for { } }, `abc`)"},
}

// sorting are those whose loop is called by package sort. The second engine is not asked for these.
var sorting = []EndlessCell{
	{"callback of a sort", "", "sort.Slice(make([]int, 100), func(a, b int) bool { for { } })"},
	{"callback of a sort that never ends", "", "xs := make([]int, 50_000)\nsort.Slice(xs, func(a, b int) bool { for range 100_000 { }; return a < b })"},
}

// Endless returns all endless cells.
func Endless() []EndlessCell { return slices.Concat(endless, sorting) }

// hung is what no busy machine explains: BenchmarkInterrupt of interp/supervise measures what an interrupt takes.
const hung = 30 * time.Second

// Interrupted runs the endless cells in the session of r and interrupts each: the session must say so, and keep its
// variables.
func Interrupted(t *testing.T, r *Recorder, second bool) {
	r.Run(1, "kept := 0\nname := `here`")
	cells := Endless()
	if second {
		cells = endless
	}
	for i, c := range cells {
		t.Run(c.Name, func(t *testing.T) {
			if c.Before != "" {
				if got := r.Run(2, c.Before); got != "" {
					t.Fatal(got)
				}
			}
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(40*time.Millisecond, cancel)
			start := time.Now()
			_, err := r.session.Run(ctx, 3+i, c.Source)
			took := time.Since(start) - 40*time.Millisecond
			var e *cellerror.Error
			if !errors.As(err, &e) || e.Kind != cellerror.Interrupted {
				t.Fatalf("got %v, want Interrupted", err)
			}
			if took > hung {
				t.Errorf("control came back %v after the interrupt", took)
			}
			if got := r.Run(99, "name"); got != "here\n" {
				t.Errorf("variables: %q", got)
			}
		})
	}
}
