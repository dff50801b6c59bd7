package nvme

import (
	"math"
	"time"
)

// What BaM is compared with, and what follows from the paper's figures by arithmetic.

const (
	gdsThreads   = 16
	gdsOperation = 11.1e-6 // D: of a thread of the CPU, software and disk
	gdsLink      = 25e9    // P
)

// GDS is the bytes a second that 16 threads of the CPU read with GPUDirect Storage from 4 SSDs, by blocks of so many
// bytes: 23.6 % of the link at 4 KiB, all of it from 32 KiB on (D).
func GDS(bytes int) float64 { return math.Min(gdsLink, gdsThreads*float64(bytes)/gdsOperation) }

// Basic is the same by one thread of the CPU, which reads into its memory and copies that to the GPU (X: each operation
// as long as one of GDS, and the link once more).
func Basic(bytes int) float64 { return 1 / (gdsOperation/float64(bytes) + 1/gdsLink) }

// BaM is the bytes a second that a machine reads by lines of so many bytes when enough threads ask for them.
func BaM(c Config, bytes int) float64 {
	c = c.withDefaults()
	rate := math.Min(float64(c.SSDs)*math.Min(c.SSD.Peak(Read, bytes), float64(c.Pairs)*c.PairRate), c.Link/float64(bytes+commandOnLink))
	return rate * float64(bytes)
}

// Unified memory: a touch of a page that is not there is a fault, and faults of a batch are served together (X).
const (
	uvmPage  = 64 << 10
	uvmFault = 30 * time.Microsecond
	uvmBatch = 256
)

// UVM is how long it takes to bring so many pages of 64 KiB into a GPU's memory by faults.
func UVM(pages int) time.Duration {
	batches := (pages + uvmBatch - 1) / uvmBatch
	return time.Duration(batches)*uvmFault + time.Duration(float64(pages)*uvmPage/usualLink*1e9)
}

// Tiled is how long a program takes that has the CPU bring tile after tile: loading, computing and storing of different
// tiles overlap. The times are of all tiles together.
func Tiled(load, compute, store time.Duration, tiles int) time.Duration {
	n := time.Duration(tiles)
	return load/n + (n-1)*max(load/n, compute/n, store/n) + compute/n + store/n
}

// VectorAdd is how much longer c = a + b takes with BaM than by 5 tiles, of vectors on SSDs of which reading and
// writing use the link in both directions: reads and write-backs of lines do not overlap, but with asynchronous
// write-back (section 5.6; the paper has 1.51).
func VectorAdd(c Config, asyncWriteback bool) float64 {
	const bytes = 1 << 30 // of a vector; the ratio does not depend on it
	read := time.Duration(2 * bytes / BaM(c, 4096) * 1e9)
	c = c.withDefaults()
	rate := math.Min(float64(c.SSDs)*c.SSD.Peak(Write, 4096), c.Link/(4096+commandOnLink))
	write := time.Duration(bytes / 4096 / rate * 1e9)
	bam := read + write
	if asyncWriteback {
		bam = max(read, write)
	}
	return bam.Seconds() / Tiled(read, 0, write, 5).Seconds()
}

// Taxi is the time of the paper's queries of taxi trips with n SSDs, set-up included, as a part of that with one: the
// fit 0.191 + 0.060 n + 0.749/n gives the printed 1.46 times for two and 1.62 for four, and says that eight are slower
// than four (D).
func Taxi(n int) float64 { return 0.191 + 0.060*float64(n) + 0.749/float64(n) }

// GraphInFlight is how many reads the paper's graph programs have under way (D: with it 4 980 PROs are about 3 times as
// slow as 4 Optanes, which are as fast as 4 PM1735s, as the paper has it; all are flat at the link with more).
const GraphInFlight = 206
