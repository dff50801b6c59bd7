package supervise_test

import (
	"context"
	"errors"
	"math"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
)

// Each cell wants more than it may have.
var greedy = []struct{ name, src, message, line string }{
	{"make", "_ = 1\nx := make([]float64, 1e12)", "make([]float64, 1000000000000) takes 8 TB", "cell 2, line 2"},
	{"make of no constant size", "n := 1 << 40\nx := make([]int32, n)", "make([]int32, 1099511627776) takes 4.4 TB", "cell 2, line 2"},
	{"make with room", "n := 1 << 40\nx := make([]byte, 0, n)", "make([]byte, 1099511627776)", "cell 2, line 2"},
	{"an array", "x := new([1 << 40]byte)", "a variable of type [1099511627776]byte takes 1.1 TB", "cell 2, line 1"},
	{"map", "n := 1 << 36\nm := make(map[int]int, n)", "make(map[int]int, 68719476736)", "cell 2, line 2"},
	{"channel", "n := 1 << 36\nm := make(chan int, n)", "make(chan int, 68719476736)", "cell 2, line 2"},
	{"append in a loop", "var x []int64\nfor {\n\tx = append(x, x...)\n\tx = append(x, 1)\n}", "append: a []int64 with room for", "cell 2, line "},
	{"append little by little", "x := make([]int64, 100)\nfor {\n\tx = append(x, x[:100]...)\n}", "append: a []int64 with room for", "cell 2, line 3"},
	{"string", "s := `0123456789`\nfor {\n\ts += s\n}", "a string of", "cell 2, line 3"},
	{"small steps", "var list [][]byte\nfor {\n\tlist = append(list, make([]byte, 1000))\n}", "the memory in use grew to", "cell 2, line "},
	{"a map that grows", "m := map[int][]byte{}\nfor i := 0; ; i++ {\n\tm[i] = make([]byte, 1000)\n}", "the memory in use grew to", "cell 2, line "},
	{"compiled code", "var b strings.Builder\nfor {\n\tb.WriteString(strings.Repeat(`x`, 100_000))\n}", "the memory in use grew to", "cell 2, line "},
}

// foundFirst is what either of the two says.
var foundFirst = regexp.MustCompile(`^(the memory in use grew to|append: a \S+ with room for) `)

// grows reports whether a cell takes more and more: either the watcher finds it or the step that is too large.
func grows(src string) bool { return strings.Contains(src, "for") }

// TestMemoryLimit runs greedy cells in one session; a short test runs a third, each turn another.
func TestMemoryLimit(t *testing.T) {
	if !alone(t) {
		return
	}
	const limit = 600 << 20 // what packages and their documentation take after the other tests is over 200 MB
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	r := newRecorder(t, interp.Options{MemoryLimit: limit})
	if got := r.Run(1, "survivor := 42\nkept := make([]byte, 100 << 20)\nlen(kept)"); got != "104857600\n" {
		t.Fatal(got)
	}
	for i, g := range greedy {
		if !testsize.Part(i, 3) {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			src := g.src
			if strings.Contains(src, "for") { // in a function, so that nothing of it is kept
				src = "func() { " + src + "\n}()"
			}
			var e *interp.Error
			_, err := r.session.Run(context.Background(), 2, src)
			// The watcher ends a cell from outside, which on a busy machine may be between two of its lines.
			for range 3 {
				if watched := strings.HasPrefix(g.message, "the memory in use"); !watched || errors.As(err, &e) && len(e.Trace) > 0 {
					break
				}
				_, err = r.session.Run(context.Background(), 2, src)
			}
			if !errors.As(err, &e) || e.Kind != interp.MemoryLimit || !strings.Contains(e.Message, g.message) && !(grows(g.src) && foundFirst.MatchString(e.Message)) || !strings.Contains(e.Message, "the limit is 629 MB") {
				t.Fatalf("got %v, want a MemoryLimit with %q", err, g.message)
			}
			if all := strings.Join(e.Lines(false), "\n"); !strings.Contains(all, g.line) {
				t.Errorf("%s\nwant the line %s", all, g.line)
			}
			if got := r.Run(3, "survivor + len(kept)"); got != "104857642\n" {
				t.Errorf("afterwards: %s", got)
			}
		})
	}
	// What variables hold stays, and a cell that lets go of it can run although there is too much.
	if got := r.Run(4, "var list [][]byte\nfor { list = append(list, make([]byte, 1000)) }"); !strings.Contains(got, "the limit is 629 MB") {
		t.Error(got)
	}
	if got := r.Run(5, "more := len(list) > 100_000\nlist = nil\nmore"); got != "true\n" {
		t.Errorf("the list: %s", got)
	}
	if got := r.Run(6, "len(make([]byte, 100 << 20))"); got != "104857600\n" {
		t.Errorf("after it was freed: %s", got)
	}
	r.session.SetMemoryLimit(0)
	if limit, used := r.session.MemoryLimit(); limit != 0 || used < 100<<20 {
		t.Error(limit, used)
	}
}
