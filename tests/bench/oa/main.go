// Command oa runs the workloads of the offload-annotations paper (Yuan and others, ATC 2020) on eager arrays, lazily on
// this machine's processors, and lazily on a simulated GPU, side by side in one run, and prints the ratios. Times on
// the processors are medians of five turns, after one that does not count; those of the simulated GPU are the modelled
// times of one evaluation, copies of the inputs to it and of results from it included. The best turn of lazy arrays
// stands beside the best of NumPy and of Numba with parallel=True and fastmath=True. The last table has what planning
// costs.
//
//	go run ./tests/bench/oa [-o docs/design/measurements/evaluation.md] [-paper] [-device sim:p100] [-python python3] [part of a name | planning]...
package main

import (
	"flag"
	"fmt"
	"log"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/bench/peer"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

const turns = 5

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	paper := flag.Bool("paper", false, "larger sizes, of Black-Scholes and Haversine 10 million: minutes, and gigabytes")
	gpu := flag.String("device", "sim:p100", "the simulated GPU; the paper's is a P100")
	python := flag.String("python", "", "a Python with NumPy and SciPy, and Numba for its column, to time the elementwise workloads on too")
	page := record.Flag()
	flag.Parse()
	if err := use(*gpu); err != nil {
		return err
	}
	if err := page.Start(); err != nil {
		return err
	}
	var beside *peer.Peer
	if *python != "" {
		var err error
		if beside, err = peer.Start(*python); err != nil {
			return err
		}
		defer beside.Close()
		fmt.Println(beside.Version)
	}
	fmt.Printf("%s, %d processors. Ratios above 1 are faster than eager arrays.\n\n", runtime.Version(), runtime.GOMAXPROCS(0))
	fmt.Printf("%-16s%12s%12s%12s%8s%14s%8s%12s%12s%8s%12s%8s\n", "workload", "n", "eager", "lazy", "ratio", *gpu, "ratio",
		"best", "NumPy", "ratio", "Numba", "ratio")
	for _, r := range rows {
		if flag.NArg() > 0 && !slices.ContainsFunc(flag.Args(), func(part string) bool { return strings.Contains(r.name, part) }) {
			continue
		}
		n := r.small
		if *paper {
			n = r.paper
		}
		line, err := r.measure(n, *gpu, beside)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		fmt.Println(line)
	}
	if flag.NArg() == 0 || slices.Contains(flag.Args(), "planning") {
		planning()
	}
	return page.End()
}

// use lets lazy arrays have the CPU and a simulated GPU.
func use(gpu string) error {
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	r.Add(gpu, func() (device.Device, error) { return simgpu.Open(gpu) })
	rt, err := offload.New(&r, "host")
	if err != nil {
		return err
	}
	lazy.Wiring{}.SetRuntime(rt)
	return rt.Use("host")
}

// measure returns the table's line of r with n elements.
func (r row) measure(n int, gpu string, beside *peer.Peer) (string, error) {
	eager, fused := r.eager(n), r.lazy(n)
	var e, l []time.Duration
	for turn := range turns + 1 {
		te, tl := took(eager), took(func() { lazy.Eval(fused()...) })
		if turn > 0 {
			e, l = append(e, te), append(l, tl)
		}
	}
	best := slices.Min(l)
	for range turns { // one after another, as the peer's: what eager ones leave is collected during the others
		best = min(best, took(func() { lazy.Eval(fused()...) }))
	}
	lazy.Use(gpu)
	defer lazy.Use("host")
	if r.modelled == nil {
		r.modelled = r.lazy
	}
	modelled := modelledTime(r.modelled(n)()) // of inputs that the GPU has not seen
	line := fmt.Sprintf("%-16s%12d%12s%12s%8.2f%14s%8.2f", r.name, n, short(median(e)), short(median(l)),
		ratio(median(e), median(l)), short(modelled), ratio(median(e), modelled))
	if beside == nil || r.peer == "" {
		return line, nil
	}
	line += fmt.Sprintf("%12s", short(best))
	for _, name := range []string{r.peer, r.peer + " numba"} {
		d, ok, err := beside.Time(name, n)
		if err != nil {
			return "", err
		}
		if !ok {
			line += fmt.Sprintf("%12s%8s", "none", "")
			continue
		}
		line += fmt.Sprintf("%12s%8.2f", short(d), ratio(d, best))
	}
	return line, nil
}

// modelledTime evaluates xs, and brings them to the host.
func modelledTime(xs []*lazy.Array) (sum time.Duration) {
	steps := []func(){func() { lazy.Eval(xs...) }}
	for _, x := range xs {
		steps = append(steps, func() { x.Array() })
	}
	before := trace.Last()
	for _, step := range steps {
		step()
		if log := trace.Last(); log != before {
			sum += time.Duration(log.Took() / 1000) // of picoseconds
			before = log
		}
	}
	return sum
}

func took(f func()) time.Duration {
	begin := time.Now()
	f()
	return time.Since(begin)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func ratio(a, b time.Duration) float64 { return a.Seconds() / b.Seconds() }

// short writes a duration with three digits.
func short(d time.Duration) string {
	unit := time.Microsecond
	for unit < time.Second && d >= 1000*unit {
		unit *= 1000
	}
	return d.Round(unit / 100).String()
}
