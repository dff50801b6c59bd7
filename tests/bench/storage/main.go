// Command storage times arrays in files beside what reads the same disk in other ways, in one run: raw reads by the
// same backing, and numpy.memmap. It counts the memory that computations take of a file 16 times as large as the
// budget, and runs breadth-first search, connected components and queries of taxi trips from disk. It prints each ratio
// beside its bar; the system's cache of the file is dropped before each row.
//
//	go run ./tests/bench/storage [-o page.md] [-only gathers,graph] [-mb 1024] [-dir .] python3
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/offload/storage/nvme"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// bench is what the rows share.
type bench struct {
	dir, python, path string
	n, picked         int // float64 in the file, and that are gathered
	backing           string
	inOrder           map[string]time.Duration // of all of the file, by each backing
}

func run() error {
	mb := flag.Int("mb", 1024, "size of the file, in MiB")
	dir := flag.String("dir", ".", "directory on the disk to measure")
	picked := flag.Int("picked", 1<<20, "elements that are gathered")
	backings := flag.String("backing", "pread,uring", "what reads the file; pread is what np.Open takes where nothing is said")
	only := flag.String("only", "memory,sums,gathers,hot,blocks,graph,taxi,vectoradd,passes", "parts, by their names")
	page := record.Flag()
	flag.Parse()
	b := &bench{python: "python3", n: *mb << 17, picked: *picked, inOrder: map[string]time.Duration{}}
	if flag.NArg() > 0 {
		b.python = flag.Arg(0)
	}
	if *mb < 16 || *picked < 1 {
		return fmt.Errorf("-mb %d, -picked %d: give 16 or more, and 1 or more", *mb, *picked)
	}
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	rt, err := offload.New(r, "host")
	if err != nil {
		return err
	}
	np.Wiring{}.SetRuntime(rt)
	if b.dir, err = os.MkdirTemp(*dir, "bench-storage"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := page.Start(); err != nil {
		return err
	}
	b.path = filepath.Join(b.dir, "x.npy")
	np.SetHostBudget(64 << 20)
	if err := np.Save(b.path, np.Arange(b.n).Mul(2654435761).Mod(b.n).AsType(np.Float64)); err != nil {
		return err
	}
	fmt.Printf("# Arrays in files\n\nA file of %d MiB; least of three.\n", *mb)
	each := func(part func() error) func() error {
		return func() error {
			for b.backing = range strings.SplitSeq(*backings, ",") {
				if err := part(); err != nil {
					return err
				}
			}
			return nil
		}
	}
	parts := map[string]func() error{"sums": each(b.sums), "gathers": each(b.gathers), "hot": b.hot, "memory": b.memory, "blocks": b.blocks, "graph": b.graph,
		"taxi": b.taxi, "vectoradd": b.vectorAdd, "passes": b.passes}
	for name := range strings.SplitSeq(*only, ",") {
		part, ok := parts[name]
		if !ok {
			return fmt.Errorf("-only %s: there are %s", name, flag.Lookup("only").DefValue)
		}
		if err := part(); err != nil {
			return err
		}
		debug.FreeOSMemory()
	}
	return page.End()
}

// drop has the system forget the file.
func (b *bench) drop() error {
	script := "import os,sys\nf=os.open(sys.argv[1],os.O_RDONLY)\nos.fsync(f)\nos.posix_fadvise(f,0,0,os.POSIX_FADV_DONTNEED)"
	return exec.Command(b.python, "-c", script, b.path).Run()
}

// least is the least of three times of f, each with a cold file.
func (b *bench) least(f func() error) (time.Duration, error) {
	least := time.Duration(1 << 62)
	for range 3 {
		if err := b.drop(); err != nil {
			return 0, fmt.Errorf("the file cannot be dropped: %w", err)
		}
		began := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		least = min(least, time.Since(began))
	}
	return least, nil
}

// numpy is the time that a program in NumPy says it took.
func (b *bench) numpy(program string) (time.Duration, error) {
	least := time.Duration(1 << 62)
	for range 3 {
		if err := b.drop(); err != nil {
			return 0, err
		}
		text, err := exec.Command(b.python, "-c", "import numpy as np,sys,time\nx=np.load(sys.argv[1],mmap_mode='r')\nt=time.perf_counter()\n"+program+"\nprint(time.perf_counter()-t)", b.path).Output()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", b.python, err)
		}
		s, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		if err != nil {
			return 0, err
		}
		least = min(least, time.Duration(s*1e9))
	}
	return least, nil
}

func row(name string, took, other time.Duration, bar float64) {
	ratio, mark := other.Seconds()/took.Seconds(), "ok"
	if ratio < bar {
		mark = "BELOW"
	}
	fmt.Printf("| %s | %v | %v | %.2f | %.2f | %s |\n", name, took.Round(time.Millisecond), other.Round(time.Millisecond), ratio, bar, mark)
}

// sums reads all of the file.
func (b *bench) sums() error {
	fmt.Printf("\n## In order, by %s\n\n| | took | other | times as fast | bar | |\n|---|---|---|---|---|---|\n", b.backing)
	streamed, err := b.least(func() error {
		x, err := np.Open(b.path, np.Backing(b.backing))
		if err != nil {
			return err
		}
		defer x.Close()
		x.Sum().Float64()
		return nil
	})
	if err != nil {
		return err
	}
	raw, err := b.least(func() error {
		f, err := disk.Open(b.path, disk.Options{Backing: b.backing})
		if err != nil {
			return err
		}
		defer f.Close()
		block := make([]byte, 8<<20)
		for at := int64(0); at < f.Size(); at += int64(len(block)) {
			if _, err := f.ReadAt(block[:min(int64(len(block)), f.Size()-at)], at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.inOrder[b.backing] = raw
	mapped, err := b.numpy("x.sum()")
	if err != nil {
		return err
	}
	row("sum beside raw reads by "+b.backing, streamed, raw, 0.9)
	row("sum beside numpy.memmap", streamed, mapped, 1)
	return nil
}

// peak is the most memory that the program had since it was asked last, in bytes.
func peak() int64 {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
			return kb << 10
		}
	}
	return 0
}

// caught is the error of f, also where that panics with it.
func caught(f func() error) (err error) {
	defer func() {
		if wrong, ok := recover().(error); ok {
			err = wrong
		}
	}()
	return f()
}

// memory computes with a budget of a 16th of the file. It is the first part: what others have left in Go's heap is
// doubled by garbage, which would be counted too.
func (b *bench) memory() error {
	budget := int64(b.n) * 8 / 16
	np.SetHostBudget(budget)
	defer np.SetHostBudget(64 << 20)
	most := budget + 64<<20
	fmt.Printf("\n## Memory, with a budget of %d MB\n\n| | at most | bar | |\n|---|---|---|---|\n", budget>>20)
	for _, c := range []struct {
		name string
		f    func(x *np.Array) error
	}{
		{"sum", func(x *np.Array) error { np.Eval(x.Sum()); return nil }},
		{"standard deviation", func(x *np.Array) error { np.Eval(x.Std()); return nil }},
		{"running sums, saved", func(x *np.Array) error { return np.Save(filepath.Join(b.dir, "y.npy"), x.CumSum()) }},
		{"sort, saved", func(x *np.Array) error { return np.Save(filepath.Join(b.dir, "y.npy"), np.Sort(x)) }},
		{"places that sort, saved", func(x *np.Array) error { return np.Save(filepath.Join(b.dir, "y.npy"), np.ArgSort(x)) }},
		{"sort of columns, saved", func(x *np.Array) error {
			return np.Save(filepath.Join(b.dir, "y.npy"), np.Sort(x.Reshape(x.Size()/4, 4), np.Axis(0)))
		}},
		{"indices of distinct", func(x *np.Array) error { np.UniqueInverse(x.Mod(1000)); return nil }},
		{"running maxima, their sum", func(x *np.Array) error { np.Eval(np.CumMax(x).Sum()); return nil }},
		{"repeated, their sum", func(x *np.Array) error { np.Eval(np.Tile(x, 2).Sum()); return nil }},
		{"median", func(x *np.Array) error { np.Eval(np.Median(x)); return nil }},
		{"histogram", func(x *np.Array) error { np.Histogram(x, 100); return nil }},
		{"distinct", func(x *np.Array) error { np.Unique(x.Mod(1000)); return nil }},
	} {
		debug.FreeOSMemory()
		peak() // of before
		before := peak()
		x, err := np.Open(b.path)
		if err != nil {
			return err
		}
		if err := caught(func() error { return c.f(x) }); err != nil {
			fmt.Printf("| %s | – | %d MB | FAILED: %v |\n", c.name, most>>20, err)
			x.Close()
			continue
		}
		took, mark := peak()-before, "ok"
		if took > most {
			mark = "ABOVE"
		}
		fmt.Printf("| %s | %d MB | %d MB | %s |\n", c.name, took>>20, most>>20, mark)
		x.Close()
	}
	return nil
}

// blocks is BaM's benchmark in the model.
func (b *bench) blocks() error {
	began := time.Now()
	r, err := nvme.Bench{}.Run(context.Background())
	if err != nil {
		return err
	}
	fmt.Printf("\n## BlockBench\n\n%v\n\nThe model took %v of this machine; the bar is 10 s.\n", r, time.Since(began).Round(time.Millisecond))
	return nil
}

// kronecker makes the edges of a graph of 2^scale nodes, eight for each node, with a = 0.57, b = c = 0.19, in both
// directions: where those of each node begin, and where they go.
func kronecker(scale int) (starts, edges []int64) {
	r := rand.New(rand.NewPCG(9, 33))
	nodes := 1 << scale
	from := make([][2]int64, 8*nodes)
	for i := range from {
		var u, v int64
		for range scale {
			p := r.Float64()
			u, v = u<<1, v<<1
			switch {
			case p < 0.57:
			case p < 0.76:
				v++
			case p < 0.95:
				u++
			default:
				u, v = u+1, v+1
			}
		}
		from[i] = [2]int64{u, v}
	}
	starts = make([]int64, nodes+1)
	for _, e := range from {
		starts[e[0]+1]++
		starts[e[1]+1]++
	}
	for i := range nodes {
		starts[i+1] += starts[i]
	}
	at := append([]int64{}, starts...)
	edges = make([]int64, starts[nodes])
	for _, e := range from {
		edges[at[e[0]]], edges[at[e[1]]] = e[1], e[0]
		at[e[0]]++
		at[e[1]]++
	}
	return starts, edges
}

// graph goes through a graph whose edges are on disk, level by level, as through one in memory.
func (b *bench) graph() error {
	const scale = 16
	starts, edges := kronecker(scale)
	path := filepath.Join(b.dir, "edges.npy")
	if err := arrays.Save(path, arrays.FromSlice(edges, len(edges))); err != nil {
		return err
	}
	next := func(of func(places []int64) []int64) func(front []int64) []int64 {
		return func(front []int64) []int64 {
			var places []int64
			for _, u := range front {
				for e := starts[u]; e < starts[u+1]; e++ {
					places = append(places, e)
				}
			}
			return of(places)
		}
	}
	inMemory := next(func(places []int64) []int64 {
		out := make([]int64, len(places))
		for i, e := range places {
			out[i] = edges[e]
		}
		return out
	})
	x, err := np.Open(path, np.Access("lines"), np.CacheBytes(int64(len(edges))), np.Drive("optane*4")) // an eighth
	if err != nil {
		return err
	}
	defer x.Close()
	fromDisk := next(func(places []int64) []int64 {
		if len(places) == 0 {
			return nil
		}
		return np.Take(x, places).Array().Int64s()
	})
	source := 0
	for u := range 1 << scale {
		if starts[u+1]-starts[u] > starts[source+1]-starts[source] {
			source = u
		}
	}
	levels := func(neighbours func(front []int64) []int64, tell bool) []int {
		level := make([]int, 1<<scale)
		for i := range level {
			level[i] = -1
		}
		level[source] = 0
		for depth, front := 1, []int64{int64(source)}; len(front) > 0; depth++ {
			var reached []int64
			for _, v := range neighbours(front) {
				if level[v] < 0 {
					level[v] = depth
					reached = append(reached, v)
				}
			}
			if tell {
				s, _ := x.Storage()
				fmt.Printf("| %d | %d | %d | %.1f %% | %v |\n", depth, len(front), s.Cache.ReadIOs, 100*s.Cache.HitRate(), s.Model.Time)
			}
			front = reached
		}
		return level
	}
	fmt.Printf("\n## Breadth-first search\n\nKronecker graph of %d nodes and %d edges on disk, cache of an eighth.\n\n| level | nodes | lines read so far | hits | sim optane*4 |\n|---|---|---|---|---|\n", 1<<scale, len(edges))
	want, got := levels(inMemory, false), levels(fromDisk, true)
	for i := range want {
		if want[i] != got[i] {
			return fmt.Errorf("node %d is at level %d from disk, and %d in memory", i, got[i], want[i])
		}
	}
	fmt.Printf("\nLevels equal those in memory.\n")
	return b.components(path, starts, edges)
}

// components finds the components of the graph, by the least number of a node that reaches each: all edges are read in
// each round, until nothing changes. It does so on 1, 2 and 4 SSDs, with a cache of an eighth and of all.
func (b *bench) components(path string, starts, edges []int64) error {
	nodes := len(starts) - 1
	from := make([]int64, len(edges))
	for u := range nodes {
		for e := starts[u]; e < starts[u+1]; e++ {
			from[e] = int64(u)
		}
	}
	parent := make([]int, nodes) // by merging sets, the judge
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for e, v := range edges {
		if r, s := root(int(from[e])), root(int(v)); r < s {
			parent[s] = r
		} else {
			parent[r] = s
		}
	}
	fmt.Printf("\n## Connected components\n\nThe same graph.\n\n| | cache | rounds | components | lines read | hits | sim |\n|---|---|---|---|---|---|---|\n")
	all := make([]int64, len(edges))
	for i := range all {
		all[i] = int64(i)
	}
	for _, of := range []struct {
		drive string
		part  int64
	}{{"optane", 8}, {"optane*2", 8}, {"optane*4", 8}, {"980pro*4", 8}, {"optane*4", 1}} {
		x, err := np.Open(path, np.Access("lines"), np.CacheBytes(int64(len(edges))*8/of.part), np.Drive(of.drive))
		if err != nil {
			return err
		}
		label := make([]int64, nodes)
		for i := range label {
			label[i] = int64(i)
		}
		rounds := 0
		for changed := true; changed; rounds++ {
			changed = false
			for at := 0; at < len(all); at += 1 << 16 {
				part := all[at:min(at+1<<16, len(all))]
				for i, v := range np.Take(x, part).Array().Int64s() {
					if u := from[at+i]; label[v] < label[u] {
						label[u], changed = label[v], true
					} else if label[u] < label[v] {
						label[v], changed = label[u], true
					}
				}
			}
		}
		found := map[int64]bool{}
		for i, l := range label {
			if int(l) != root(i) {
				return fmt.Errorf("node %d is in component %d from disk, and %d in memory", i, l, root(i))
			}
			found[l] = true
		}
		s, err := x.Storage()
		if err != nil {
			return err
		}
		fmt.Printf("| %s | 1/%d | %d | %d | %d | %.1f %% | %v |\n", of.drive, of.part, rounds, len(found), s.Cache.ReadIOs, 100*s.Cache.HitRate(), s.Model.Time)
		x.Close()
	}
	fmt.Printf("\nComponents equal those of sets that are merged in memory.\n")
	return nil
}

// taxi is the mean of columns over the trips of 30 miles and more.
func (b *bench) taxi() error {
	const trips = 1 << 20
	r := arrays.DefaultRNG(4)
	distance := r.Random(trips).Mul(30.009)
	long := arrays.NonZero(distance.GreaterEqual(30))[0]
	p := float64(long.Len()) / trips
	fmt.Printf("\n## Taxi\n\n| query | columns | lines of further columns that are read | 1-(1-p)^m |\n|---|---|---|---|\n")
	var columns []*np.Array
	var eager []*arrays.Array
	for q := 1; q <= 5; q++ {
		e := r.Random(trips)
		path := filepath.Join(b.dir, fmt.Sprintf("column%d.npy", q))
		if err := arrays.Save(path, e); err != nil {
			return err
		}
		x, err := np.Open(path, np.Access("lines"))
		if err != nil {
			return err
		}
		defer x.Close()
		columns, eager = append(columns, x), append(eager, e)
		lines := int64(0)
		for i, c := range columns {
			if got, want := np.Take(c, long).Array(), arrays.Take(eager[i], long); !bytes.Equal(got.Bytes(), want.Bytes()) {
				return fmt.Errorf("column %d: %v from disk, %v in memory", i+1, got, want)
			}
			s, err := c.Storage()
			if err != nil {
				return err
			}
			lines += s.Cache.ReadIOs
		}
		fmt.Printf("| Q%d | %d | %.1f %% | %.1f %% |\n", q, q+1, 100*float64(lines)/float64(q*trips/512), 100*(1-pow(1-p, 512)))
	}
	return nil
}

func pow(x float64, n int) float64 {
	y := 1.0
	for range n {
		y *= x
	}
	return y
}
