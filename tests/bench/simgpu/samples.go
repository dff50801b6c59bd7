package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

// skewed launches k once on a new v100 and returns its statistics.
func skewed(k *random.SkewedKernel, options ...simgpu.Option) *trace.KernelStats {
	g := simgpu.New(must(simgpu.PresetByName("v100")), options...)
	defer g.Close()
	s := must(g.NewStream(0))
	trips := make([]byte, 0, 4*len(k.Trips))
	for _, n := range k.Trips {
		trips = binary.LittleEndian.AppendUint32(trips, uint32(n))
	}
	var buffers []device.Buffer
	for _, bytes := range []int{len(trips), 4 * random.SkewedWords, 4 * len(k.Trips)} {
		buffers = append(buffers, must(g.Alloc(bytes)))
	}
	s.CopyIn(buffers[0], 0, trips)
	var packed []byte
	for _, b := range buffers {
		packed = binary.LittleEndian.AppendUint64(packed, b.Addr())
	}
	packed = binary.LittleEndian.AppendUint64(packed, uint64(len(k.Trips)))
	e := s.Launch(must(g.Load(k.Func)), k.Grid, k.Block, 0, packed)
	must(0, s.Sync(context.Background()))
	return e.Trace().Stats
}

// samples compares samples of skewed kernels with the full model and writes the table. It returns whether what the
// samples say of themselves is true of 95 % of them, and below 10 % on average.
func samples(path string, kernels, size, above int) bool {
	began, load := time.Now(), record.Load()
	var options []simgpu.Option
	asked := "without being asked to"
	if above > 0 {
		options, asked = append(options, simgpu.SampleAbove(above)), fmt.Sprintf("by simgpu.SampleAbove(%d)", above)
	}
	var rows []string
	var off []float64
	within, said := 0, 0.0
	for seed := range uint64(kernels) {
		k := random.Skewed(seed, size)
		full, part := skewed(k, simgpu.Full()), skewed(k, options...)
		ratio := float64(part.Cycles)/float64(full.Cycles) - 1
		is := "no"
		if math.Abs(float64(full.Cycles)/float64(part.Cycles)-1) <= part.ErrorEstimate {
			is = "yes"
			within++
		}
		if part.WarpInstructions != full.WarpInstructions || part.Sectors != full.Sectors || part.ThreadInstructions != full.ThreadInstructions {
			fmt.Fprintf(os.Stderr, "seed %d: the sample's counts differ from the full model's\n", seed)
			os.Exit(1)
		}
		off, said = append(off, math.Abs(ratio)), said+part.ErrorEstimate
		row := fmt.Sprintf("| %d | %s | %d × %d | %.2f | %d | %+.1f %% | %.1f %% | %s |", seed, k.Name, k.Grid.X, k.Block.X,
			float64(full.WarpInstructions)/1e6, part.SampledBlocks, 100*ratio, 100*part.ErrorEstimate, is)
		fmt.Println(row)
		rows = append(rows, row)
		table := record.Header(record.Command(), began, load) + "\n\n" + tableOf(int(seed)+1, asked, within, said/float64(seed+1), off, rows)
		must(0, record.Write(path, record.Program()+" -samples", table))
	}
	said /= float64(kernels)
	fmt.Printf("%d of %d within, mean ± %.1f %%\n", within, kernels, 100*said)
	return within*100 >= 95*kernels && said < 0.10
}

// tableOf is the table of the kernels so far, and what it says.
func tableOf(kernels int, asked string, within int, said float64, off []float64, rows []string) string {
	off = slices.Sorted(slices.Values(off))
	return fmt.Sprintf(`Kernels of kir/random's Skewed on sim:v100, each timed whole
and from a sample, as launches of that size are %s. "Off" is
the sample's time against the whole one's; "said" is the ± that the sample's report gives; "within" is whether the full model's time lies
in it. Counts of instructions and sectors are equal in all.

The full model lies within the stated ± in %d of %d. The mean ± is %.1f %%; samples are off by %.1f %% in the median, by %.1f %% at worst.

| seed | kernel | blocks × threads | M warp instr. | blocks timed | off | said ± | within |
|---|---|---|---|---|---|---|---|
%s
`, asked, within, kernels, 100*said, 100*off[len(off)/2], 100*off[len(off)-1], strings.Join(rows, "\n"))
}
