package random

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/arrayrepl/arrayrepl/kir"
)

// SkewedKernel is a launch whose threads go round a loop as often as an array says, each for itself: what a sample of
// blocks is worth shows on it.
type SkewedKernel struct {
	Name        string // its distribution of work and what a round does
	Func        *kir.Func
	Grid, Block kir.Dim3
	Trips       []int32 // by thread: its rounds
}

// SkewedWords is the length of the array of float32 that the rounds of a skewed kernel read; a power of two.
const SkewedWords = 1 << 20

// skews are distributions of work. Each returns how much threads have to do, relative to each other.
var skews = []struct {
	name string
	work func(r *rand.Rand, threads, block int) []float64
}{
	{"power law", func(r *rand.Rand, n, _ int) []float64 {
		exponent := 0.4 + 0.6*r.Float64()
		return each(n, func(int) float64 { return math.Pow(1-r.Float64(), -exponent) })
	}},
	{"power law of blocks", func(r *rand.Rand, n, block int) []float64 {
		exponent, work := 0.3+0.6*r.Float64(), 0.0
		return each(n, func(i int) float64 {
			if i%block == 0 {
				work = math.Pow(1-r.Float64(), -exponent)
			}
			return work
		})
	}},
	{"one long thread", func(r *rand.Rand, n, _ int) []float64 {
		at, long := r.IntN(n), math.Exp(3+4*r.Float64())
		return each(n, func(i int) float64 { return pick(i == at, long) })
	}},
	{"one long block", func(r *rand.Rand, n, block int) []float64 {
		at, long := r.IntN((n+block-1)/block), math.Exp(2+3*r.Float64())
		return each(n, func(i int) float64 { return pick(i/block == at, long) })
	}},
	{"triangular", func(r *rand.Rand, n, _ int) []float64 {
		down := r.IntN(2) == 0
		return each(n, func(i int) float64 {
			if down {
				i = n - 1 - i
			}
			return float64(i + 1)
		})
	}},
	{"early exit", func(r *rand.Rand, n, _ int) []float64 {
		stay := 0.01 + 0.2*r.Float64()
		return each(n, func(int) float64 { return pick(r.Float64() < stay, 60) })
	}},
	{"early exit of blocks", func(r *rand.Rand, n, block int) []float64 {
		stay, stays := 0.05+0.4*r.Float64(), false
		return each(n, func(i int) float64 {
			if i%block == 0 {
				stays = r.Float64() < stay
			}
			return pick(stays, 60)
		})
	}},
	{"a long part", func(r *rand.Rand, n, _ int) []float64 {
		from, part, long := r.Float64(), 0.02+0.1*r.Float64(), 3+20*r.Float64()
		return each(n, func(i int) float64 { at := float64(i) / float64(n); return pick(at >= from && at < from+part, long) })
	}},
	{"a wave", func(r *rand.Rand, n, _ int) []float64 {
		turns := 1 + 20*r.Float64()
		return each(n, func(i int) float64 { return 1.05 + math.Sin(2*math.Pi*turns*float64(i)/float64(n)) })
	}},
	{"even", func(r *rand.Rand, n, _ int) []float64 { return each(n, func(int) float64 { return 1 }) }},
}

func each(n int, work func(i int) float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = work(i)
	}
	return out
}

func pick(long bool, work float64) float64 {
	if long {
		return work
	}
	return 1
}

// rounds are what threads do in round k: f is the value that they carry, z the array that they read.
var rounds = []struct {
	name string
	do   func(b *kir.Builder, z, i, k, f *kir.Value) *kir.Value
}{
	{"arithmetic", func(b *kir.Builder, _, _, _, f *kir.Value) *kir.Value {
		for range 4 {
			f = b.Op(kir.OpFma, f, f, b.Const(kir.F32, 0.25))
		}
		return f
	}},
	{"rows", func(b *kir.Builder, z, i, k, f *kir.Value) *kir.Value { return read(b, z, i, k, f, 1, 4096) }},
	{"columns", func(b *kir.Builder, z, i, k, f *kir.Value) *kir.Value { return read(b, z, i, k, f, 1024, 1) }},
	{"anywhere", func(b *kir.Builder, z, i, k, f *kir.Value) *kir.Value { return read(b, z, i, k, f, 40503, 30011) }},
}

// read adds z[i*across + k*along], around.
func read(b *kir.Builder, z, i, k, f *kir.Value, across, along int64) *kir.Value {
	at := b.Op(kir.OpAdd, b.Op(kir.OpMul, i, b.Int(kir.I64, across)), b.Op(kir.OpMul, k, b.Int(kir.I64, along)))
	at = b.Op(kir.OpAnd, at, b.Int(kir.I64, SkewedWords-1))
	return b.Op(kir.OpAdd, f, b.Load(kir.Global, kir.F32, b.Index(z, at, kir.F32)))
}

// roundInstructions is about how many machine instructions a round takes.
const roundInstructions = 8

// Skewed returns the skewed kernel of a seed, which executes about size warp instructions. Its parameters are pointers
// to trips (int32), to SkewedWords numbers and to the results (both float32), and the number of threads.
func Skewed(seed uint64, size int) *SkewedKernel {
	r := rand.New(rand.NewPCG(seed, 0x5be3))
	skew, round := skews[seed%uint64(len(skews))], rounds[r.IntN(len(rounds))]
	block := 32 << r.IntN(4)
	// Some thousands of blocks to some hundreds, whose warps have four rounds at least on average.
	warps := int(math.Exp(math.Log(600) + r.Float64()*(math.Log(float64(size)/(5*roundInstructions))-math.Log(600))))
	blocks := max(64, warps*32/block)
	threads := blocks * block
	work := skew.work(r, threads, block)
	sum := 0.0 // of the longest threads of warps
	for i := 0; i < threads; i += 32 {
		most := 0.0
		for _, w := range work[i : i+32] {
			most = max(most, w)
		}
		sum += most
	}
	k := &SkewedKernel{Name: skew.name + ", " + round.name, Grid: kir.D1(blocks), Block: kir.D1(block), Trips: make([]int32, threads)}
	for i, w := range work {
		k.Trips[i] = int32(min(w*float64(size)/roundInstructions/sum, float64(size)/roundInstructions/8) + r.Float64())
	}

	b := kir.NewBuilder("skewed")
	x, z, y, n := b.Param("trips", kir.U64), b.Param("z", kir.U64), b.Param("y", kir.U64), b.Param("n", kir.I64)
	i := b.GlobalIDX()
	in, head, body, after, done := b.NewBlock("in"), b.NewBlock("head", kir.I64, kir.F32), b.NewBlock("body"), b.NewBlock("after"), b.NewBlock("done")
	b.Branch(b.Op(kir.OpLt, i, n), in, done)
	b.SetBlock(in)
	trips := b.Convert(kir.I64, b.Load(kir.Global, kir.I32, b.Index(x, i, kir.I32)))
	b.Jump(head, b.Int(kir.I64, 0), b.Const(kir.F32, 0.5))
	b.SetBlock(head)
	count, f := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, count, trips), body, after)
	b.SetBlock(body)
	next := round.do(b, z, i, count, f)
	b.Jump(head, b.Op(kir.OpAdd, count, b.Int(kir.I64, 1)), next)
	b.SetBlock(after)
	b.Store(kir.Global, b.Index(y, i, kir.F32), f)
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	fn, err := b.Func()
	if err != nil {
		panic(fmt.Sprintf("random: skewed kernel %d: %v", seed, err))
	}
	k.Func = fn
	return k
}
