package storage

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Calibration is what a disk was measured to do. All of it is of the real disk, past the system's cache where the
// machine and the disk can do that.
type Calibration struct {
	Dir        string // where the file was that was read
	Backing    string // "uring"
	Fallback   string // why that is not the one that was asked for
	Random     []Point
	Sequential float64 // bytes a second, of reads one behind the other
	Assumed    bool    // nobody has measured it: these are figures of a disk of 2024 in a rented machine
}

// Point is how fast a disk reads lines of so many bytes at random places, so many at once.
type Point struct {
	Line, Depth int
	IOPS        float64
	Bytes       float64 // a second
}

// assumed is a virtio disk with ext4, O_DIRECT and io_uring, random reads of a file of 2 GiB by 2 CPUs.
var assumed = Calibration{
	Assumed: true, Backing: "uring", Sequential: 2.0e9,
	Random: []Point{
		{512, 64, 181e3, 181e3 * 512}, {4096, 1, 51e3, 51e3 * 4096}, {4096, 4, 91e3, 91e3 * 4096}, {4096, 16, 142e3, 142e3 * 4096},
		{4096, 64, 168e3, 168e3 * 4096}, {65536, 4, 30e3, 2.0e9}, {1 << 20, 1, 1900, 2.0e9},
	},
}

var (
	calibrations sync.Mutex
	measured     = map[string]Calibration{} // by directory
)

// Calibrated returns what the disk of a directory was measured to do in this session, last; otherwise what is assumed.
func Calibrated(dir string) Calibration {
	calibrations.Lock()
	defer calibrations.Unlock()
	if c, ok := measured[absolute(dir)]; ok {
		return c
	}
	best := assumed
	for at, c := range measured { // of a directory above, or else of any
		if strings.HasPrefix(absolute(dir), at) && len(at) > len(best.Dir) {
			best = c
		}
	}
	return best
}

func absolute(dir string) string {
	if a, err := filepath.Abs(dir); err == nil {
		return a
	}
	return dir
}

// Lines and depths that are measured.
var (
	calibratedLines  = []int{512, 4096, 65536, 1 << 20}
	calibratedDepths = []int{1, 2, 4, 8, 16, 32, 64}
)

// Calibrate measures the disk of a directory by reading a file of so many bytes that it makes there and removes: each
// line size and depth for a while, and all of it once in order. What it finds is kept for [Calibrated].
func Calibrate(ctx context.Context, dir string, bytes int64, each time.Duration) (Calibration, error) {
	c := Calibration{Dir: absolute(dir)}
	most := int64(calibratedLines[len(calibratedLines)-1])
	bytes = max(bytes/most, 4) * most
	f, err := os.CreateTemp(dir, ".arrayrepl-*.calibrate")
	if err != nil {
		return c, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	block, r := make([]byte, most), rand.NewChaCha8([32]byte{33})
	every := 8 * most
	for at := int64(0); at < bytes; at += most { // what is not random a disk may pack
		if err := ctx.Err(); err != nil {
			return c, err
		}
		_, _ = r.Read(block)
		if _, err := f.WriteAt(block, at); err != nil {
			return c, &Error{Path: f.Name(), Write: true, Offset: at, Err: err}
		}
		if at%every == 0 { // or the last Sync takes long, and cannot be interrupted
			began := time.Now()
			if _ = f.Sync(); time.Since(began) > paceSlow {
				every = most
			}
		}
	}
	if err := f.Sync(); err != nil {
		return c, err
	}
	uncache(f)
	file, err := Open(f.Name(), Options{Backing: "uring"})
	if err != nil {
		return c, err
	}
	defer file.Close()
	c.Backing, c.Fallback = file.Backing(), file.fallback
	if err := c.measure(ctx, file, bytes, each, func() { uncache(f) }); err != nil {
		return c, err
	}
	calibrations.Lock()
	defer calibrations.Unlock()
	measured[c.Dir] = c
	return c, nil
}

// measure reads the file in order, and at random places with each line size and depth. cold has the system forget it.
func (c *Calibration) measure(ctx context.Context, file *File, bytes int64, each time.Duration, cold func()) error {
	block := make([]byte, calibratedLines[len(calibratedLines)-1])
	began := time.Now()
	for at := int64(0); at < bytes; at += int64(len(block)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := file.ReadAt(block, at); err != nil {
			return err
		}
	}
	c.Sequential = float64(bytes) / time.Since(began).Seconds()
	for _, line := range calibratedLines {
		var last, before Point
		for _, depth := range calibratedDepths {
			if last.full(before, depth) {
				break
			}
			cold()
			p, err := randomReads(ctx, file, line, depth, bytes, each)
			if err != nil {
				return err
			}
			c.Random = append(c.Random, p)
			last, before = p, last
		}
	}
	return nil
}

// mostDrained is how long an interrupt may have to wait for the reads that are under way.
const mostDrained = 0.07 // seconds

// full reports whether a disk that reads as p says, and as before says of fewer reads at once, has as many under way as
// it can do: more of them would but wait for each other, and an interrupt for them.
func (p Point) full(before Point, depth int) bool {
	return before.Depth > 0 && p.IOPS < 1.3*before.IOPS && float64(depth) > mostDrained*p.IOPS
}

// randomReads has so many goroutines read lines for a while.
func randomReads(ctx context.Context, f *File, line, depth int, bytes int64, each time.Duration) (Point, error) {
	var wg sync.WaitGroup
	var reads atomic.Int64
	errs := make([]error, depth)
	began := time.Now()
	for k := range depth {
		wg.Go(func() {
			b, r := make([]byte, line), rand.New(rand.NewPCG(uint64(k), uint64(line)))
			for first := true; (first || time.Since(began) < each) && errs[k] == nil; first = false {
				if errs[k] = ctx.Err(); errs[k] == nil {
					_, errs[k] = f.ReadAt(b, r.Int64N(bytes/int64(line))*int64(line))
				}
				reads.Add(1)
			}
		})
	}
	wg.Wait()
	took := time.Since(began).Seconds()
	for _, err := range errs {
		if err != nil {
			return Point{}, err
		}
	}
	rate := float64(reads.Load()) / took
	return Point{Line: line, Depth: depth, IOPS: rate, Bytes: rate * float64(line)}, nil
}

// Depths is how many lines of so many bytes, of those that were measured the nearest size, are read in a second by how
// many are under way.
func (c Calibration) Depths(line int) trace.DepthCurve {
	nearest, far := 0, math.Inf(1)
	for _, p := range c.Random {
		if d := math.Abs(math.Log2(float64(p.Line) / float64(max(line, 1)))); d < far {
			nearest, far = p.Line, d
		}
	}
	name := "the disk here"
	if c.Assumed {
		name = "a disk of 2024" // nobody has measured this one
	}
	d := trace.DepthCurve{Name: name, Line: nearest, Modelled: c.Assumed}
	most, alone := 0.0, 0.0
	for _, p := range c.Random {
		if p.Line != nearest {
			continue
		}
		d.Depths, d.Rates = append(d.Depths, p.Depth), append(d.Rates, p.IOPS)
		if most = math.Max(most, p.IOPS); p.Depth == 1 {
			alone = 1 / p.IOPS
		}
	}
	d.Knee = most * alone
	return d
}

// Rate is how many lines of so many bytes are read in a second at random places, so many at once: that of the measured
// point that is nearest, bytes a second for bytes a second.
func (c Calibration) Rate(line, depth int) float64 {
	far, best := math.Inf(1), Point{Line: line}
	for _, p := range c.Random {
		d := 2*math.Abs(math.Log2(float64(p.Line)/float64(line))) + math.Abs(math.Log2(float64(p.Depth)/float64(depth)))
		if d < far {
			far, best = d, p
		}
	}
	if line > best.Line {
		return best.Bytes / float64(line)
	}
	return best.IOPS
}

// String is the figures as a table.
func (c Calibration) String() string {
	var b strings.Builder
	badge := "real: " + c.Dir + ", read by " + c.Backing
	if c.Fallback != "" {
		badge += " (" + c.Fallback + ")"
	}
	if c.Assumed {
		badge = "assumed; storage.Calibrate() measures the disk"
	}
	fmt.Fprintf(&b, "%s\nin order: %.3g GB/s\nreads a second at random places, by bytes and how many at once", badge, c.Sequential/1e9)
	for _, p := range c.Random {
		fmt.Fprintf(&b, "\n%8d  %3d: %8.0f, %6.3f GB/s", p.Line, p.Depth, p.IOPS, p.Bytes/1e9)
	}
	return b.String()
}

// Choice is how much would be read of a file, and how long that would take, in the two ways to read elements of it.
type Choice struct {
	Lines     int64   // that are expected to be read, of those of the file
	LineBytes int64   // of them together
	LineTime  float64 // seconds
	All       int64   // bytes of the whole
	AllTime   float64
	Forced    string // "lines" or "stream" where somebody has said so
	Assumed   bool   // the figures of the disk
}

// Streams reports whether it is better to read the whole in order.
func (c Choice) Streams() bool {
	if c.Forced != "" {
		return c.Forced == "stream"
	}
	return c.AllTime < c.LineTime
}

// String is both estimates.
func (c Choice) String() string {
	way, why := "by lines", ""
	if c.Streams() {
		way = "from its beginning to its end"
	}
	if c.Forced != "" {
		why = ", as np.Access says"
	} else if c.Assumed {
		why = "; the disk's rates are assumed, storage.Calibrate() measures them"
	}
	return fmt.Sprintf("%s%s: %d lines are %d bytes and %.3g ms, all of it is %d bytes and %.3g ms", way, why, c.Lines, c.LineBytes, c.LineTime*1e3, c.All, c.AllTime*1e3)
}

// Choose estimates both ways for so many elements at places that nobody knows, each of so many bytes, of a source.
func (s *Source) Choose(elements, bytes int64) Choice {
	o := s.file.options
	line := o.Line
	if line == 0 {
		line = usualLine
	}
	lines := float64((s.size + line - 1) / line)
	touched := float64(elements) * math.Max(1, float64(bytes)/float64(line))
	expected := lines * -math.Expm1(touched*math.Log1p(-1/math.Max(lines, 1)))
	if lines <= 1 {
		expected = lines
	}
	disk := Calibrated(filepath.Dir(s.file.path))
	c := Choice{Lines: int64(math.Ceil(expected)), All: s.size, Forced: o.Access, Assumed: disk.Assumed}
	c.LineBytes = min(c.Lines*line, s.size)
	rate, sequential := disk.Rate(int(line), readsAtOnce), disk.Sequential
	if o.Peak > 0 { // as Throttled has it
		rate = math.Min(rate, math.Min(o.Peak, readsAtOnce/math.Max(o.Latency.Seconds(), 1e-9)))
		sequential = math.Min(sequential, o.Peak*float64(copied))
	}
	c.LineTime, c.AllTime = float64(c.Lines)/rate, float64(s.size)/sequential
	return c
}

// readsAtOnce is how many lines are asked for at once.
const readsAtOnce = 16
