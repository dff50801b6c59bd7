// Command arrays times package arrays beside NumPy: the same operations on the same data, turn by
// turn in one run, the best of several rounds of each. It prints how many times faster than NumPy each row is.
//
//	go run ./tests/bench/arrays [-o docs/design/measurements/arrays.md] [-ufuncs [-dtypes names]] [-most n] python3 [part of a row's name]...
//
// With ARRAYREPL_BLAS package arrays uses the library that it names, such as that inside of NumPy.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	np "github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/arrays/blas"
	"github.com/arrayrepl/arrayrepl/tests/bench/peer"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

// row is one operation; setup makes its data, which is not timed. The peer knows the same names.
type row struct {
	name  string
	sizes []int
	setup func(n int) func()
}

func two(f func(x, y *np.Array)) func(int) func() {
	return func(n int) func() {
		rng := np.DefaultRNG(1)
		x, y := rng.Random(n), rng.Random(n)
		return func() { f(x, y) }
	}
}

func square(f func(x, y *np.Array)) func(int) func() {
	return func(n int) func() {
		rng := np.DefaultRNG(1)
		x, y := rng.Random(n, n), rng.Random(n, n)
		return func() { f(x, y) }
	}
}

// narrow is two in float32.
func narrow(f func(x, y *np.Array)) func(int) func() {
	return func(n int) func() {
		rng := np.DefaultRNG(1)
		x, y := rng.Random(n).AsType(np.Float32), rng.Random(n).AsType(np.Float32)
		return func() { f(x, y) }
	}
}

// numbered is two, with integers between 0 and most, n where that is 0, for y.
func numbered(most int, f func(x, y *np.Array)) func(int) func() {
	return func(n int) func() {
		rng, k := np.DefaultRNG(1), most
		if k == 0 {
			k = n
		}
		x, y := rng.Random(n), rng.Random(n).Mul(k).AsType(np.Int64)
		return func() { f(x, y) }
	}
}

var (
	lengths = []int{1_000, 100_000, 10_000_000}
	sides   = []int{64, 256, 1024, 2048}
)

var rows = []row{
	{"add", append([]int{10}, lengths...), two(func(x, y *np.Array) { x.Add(y) })},
	{"mul", lengths, two(func(x, y *np.Array) { x.Mul(y) })},
	{"div", lengths, two(func(x, y *np.Array) { x.Div(y) })},
	{"sqrt", lengths, two(func(x, y *np.Array) { x.Sqrt() })},
	{"maximum", lengths, two(func(x, y *np.Array) { np.Maximum(x, y) })},
	{"greater", lengths, two(func(x, y *np.Array) { x.Greater(y) })},
	{"where", lengths, two(func(x, y *np.Array) { np.Where(x.Greater(y), x, y) })},
	{"exp", lengths, two(func(x, y *np.Array) { x.Exp() })},
	{"log", lengths, two(func(x, y *np.Array) { x.Log() })},
	{"sin", lengths, two(func(x, y *np.Array) { x.Sin() })},
	{"cos", lengths, two(func(x, y *np.Array) { x.Cos() })},
	{"tanh", lengths, two(func(x, y *np.Array) { x.Tanh() })},
	{"erf", lengths, two(func(x, y *np.Array) { np.Erf(x) })},
	{"pow", lengths, two(func(x, y *np.Array) { x.Pow(y) })},
	{"sum", lengths, two(func(x, y *np.Array) { x.Sum() })},
	{"max", lengths, two(func(x, y *np.Array) { x.Max() })},
	{"cumsum", lengths, two(func(x, y *np.Array) { x.CumSum() })},
	{"add float32", lengths, narrow(func(x, y *np.Array) { x.Add(y) })},
	{"exp float32", lengths, narrow(func(x, y *np.Array) { x.Exp() })},
	{"sum float32", lengths, narrow(func(x, y *np.Array) { x.Sum() })},
	{"mask", lengths, two(func(x, y *np.Array) { x.At(x.Greater(y)) })},
	{"take", lengths, numbered(0, func(x, y *np.Array) { np.Take(x, y) })},
	{"concat", lengths, two(func(x, y *np.Array) { np.Concat(0, x, y) })},
	{"unique", []int{1_000, 100_000, 1_000_000}, numbered(1000, func(x, y *np.Array) { np.Unique(y) })},
	{"histogram", lengths, two(func(x, y *np.Array) { np.Histogram(x, 50) })},
	{"sum axis 0", []int{1000, 3000}, square(func(x, y *np.Array) { x.Sum(np.Axis(0)) })},
	{"sum axis 1", []int{1000, 3000}, square(func(x, y *np.Array) { x.Sum(np.Axis(1)) })},
	{"add transposed", []int{1000, 3000}, square(func(x, y *np.Array) { x.Add(y.T()) })},
	{"matmul", sides, square(func(x, y *np.Array) { np.MatMul(x, y) })},
	{"matmul float32", sides, func(n int) func() {
		rng := np.DefaultRNG(1)
		x, y := rng.Random(n, n).AsType(np.Float32), rng.Random(n, n).AsType(np.Float32)
		return func() { np.MatMul(x, y) }
	}},
	{"matvec", []int{100, 1000}, square(func(x, y *np.Array) { np.MatMul(x, y.At(0)) })},
	{"solve", []int{300, 1000}, square(func(x, y *np.Array) { np.Solve(x, y.At(np.All, 0)) })},
	{"svd", []int{100, 300}, square(func(x, y *np.Array) { np.SVDThin(x) })},
	{"eigh", []int{100, 300}, square(func(x, y *np.Array) { np.EigH(x.Add(x.T())) })},
	{"fft", []int{1 << 10, 1 << 16, 1 << 20, 1_000_003}, func(n int) func() {
		x := np.DefaultRNG(1).Random(n).AsType(np.Complex128)
		return func() { np.FFT(x) }
	}},
	{"rfft", []int{1 << 16, 1 << 20}, two(func(x, y *np.Array) { np.RFFT(x) })},
}

func init() { rows = slices.Concat(rows, intoRows, sortRows, workloadRows, csvRows) }

// asked reports whether a row of that name is to be timed.
func asked(name string, parts []string) bool {
	return len(parts) == 0 || slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// best is the least time of one call, of rounds that last some milliseconds each.
func best(f func(), rounds int) time.Duration {
	f()
	least := time.Duration(math.MaxInt64)
	for range rounds {
		begin, calls := time.Now(), 0
		for time.Since(begin) < 5*time.Millisecond {
			f()
			calls++
		}
		least = min(least, time.Since(begin)/time.Duration(calls))
	}
	return least
}

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	np.TuneCollector()
	if err := blas.Use(os.Getenv(blas.Variable)); err != nil {
		return err
	}
	every := flag.Bool("ufuncs", false, "every elementwise operation into arrays that exist, instead")
	dtypes := flag.String("dtypes", "float64,float32,int64,int32,uint8", "those of -ufuncs")
	most := flag.Int("most", math.MaxInt, "leave out sizes above this")
	page := record.Flag()
	flag.Parse()
	python, parts := "python3", flag.Args()
	if len(parts) > 0 {
		python, parts = parts[0], parts[1:]
	}
	beside, err := peer.Start(python)
	if err != nil {
		return err
	}
	defer beside.Close()
	if err := page.Start(); err != nil {
		return err
	}
	fmt.Printf("%s; Go %s, %d processors. Best of rounds taken in turn; above 1 is faster than NumPy.\n\n", beside.Version, runtime.Version(), runtime.GOMAXPROCS(0))
	if *every {
		if err := ufuncs(beside, *most, *dtypes, parts); err != nil {
			return err
		}
		return page.End()
	}
	fmt.Printf("%-24s%12s%14s%14s%10s\n", "operation", "n", "NumPy", "arrays", "ratio")
	logs, count := 0.0, 0
	var missing []string
	for _, r := range rows {
		if !asked(r.name, parts) {
			continue
		}
	sizes:
		for _, n := range r.sizes {
			if n > *most {
				continue
			}
			f := r.setup(n)
			ours, theirs := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			for range 4 {
				t, ok, err := beside.Time(r.name, n)
				if err != nil {
					return err
				}
				if !ok {
					missing = append(missing, r.name)
					continue sizes
				}
				theirs = min(theirs, t)
				ours = min(ours, best(f, 4))
			}
			ratio := float64(theirs) / float64(ours)
			fmt.Printf("%-24s%12d%14v%14v%10.2f\n", r.name, n, theirs, ours, ratio)
			logs, count = logs+math.Log(ratio), count+1
		}
	}
	if len(missing) > 0 {
		fmt.Printf("\nThe peer lacks what these take: %s\n", strings.Join(slices.Compact(missing), ", "))
	}
	fmt.Printf("\ngeometric mean of %d rows: %.2f\n", count, math.Exp(logs/float64(count)))
	return page.End()
}
