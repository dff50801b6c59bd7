package interp

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

const functionValues = `func apply(f func(float64) float64, xs []float64) (s float64) {
	for _, x := range xs { s += f(x) }
	return s
}
func square(x float64) float64 { return x * x }
type line struct{ a, b float64 }
func (l line) At(x float64) float64 { return l.a*x + l.b }
func compose(fs ...func(int) int) func(int) int {
	return func(x int) int { for _, f := range fs { x = f(x) }; return x }
}
scale := 2.0
scaled := func(x float64) float64 { scale++; return x * scale }
several := func(xs []int, s string, z complex128) (int, string, []int, complex128) { xs[0]++; return len(s), s + "x", xs, z * 2 }
xs := []float64{1, 2, 3}
bad := func(x float64) float64 { return xs[int(x)] }
var ping, pong func(n int) int
ping = func(n int) int { if n == 0 { return 0 }; return pong(n-1) + 1 }`

// TestFunctionValues calls function values in numeric code: the same with the tier, without it and with all that it can
// run; a short test has one of the three, each turn another. What compiled Go prints stands beside each cell.
func TestFunctionValues(t *testing.T) {
	cells := []struct{ src, want string }{
		{"apply(square, xs)", "14"},
		{"apply(func(x float64) float64 { scale *= 2; return x * scale }, xs), scale", "68 16"}, // 4 + 16 + 48
		{"scale = 2; apply(scaled, xs), scale", "26 5"},                                         // 3 + 8 + 15
		{"apply(math.Floor, []float64{1.5, -1.5}), apply(math.Sqrt, []float64{4, 9}), apply(math.Abs, []float64{-1, 1})", "-1 5 2"},
		{"apply(line{2, 1}.At, xs), apply((&line{1, 0}).At, xs)", "15 6"},
		{"compose(func(x int) int { return x + 1 }, func(x int) int { return x * 2 })(4)", "10"},
		{"n, s, ys, z := 0, ``, []int{1}, 0i\nfor range 3 { n, s, ys, z = several(ys, s, 1i) }\nn, s, ys, z", "2 xxx [4] (0+2i)"},
		{"pong = func(n int) int { if n == 0 { return 0 }; return ping(n-1) + 1 }\nping(2000)", "2000"},
		{"fib := func() (f func(int) int) { f = func(n int) int { if n < 2 { return n }; return f(n-1) + f(n-2) }; return }()\nfib(15)", "610"},
		{"up := strings.ToUpper\nw := ``\nfor range 3 { w = up(w + `a`) }\nw", "AAA"},
		{"func each(f func(int)) { for i := range 3 { f(i) } }\nt := 0\neach(func(i int) { t += i })\nt", "3"},
		{"func guarded(f func(float64) float64, x float64) (s string) { defer func() { s = fmt.Sprint(recover()) }(); f(x); return `fine` }\nguarded(bad, 3), guarded(bad, 2)",
			"runtime error: index out of range [3] with length 3 <nil>"},
		{"apply(bad, xs)", "panic: runtime error: index out of range [3] with length 3\n    cell 1, line 15, in a function literal\n    cell 1, line 2, in apply\n    cell 13, line 1"},
		{"apply(func(x float64) float64 { return xs[int(-x)] }, xs)", "panic: runtime error: index out of range [-1]\n    cell 14, line 1, in a function literal\n    cell 1, line 2, in apply\n    cell 14, line 1"},
		{"var none func(float64) float64\napply(none, xs)", "panic: runtime error: invalid memory address or nil pointer dereference\n    cell 1, line 2, in apply\n    cell 15, line 2"},
		{"endless := func(n int) int { return 0 }\nendless = func(n int) int { return endless(n+1) + 1 }\nendless(0)", "calls nested too deep"},
		{"pong = func(n int) int { return ping(n+1) + 1 }\nping(1)", "calls nested too deep"},
		{"apply(square, xs)", "14"},
	}
	for i, mode := range []string{engine.TierOff, engine.TierOn, engine.TierForce} {
		if !testsize.Part(i, 3) {
			continue
		}
		r := newRecorder(t, Options{Tier: mode})
		if text := r.Run(1, functionValues); text != "" {
			t.Fatal(text)
		}
		for i, c := range cells {
			if got := strings.TrimSpace(r.Run(i+1, c.src)); got != c.want && !(strings.HasPrefix(c.want, "calls") && strings.HasPrefix(got, c.want)) {
				t.Errorf("tier %s: %s\ngives %s\nwant  %s", mode, c.src, got, c.want)
			}
		}
	}
}

// TestFunctionValuesStay looks whether calls of function values stay in the numeric tier: a call by the engine puts its
// argument and its result into interfaces, which are allocated.
func TestFunctionValuesStay(t *testing.T) {
	s, err := New(Options{Tier: engine.TierOn})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mallocs := func(src string) uint64 {
		run := func() {
			if _, err := s.Run(context.Background(), 1, src); err != nil {
				t.Fatal(err)
			}
		}
		run()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	mallocs(functionValues + "\nmany := make([]float64, 100000)")
	for _, c := range []string{
		"apply(square, many);", "apply(scaled, many);", "apply(math.Sin, many);", "apply(line{2, 1}.At, many);",
		"apply(func(x float64) float64 { scale++; return x * scale }, many);",
		"f := compose(func(x int) int { return x + 1 }, func(x int) int { return x * 2 })\nn := 0\nfor i := range 100000 { n = f(i) }",
	} {
		// Without the tier it is 5 to 13 for each call. The race detector has pools forget at random: up to 1.4 with
		// it.
		if n := mallocs(c); n > 250_000 {
			t.Errorf("%s: 100,000 calls allocate %d times", c, n)
		} else {
			t.Logf("%s: %d allocations", c, n)
		}
	}
}

// TestFunctionValuesOnGoroutines: goroutines call function values for the first time at once, each of which calls
// functions that are compiled with it, while machines are entered. A machine that was entered in the middle of that
// must know them all.
func TestFunctionValuesOnGoroutines(t *testing.T) {
	const functions = 60
	var src strings.Builder
	src.WriteString("fs := []func(int) int{}\n")
	for i := range functions {
		fmt.Fprintf(&src, "func g%d(n int) int { return h%d(n) + 1 }\nfunc h%d(n int) int { return n * %d }\n", i, i, i, i)
		fmt.Fprintf(&src, "fs = append(fs, func(n int) int { return g%d(n) + g%d(n+1) })\n", i, i)
	}
	src.WriteString(`func sum(fs []func(int) int, from int) (s int) { for i := range fs { s += fs[(i+from)%len(fs)](i) }; return s }
sums := make([]int, 16)
var wg sync.WaitGroup
for k := range sums { wg.Go(func() { sums[k] = sum(fs, k*7) }) }
wg.Wait()
sums`)
	want := make([]int, 16)
	for k := range want {
		for i := range functions {
			f := (i + k*7) % functions
			want[k] += f*i + 1 + f*(i+1) + 1
		}
	}
	for range 5 {
		r := newRecorder(t, Options{Tier: engine.TierForce})
		if got := strings.TrimSpace(r.Run(1, src.String())); got != fmt.Sprint(want) {
			t.Fatalf("%s\nwant %v", got, want)
		}
	}
}
