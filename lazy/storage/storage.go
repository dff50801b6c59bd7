// Package storage is for arrays in files: how files are read from now on, how fast the disk is, and how fast SSDs would
// be that are not there. np.Open and np.Create have the arrays.
//
// What begins with sim: is a model's, from the figures of BaM (Qureshi and others, ASPLOS 2023) and its public
// artifact; what [Calibrate] says is the real disk's.
package storage

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/offload/storage/nvme"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Use says by what files are read that are opened from now on: "pread", "direct", "uring" or "mmap", as np.Backing has
// them, or SSDs that are modelled, "sim:optane*4" for four of a kind of [Presets]. Options of np.Open, of which [Line],
// [Cache] and [Policy] are short forms, hold for all of these files too. Use("") ends it.
//
//	storage.Use("sim:optane*4", storage.Line(4096), storage.Cache(64<<20))
func Use(name string, opts ...lazy.FileOption) error {
	switch {
	case name == "":
	case strings.HasPrefix(name, "sim:"):
		opts = append([]lazy.FileOption{lazy.Drive(name)}, opts...)
	case slices.Contains(disk.Backings, name):
		opts = append([]lazy.FileOption{lazy.Backing(name)}, opts...)
	default:
		return fmt.Errorf("files are not read by %.40q; there are %s, and sim: with a kind of SSD, as sim:optane*4", name, strings.Join(disk.Backings, ", "))
	}
	return lazy.OpenWith(opts...)
}

// Line is np.LineBytes: how many bytes are read at a time where kernels and np.Take need single elements.
func Line(bytes int64) lazy.FileOption { return lazy.LineBytes(bytes) }

// Cache is np.CacheBytes: the memory of lines that were read.
func Cache(bytes int64) lazy.FileOption { return lazy.CacheBytes(bytes) }

// Policy is np.CachePolicy: which line makes room for another.
func Policy(name string) lazy.FileOption { return lazy.CachePolicy(name) }

// Calibration is how fast a disk was measured to be.
type Calibration = disk.Calibration

// Calibrate measures the disk of a directory, the current one without any, by a file of 256 MB, in some four seconds:
// how many lines of which size are read in a second, and how many at once that takes. np.Explain and np.Take go by it
// from then on.
func Calibrate(dir ...string) (Calibration, error) {
	return CalibrateWith(256<<20, 100*time.Millisecond, dir...)
}

// CalibrateWith is [Calibrate] with a file of so many bytes, in which each size is read for a time.
func CalibrateWith(bytes int64, each time.Duration, dir ...string) (Calibration, error) {
	where := "."
	if len(dir) > 0 {
		where = dir[0]
	}
	return disk.Calibrate(offload.Default().CellContext(), where, bytes, each)
}

// Pages are what happened to lines of x, which was opened with np.Recorded: of events of a kind, "hit", "miss", "evict"
// or "write back", when they were, in milliseconds, and at which byte of the elements, in megabytes. viz.Scatter draws
// them.
func Pages(x *lazy.Array, kind string) (ms, mb []float64, err error) {
	if kinds := []string{"hit", "miss", "evict", "write back"}; !slices.Contains(kinds, kind) {
		return nil, nil, fmt.Errorf("there are no events %.40q; there are %s", kind, strings.Join(kinds, ", "))
	}
	s, err := x.Storage()
	if err != nil {
		return nil, nil, err
	}
	for _, e := range s.Cache.Events {
		if e.Kind == kind {
			ms = append(ms, float64(e.At.Microseconds())/1e3)
			mb = append(mb, float64(e.Line*s.Cache.Line)/1e6)
		}
	}
	return ms, mb, nil
}

// Little is Little's law: how many reads of so many bytes are under way when bytesPerSecond come and each takes a
// latency.
func Little(bytesPerSecond float64, bytes int, latency time.Duration) float64 {
	return nvme.InFlight(bytesPerSecond, bytes, latency)
}

// BlockBench is BaM's benchmark of blocks, in the model: so many threads of a GPU read a line each.
type BlockBench struct {
	Machine string // "optane", as in Use; "" for that
	SSDs    int    // in the place of how many Machine says; 0 for those
	Threads int    // 262,144 where 0
	Line    int    // bytes; 512 where 0
	QPs     int    // pairs of queues of each SSD; 128, or as many as it has, where 0
	Depth   int    // of each queue; 1024 where 0
	Random  bool   // of lines that lie on the SSDs in turn, any
	Writes  bool   // rather than reads
	Second  string // read after a completion: "none", "naive" or "coalesced"
	Choice  string // of the pair of queues for a read: "in turn", as where "", or "by SM" of the thread
}

// Result is what a [BlockBench] comes to, by the model.
type Result struct {
	Time                time.Duration
	IOPS                float64
	BytesPerSecond      float64
	DoorbellsPerCommand float64
	ExtraReads          int64

	text string
}

// String is the result in a line.
func (r Result) String() string { return r.text }

// Run runs the benchmark.
func (b BlockBench) Run() (Result, error) {
	c, err := nvme.ParseConfig(orOptane(b.Machine))
	if err != nil {
		return Result{}, err
	}
	set := func(v *int, to int) {
		if to != 0 {
			*v = to
		}
	}
	set(&c.SSDs, b.SSDs)
	set(&c.Pairs, b.QPs)
	set(&c.Depth, b.Depth)
	if b.Second != "" {
		c.Second = nvme.Order(b.Second)
	}
	if b.Choice != "" {
		c.Choice = nvme.Choice(b.Choice)
	}
	c.InFlight, c.Striped = 0, b.Random
	r, err := nvme.Bench{Config: c, Threads: b.Threads, Bytes: b.Line, Random: b.Random, Writes: b.Writes}.Run(offload.Default().CellContext())
	if err != nil {
		return Result{}, err
	}
	return Result{
		Time: r.Time, IOPS: r.IOPS, BytesPerSecond: r.Bandwidth, DoorbellsPerCommand: float64(r.Doorbells) / float64(r.Threads),
		ExtraReads: r.ExtraReads, text: r.String(),
	}, nil
}

func orOptane(machine string) string {
	if machine == "" {
		return "optane"
	}
	return machine
}

// Curve is how many reads of so many bytes a machine makes in a second, in the model, with each of the given numbers of
// reads under way on each SSD.
func Curve(machine string, bytes int, depths []int) ([]float64, error) {
	c, err := nvme.ParseConfig(machine)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(depths))
	for i, q := range depths {
		if q < 1 {
			return nil, fmt.Errorf("%d reads under way; there is 1 or more", q)
		}
		if out[i], err = c.Rate(bytes, q); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Knee is with how many reads of so many bytes under way on each SSD a machine comes to its peak: Little's T·L.
func Knee(machine string, bytes int) (float64, error) {
	c, err := nvme.ParseConfig(machine)
	return c.Knee(bytes), err
}

// Depths is [Curve] over all that matters, with the [Knee]: what viz.Depths draws beside the Depths of a [Calibration].
func Depths(machine string, bytes int) (trace.DepthCurve, error) {
	d := trace.DepthCurve{Name: strings.TrimPrefix(machine, "sim:"), Modelled: true, Line: bytes}
	for q := 1; q <= 512; q *= 2 {
		d.Depths = append(d.Depths, q)
	}
	var err error
	if d.Rates, err = Curve(machine, bytes, d.Depths); err != nil {
		return d, err
	}
	d.Knee, err = Knee(machine, bytes)
	return d, err
}

// CostPerGB is what a gigabyte of a kind of SSD costs in dollars, with its share of slots and switches; 0 where nobody
// says.
func CostPerGB(kind string) (float64, error) {
	s, err := nvme.Named(strings.TrimPrefix(kind, "sim:"))
	return s.DollarsPerGB, err
}

// Table is lines of text.
type Table struct{ text string }

// String is the table.
func (t Table) String() string { return t.text }

// Presets are the kinds of SSDs that are modelled. A letter after a figure says where it is from: P BaM's paper, A its
// artifact, G the paper of GoFS, X nowhere but here.
func Presets() Table {
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %-20s %22s %24s %12s %8s %6s", "name", "product", "reads/s 512 B, 4 KiB", "writes/s 512 B, 4 KiB", "latency", "$/GB", "gain")
	for _, s := range nvme.SSDs {
		dollars, gain := "-", "-"
		if s.DollarsPerGB > 0 {
			dollars, gain = fmt.Sprintf("%.2f %s", s.DollarsPerGB, s.Dollars), fmt.Sprintf("%.1f", s.Gain())
		}
		fmt.Fprintf(&b, "\n%-8s %-20s %9.3gM %8.3gM %s %11.3gM %8.3gM %s %10v %s %8s %6s", s.Name, s.Product,
			s.Read512/1e6, s.Read4096/1e6, s.Rates, s.Write512/1e6, s.Write4096/1e6, s.Rates, s.Latency, s.Late, dollars, gain)
	}
	return Table{b.String()}
}

// Way is a way by which bytes come from SSDs to a GPU.
type Way struct {
	Name           string
	BytesPerSecond float64
}

// Ways are, for blocks of so many bytes, by the model: the GPU's own threads (BaM) with the SSDs of a machine, 16
// threads of the CPU with GPUDirect Storage, and one thread of the CPU by way of its memory.
func Ways(machine string, bytes int) ([]Way, error) {
	c, err := nvme.ParseConfig(machine)
	if err != nil {
		return nil, err
	}
	return []Way{{"BaM", nvme.BaM(c, bytes)}, {"GDS", nvme.GDS(bytes)}, {"Basic", nvme.Basic(bytes)}}, nil
}

// Tiled is how long a program takes whose tiles the CPU brings: loading, computing and storing of different tiles
// overlap. The times are of all tiles together.
func Tiled(load, compute, store time.Duration, tiles int) (time.Duration, error) {
	if tiles < 1 {
		return 0, fmt.Errorf("%d tiles; there is 1 or more", tiles)
	}
	return nvme.Tiled(load, compute, store, tiles), nil
}

// UVM is how long it takes to bring so many pages of 64 KiB to a GPU by faults of unified memory.
func UVM(pages int) time.Duration { return nvme.UVM(max(pages, 0)) }

// VectorAdd is how many times as long as by overlapping tiles c = a + b takes on SSDs when a kernel reads and writes
// them itself; the paper has 1.51 without asynchronous write-back.
func VectorAdd(machine string, asyncWriteback bool) (float64, error) {
	c, err := nvme.ParseConfig(machine)
	if err != nil {
		return 0, err
	}
	return nvme.VectorAdd(c, asyncWriteback), nil
}

// Taxi is how long the paper's queries of taxi trips take with so many SSDs, as a part of the time with one: a fit to
// what it prints for one, two and four, with the set-up of each.
func Taxi(ssds int) float64 { return nvme.Taxi(ssds) }
