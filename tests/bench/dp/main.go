// Command dp times scans, sorts and segmented sums of package dp on the host beside NumPy, turn by turn in one run,
// scans by a function of a program beside those by a built-in operator, and a scan on a simulated GPU beside a copy
// there. It prints each ratio beside its bar.
//
//	go run ./tests/bench/dp [-o docs/design/measurements/dp.md] [-n 10000000] python3
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/bench/peer"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

// add is an operator of a program.
func add(a, b float32) float32 { return a + b }

// segment is how many elements segments have.
const segment = 100

// row is an operation that NumPy has under a name of its own; bar is how many times as fast as NumPy it is to be.
type row struct {
	name, numpy string
	dtype       np.DType
	bar         float64
	run         func(x *np.Array) *np.Array
}

func rows(n int) []row {
	offsets := make([]int64, 0, n/segment+2)
	for at := 0; at < n; at += segment {
		offsets = append(offsets, int64(at))
	}
	segments := dp.Offsets(append(offsets, int64(n)))
	cumsum := func(x *np.Array) *np.Array { return np.CumSum(x) }
	scan := func(x *np.Array) *np.Array { return dp.Scan(dp.Sum, x) }
	return []row{
		{"np.CumSum float64", "cumsum", np.Float64, 1, cumsum}, {"np.CumSum float32", "cumsum float32", np.Float32, 1.5, cumsum}, {"np.CumSum int32 (int64)", "cumsum int32 int64", np.Int32, 1.5, cumsum},
		{"dp.Scan float64", "cumsum", np.Float64, 1, scan}, {"dp.Scan float32", "cumsum float32", np.Float32, 1.5, scan}, {"dp.Scan int32", "cumsum int32", np.Int32, 1.5, scan},
		{"np.Sort uint32", "sort uint32", np.Uint32, 1, func(x *np.Array) *np.Array { return np.Sort(x) }},
		{"dp.SegReduce float64", "reduceat", np.Float64, 1, func(x *np.Array) *np.Array { return dp.SegReduce(dp.Sum, x, segments) }},
	}
}

// random makes n elements of a dtype, as the peer does.
func random(n int, d np.DType) *np.Array {
	x := arrays.DefaultRNG(1).Random(n)
	switch d {
	case np.Int32:
		x = x.Mul(100)
	case np.Uint32:
		x = x.Mul(1 << 32)
	}
	return np.FromArray(x.AsType(d))
}

// best is the least time of one evaluation, of rounds that last some milliseconds each.
func best(f func() *np.Array, rounds int) time.Duration {
	np.Eval(f())
	least := time.Duration(math.MaxInt64)
	for range rounds {
		begin, calls := time.Now(), 0
		for time.Since(begin) < 5*time.Millisecond {
			np.Eval(f())
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
	arrays.TuneCollector()
	n := flag.Int("n", 10_000_000, "elements")
	page := record.Flag()
	flag.Parse()
	python := "python3"
	if flag.NArg() > 0 {
		python = flag.Arg(0)
	}
	if *n < 1 {
		return fmt.Errorf("-n %d: give 1 or more", *n)
	}
	rt, err := runtimeOf()
	if err != nil {
		return err
	}
	np.Wiring{}.SetRuntime(rt)
	beside, err := peer.Start(python)
	if err != nil {
		return err
	}
	defer beside.Close()
	if err := page.Start(); err != nil {
		return err
	}
	fmt.Printf("%s; Go %s, %d processors. Best of rounds taken in turn; above 1 is faster than NumPy.\n\n", beside.Version, runtime.Version(), runtime.GOMAXPROCS(0))
	fmt.Printf("%-24s%12s%14s%14s%10s%8s\n", "operation", "n", "NumPy", "here", "ratio", "bar")
	for _, r := range rows(*n) {
		x := random(*n, r.dtype)
		np.Eval(x)
		ours, theirs := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
		for range 4 {
			t, ok, err := beside.Time(r.numpy, *n)
			if err != nil || !ok {
				return fmt.Errorf("NumPy's %s: known %v, %v", r.numpy, ok, err)
			}
			theirs = min(theirs, t)
			ours = min(ours, best(func() *np.Array { return r.run(x) }, 4))
		}
		fmt.Printf("%-24s%12d%14v%14v%10.2f%8.1f\n", r.name, *n, theirs, ours, float64(theirs)/float64(ours), r.bar)
	}
	if err := operators(*n); err != nil {
		return err
	}
	if err := simulated(); err != nil {
		return err
	}
	return page.End()
}

// operators compares a scan by a function with that by the built-in operator.
func operators(n int) error {
	p, err := load.Load(".", "./tests/bench/dp")
	if err != nil {
		return fmt.Errorf("the source of this program, from the root of the repository: %w", err)
	}
	obj, err := p.Func("add")
	if err != nil {
		return err
	}
	op := dp.Op(gosrc.NewFunc(p.Source, obj, nil, add), float32(0))
	x := random(n, np.Float32)
	np.Eval(x)
	built, own := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range 4 {
		built = min(built, best(func() *np.Array { return dp.Scan(dp.Sum, x) }, 4))
		own = min(own, best(func() *np.Array { return dp.Scan(op, x) }, 4))
	}
	fmt.Printf("\nscan by a function %v, by dp.Sum %v: %.2f times as long (bar: 3 at most)\n", own, built, float64(own)/float64(built))
	return nil
}

// simulated compares a scan on a simulated GPU with a copy there, in this machine's time: each displayed for the first
// time, which the model times, and once more, which it remembers. It counts the scan's traffic.
func simulated() error {
	const n, rounds = 1 << 20, 5
	var first, again, scans, copies []float64
	for range rounds {
		rt, err := runtimeOf()
		if err != nil {
			return err
		}
		np.Wiring{}.SetRuntime(rt)
		np.Use("sim:v100")
		moved := np.Add(random(n, np.Float32), 1) // which is on the device then
		np.Eval(moved)
		took := func(f func() *np.Array) float64 {
			begin := time.Now()
			np.Eval(f())
			return time.Since(begin).Seconds()
		}
		scan := func() *np.Array { return dp.Scan(dp.Sum, moved) }
		copied := func() *np.Array { return np.Add(moved, 0) }
		c, s := took(copied), took(scan)
		scans, copies, first = append(scans, s), append(copies, c), append(first, s/c)
		for range 2 { // with what was left in L2
			took(copied)
			took(scan)
		}
		c, s = took(copied), took(scan)
		again = append(again, s/c)
	}
	fmt.Printf("simulated: a scan of %d %.0f ms, a copy %.0f ms: %.2f times as long (bar: 2 at most); remembered, %.1f times\n",
		n, 1e3*median(scans), 1e3*median(copies), median(first), median(again))
	np.Eval(dp.Scan(dp.Sum, np.Add(random(n, np.Float32), 1)))
	var sectors int64 // of what is added before, too, which the scan does as it loads
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel && e.Stats != nil && strings.Contains(e.Name, "scan") {
			sectors += e.Stats.Sectors
		}
	}
	fmt.Printf("modelled traffic of the scan: %.2f n elements (bar: 3.1 at most)\n", float64(32*sectors)/(4*n))
	return nil
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// runtimeOf opens the host and simulated GPUs that have timed nothing.
func runtimeOf() (*offload.Runtime, error) {
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	simgpu.Register(r)
	return offload.New(r, "host")
}
