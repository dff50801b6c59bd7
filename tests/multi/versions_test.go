package multi_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// plain is an array and what a Go program has in its place.
type plain struct {
	lazy *lazy.Array
	want []float64
}

// check requires that p has the values of the Go program.
func (p plain) check(t *testing.T, msg ...any) {
	t.Helper()
	got := lazy.Data[float64](p.lazy)
	require.True(t, slices.Equal(p.want, got), msg...)
}

// TestVersionsOfArrays: random programs in which kernels change arrays again and again, with what was made of them
// between kept or dropped, other assignments, errors and interrupts: all has the values of the same program in Go, so
// no launch runs twice, nor is an older version lost that something refers to.
func TestVersionsOfArrays(t *testing.T) {
	rt := use(t)
	lazy.Fuse(true)
	defer lazy.Use("host")
	interrupted, failures, temporary := 0, 0, 0
	for seed := range testsize.Seeds("tests/multi.TestVersionsOfArrays") {
		r := rand.New(rand.NewPCG(seed, 32))
		var how string
		if r.IntN(4) == 0 {
			lazy.Use("host")
		} else {
			how = setting(r)
		}
		n := []int{37, 700, 2000}[r.IntN(3)] // of the smallest nobody is told when they are gone
		xs := make([]plain, 3)
		for k := range xs {
			a := arrays.Arange(float64(n)).Mul(0.37 + float64(k)).Sin()
			xs[k] = plain{lazy.FromArray(a).Mul(1), slices.Clone(a.Float64s())}
		}
		var held []plain // of older versions
		var runs []interface{ Eval() }
		pick := func() (a, b, c *plain) {
			p := r.Perm(3)
			return &xs[p[0]], &xs[p[1]], &xs[p[2]]
		}
		quietly := func(f func()) (failed any) {
			defer func() { failed = recover() }()
			f()
			return nil
		}
		for step := range 50 {
			what := func() string { return fmt.Sprintf("seed %d, %d elements, %s, step %d", seed, n, how, step) }
			a, b, c := pick()
			switch r.IntN(20) {
			case 0, 1, 2, 3, 4: // kernels over parts, also from one of an array to another
				for range 1 + r.IntN(5) {
					m := 1 + r.IntN(n/2)
					from, to := r.IntN(n/2-m+1), n/2+r.IntN(n/2-m+1)
					in := a
					if r.IntN(3) == 0 {
						in = b
					}
					launch(sharedKernels().mix, m, in.lazy.At(arrays.S(from, from+m)), b.lazy.At(arrays.S(to, to+m)))
					for i := range m {
						b.want[to+i] = b.want[to+i]*0.5 + in.want[from+m-1-i]
					}
				}
			case 5, 6, 7:
				for range 1 + r.IntN(5) {
					run := launch(sharedKernels().both, n, a.lazy, b.lazy, c.lazy)
					for i := range n {
						b.want[i], c.want[i] = c.want[i]*0.5+a.want[i], b.want[i]-a.want[i]
					}
					if r.IntN(4) == 0 {
						runs = append(runs, run.(interface{ Eval() }))
					}
				}
			case 8: // what an older version is read by
				v := plain{a.lazy.Mul(2), make([]float64, n)}
				for i, x := range a.want {
					v.want[i] = x * 2
				}
				held = append(held, v)
			case 9:
				v := plain{a.lazy.Copy(), slices.Clone(a.want)}
				if r.IntN(2) == 0 {
					v.lazy = a.lazy.AsType(arrays.Float64)
				}
				held = append(held, v)
			case 10:
				if len(held) > 0 {
					k := r.IntN(len(held))
					held = slices.Delete(held, k, k+1)
				}
				if r.IntN(3) == 0 {
					offload.Collect()
				}
			case 11: // numbers one by one, and a kernel that reads some of them
				for range 1 + r.IntN(4) {
					i := r.IntN(n)
					a.lazy.Set(0.25, i)
					a.want[i] = 0.25
					if r.IntN(3) == 0 {
						launch(sharedKernels().mix, n, a.lazy, b.lazy)
						for i := range n {
							b.want[i] = b.want[i]*0.5 + a.want[n-1-i]
						}
					}
				}
			case 12:
				m := 1 + r.IntN(n)
				a.lazy.At(arrays.S(0, m)).Set(b.lazy.At(arrays.S(n-m, n)).Mul(0.5))
				for i := range m {
					a.want[i] = b.want[n-m+i] * 0.5
				}
			case 13:
				i := r.IntN(n)
				a.lazy.AddAt(1.5, []int{i, i, 0})
				a.want[i] += 1.5
				a.want[i] += 1.5
				a.want[0] += 1.5
			case 14: // another array by the same name; or an older one
				if len(held) > 0 && r.IntN(2) == 0 {
					k := r.IntN(len(held))
					*a = held[k]
					held = slices.Delete(held, k, k+1)
					break
				}
				sum := make([]float64, n)
				for i := range sum {
					sum[i] = a.want[i]*0.5 + b.want[i]
				}
				*a = plain{a.lazy.Mul(0.5).Add(b.lazy), sum}
			case 15:
				lazy.Eval(a.lazy)
			case 16: // an interrupt
				ctx, cancel := context.WithCancel(context.Background())
				rt.Context = func() context.Context { return ctx }
				timer := time.AfterFunc(time.Duration(r.IntN(1500))*time.Microsecond, cancel)
				if quietly(func() { lazy.Eval(a.lazy, b.lazy) }) != nil {
					interrupted++
				}
				timer.Stop()
				cancel()
				rt.Context = nil
			case 17: // a kernel fails: what it was to write is assigned anew
				if n <= 3 {
					break
				}
				launch(sharedKernels().stop, n, a.lazy, b.lazy, c.lazy)
				require.Contains(t, fmt.Sprint(quietly(func() { lazy.Eval(b.lazy) })), "out of range", what())
				require.Contains(t, fmt.Sprint(quietly(func() { lazy.Eval(c.lazy) })), "has failed", what())
				failures++
				b.lazy.Set(a.lazy)
				c.lazy.Set(0.75)
				copy(b.want, a.want)
				for i := range c.want {
					c.want[i] = 0.75
				}
			case 18:
				if len(runs) > 0 {
					k := r.IntN(len(runs))
					runs[k].Eval()
					runs = slices.Delete(runs, k, k+1)
				}
			case 19:
				if len(held) > 0 {
					held[r.IntN(len(held))].check(t, what())
				}
				for _, s := range lazy.Explain(a.lazy).Steps {
					if (s.Name == "mix" || s.Name == "both") && !s.Kept {
						temporary++
					}
				}
				a.check(t, what())
			}
		}
		for _, p := range append(held, xs...) {
			p.check(t, "seed %d, %s: at the end", seed, how)
		}
		for _, run := range runs {
			run.Eval()
		}
	}
	t.Logf("%d interrupts, %d failures, %d launches of which nobody can ask for what they write", interrupted, failures, temporary)
	require.Positive(t, interrupted)
	require.Positive(t, failures)
	require.Positive(t, temporary)
}

// TestLoopsOfKernelsHoldFewVersions: however often kernels change an array before it is asked for, the memory that the
// devices give out at most is that of a few versions, and none of them is copied.
func TestLoopsOfKernelsHoldFewVersions(t *testing.T) {
	testsize.InTurn(t, 2)
	const n, launches = 20_000, 300
	programs := map[string]func(x, y, z *lazy.Array){
		"one array": func(x, y, _ *lazy.Array) { launch(sharedKernels().mix, n, y, x) },
		"to and fro": func(x, y, _ *lazy.Array) {
			launch(sharedKernels().mix, n, y, x)
			launch(sharedKernels().mix, n, x, y)
		},
		"parts": func(x, y, _ *lazy.Array) {
			launch(sharedKernels().mix, n/2, y.At(arrays.S(0, n/2)), x.At(arrays.S(n/2, n)))
		},
		"two arrays": func(x, y, z *lazy.Array) { launch(sharedKernels().both, n, x, y, z) },
	}
	for name, step := range programs {
		for _, devices := range [][]string{{"sim:v100x8#1"}, {"sim:v100x8#0", "sim:v100x8#5"}} {
			rt := use(t)
			lazy.Use(devices...)
			var xs []*lazy.Array
			for k := range 3 {
				xs = append(xs, lazy.FromArray(arrays.Arange(float64(n)).Mul(0.1*float64(k))))
			}
			for range launches {
				step(xs[0], xs[1], xs[2])
			}
			lazy.Eval(xs...)
			peak := int64(0)
			for _, d := range rt.MemoryUse() {
				peak += d.Pool.Peak
			}
			t.Logf("%s on %v: %.1f arrays at most", name, devices, float64(peak)/(8*n))
			require.LessOrEqual(t, peak, int64(10*8*n*len(devices)), "%s on %v", name, devices)
		}
	}
	lazy.Use("host")
}

// TestVersionsWhileOthersLook: kernels change an array while other goroutines copy it, and compute of it: each sees one
// version of it, in which all elements are the same.
func TestVersionsWhileOthersLook(t *testing.T) {
	use(t)
	lazy.Fuse(true)
	defer lazy.Use("host")
	lazy.Use("sim:v100x8#0", "sim:v100x8#1")
	const n = 600
	ones, x := lazy.FromArray(arrays.Arange(float64(n)).Mul(0).Add(1)), lazy.Zeros(n).Mul(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for k := range 60 {
				launch(sharedKernels().mix, n, ones, x)
				if k%7 == 0 {
					lazy.Eval(x)
				}
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			for k := range 40 {
				v := x.Copy()
				if k%2 == 0 {
					v = x.Mul(2)
				}
				got := lazy.Data[float64](v)
				for i := range got {
					if got[i] != got[0] {
						t.Errorf("element %d is %v, element 0 %v", i, got[i], got[0])
						return
					}
				}
			}
		})
	}
	wg.Wait()
	want := 0.0
	for range 120 {
		want = want/2 + 1
	}
	require.Equal(t, want, lazy.Data[float64](x)[5])
}
