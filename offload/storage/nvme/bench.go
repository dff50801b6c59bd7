package nvme

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Bench is BaM's benchmark of blocks: so many threads of a GPU read, or write, one line each, all at once (section 5.1,
// and nvm-block-bench of the artifact).
type Bench struct {
	Config
	Threads int  // 262,144
	Bytes   int  // of a line; 512
	Random  bool // lines of a striped machine lie anywhere, rather than one behind the other
	Writes  bool
	Seed    uint64
}

// launch is how long a kernel takes that does nothing: with 4.96e6 commands a second it gives the artifact's 53,459.9
// µs for 262,144 threads (D).
const launch = 600 * time.Microsecond

// Result is how long a [Bench] takes, by the model.
type Result struct {
	Bench
	Time       time.Duration // with the launch
	IOPS       float64
	Bandwidth  float64 // bytes a second
	Doorbells  int64
	ExtraReads int64
}

// String is the result in a line.
func (r Result) String() string {
	return fmt.Sprintf("%s (sim): %d threads, %d bytes each: %.4g ms, %.4g IOPS, %.3g GB/s, %.3g doorbells a command, %d extra reads",
		r.Config, r.Threads, r.Bytes, r.Time.Seconds()*1e3, r.IOPS, r.Bandwidth/1e9, float64(r.Doorbells)/float64(r.Threads), r.ExtraReads)
}

// Run runs the benchmark in the model. It ends early, with the context's error, when that is done.
func (b Bench) Run(ctx context.Context) (Result, error) {
	if b.Threads == 0 {
		b.Threads = usualInFlight
	}
	if b.Bytes == 0 {
		b.Bytes = BlockBytes
	}
	if b.Threads < 1 || b.Threads > 1<<28 || b.Bytes < BlockBytes || b.Bytes > 1<<25 {
		return Result{}, fmt.Errorf("%d threads with %d bytes each; there are 1 to 2^28, of %d bytes to 32 MiB", b.Threads, b.Bytes, BlockBytes)
	}
	if b.InFlight == 0 {
		b.InFlight = b.Threads
	}
	b.Config = b.withDefaults()
	m, err := NewModel(b.Config)
	if err != nil {
		return Result{}, err
	}
	r, op := rand.New(rand.NewPCG(b.Seed, 33)), Read
	if b.Writes {
		op = Write
	}
	for i := range b.Threads {
		if i%4096 == 0 && ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		ssd := i % b.SSDs
		if b.Striped && b.Random {
			ssd = r.IntN(b.SSDs)
		}
		m.Submit(op, ssd, b.Bytes)
	}
	report := m.Report()
	out := Result{Bench: b, Time: launch + report.Time, Doorbells: report.RungInModel, ExtraReads: report.ExtraReads}
	out.IOPS = float64(b.Threads) / out.Time.Seconds()
	out.Bandwidth = out.IOPS * float64(b.Bytes)
	return out, nil
}

// Rate is how many reads of so many bytes a machine makes in a second when so many of them are under way for each of
// its SSDs, by the model: after it has settled.
func (c Config) Rate(bytes, perSSD int) (float64, error) {
	c.InFlight = 0
	c = c.withDefaults()
	c.InFlight = perSSD * c.SSDs
	m, err := NewModel(c)
	if err != nil {
		return 0, err
	}
	first, n := 4*c.InFlight, 4*c.InFlight+20_000*c.SSDs
	var began ps
	for i := range n {
		if i == first {
			began = m.now
		}
		m.Submit(Read, i%c.SSDs, bytes)
	}
	return float64(n-first) / (float64(m.now-began) / float64(second)), nil
}

// Expected is what [Config.Rate] comes to by the formula, where neither the link nor the pairs are full: the least of
// the SSDs' peak and Little's q/(L0 + 1/peak).
func (c Config) Expected(bytes, perSSD int) float64 {
	c = c.withDefaults()
	peak := c.SSD.Peak(Read, bytes)
	return float64(c.SSDs) * math.Min(peak, float64(perSSD)/(c.SSD.Latency.Seconds()+1/peak))
}

// Knee is how many commands for each SSD it takes to reach its peak: Little's T·L.
func (c Config) Knee(bytes int) float64 {
	c = c.withDefaults()
	return c.SSD.Peak(Read, bytes)*c.SSD.Latency.Seconds() + 1
}
