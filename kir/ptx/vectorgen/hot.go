package main

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// function is an elementary function and what it is usually asked for: loops are made for the ways through it on which
// such arguments go. An argument that leaves them (a subnormal, an infinity, an angle of thousands of turns) is
// computed by the Go function.
type function struct {
	name string
	x, y usual // y of two arguments
}

// usual arguments lie between lo and hi, spread over their exponents if wide, and those of also.
type usual struct {
	lo, hi float64
	wide   bool
	also   []float64
}

var functions = []function{
	{name: "exp", x: usual{lo: -80, hi: 80}},
	{name: "exp2", x: usual{lo: -120, hi: 120}},
	{name: "expm1", x: usual{lo: -80, hi: 80, also: []float64{0}}},
	{name: "log", x: usual{lo: 1e-30, hi: 1e30, wide: true}},
	{name: "log2", x: usual{lo: 1e-30, hi: 1e30, wide: true}},
	{name: "log10", x: usual{lo: 1e-30, hi: 1e30, wide: true}},
	{name: "log1p", x: usual{lo: -0.9, hi: 100}},
	{name: "sin", x: usual{lo: -1e5, hi: 1e5}},
	{name: "cos", x: usual{lo: -1e5, hi: 1e5}},
	{name: "tan", x: usual{lo: -1e5, hi: 1e5}},
	{name: "asin", x: usual{lo: -1, hi: 1}},
	{name: "acos", x: usual{lo: -1, hi: 1}},
	{name: "atan", x: usual{lo: -10, hi: 10}},
	{name: "atan2", x: usual{lo: -10, hi: 10}, y: usual{lo: -10, hi: 10}},
	{name: "sinh", x: usual{lo: -40, hi: 40, also: []float64{800}}},
	{name: "cosh", x: usual{lo: -40, hi: 40, also: []float64{800}}},
	{name: "tanh", x: usual{lo: -50, hi: 50}},
	{name: "asinh", x: usual{lo: -10, hi: 10, also: []float64{0}}},
	{name: "acosh", x: usual{lo: 1, hi: 20, also: []float64{1}}},
	{name: "atanh", x: usual{lo: -1, hi: 1, also: []float64{0}}},
	{name: "logaddexp", x: usual{lo: -10, hi: 10}, y: usual{lo: -10, hi: 10}},
	{name: "gamma", x: usual{lo: 0.01, hi: 20}},
	{name: "lgamma", x: usual{lo: 0.01, hi: 20}},
	{name: "sinc", x: usual{lo: -20, hi: 20}},
	{name: "cbrt", x: usual{lo: -100, hi: 100}},
	{name: "hypot", x: usual{lo: -10, hi: 10}, y: usual{lo: -10, hi: 10}},
	{name: "erf", x: usual{lo: -8, hi: 8, also: []float64{0}}},
	{name: "erfc", x: usual{lo: -8, hi: 30}},
	{name: "pow", x: usual{lo: 0.01, hi: 100, also: []float64{1, -2}}, y: usual{lo: -8, hi: 8, also: []float64{1, 2, 3, 0.5}}},
}

const samples = 2000

func (u usual) sample(rng *rand.Rand, i int) float64 {
	if i%8 == 0 && len(u.also) > 0 {
		return u.also[i/8%len(u.also)]
	}
	if u.wide {
		return math.Exp(math.Log(u.lo) + rng.Float64()*math.Log(u.hi/u.lo))
	}
	return u.lo + rng.Float64()*(u.hi-u.lo)
}

// blocks collects the numbers of the basic blocks that a run comes to.
type blocks map[int]bool

func (b blocks) Step(blk *kir.Block, _ []int32)                  { b[blk.ID] = true }
func (b blocks) Access(_ *kir.Value, _ []int32, _ cpu.Addresses) {}
func (b blocks) End()                                            {}

// visited returns k in the form that the engine runs and the basic blocks to which usual arguments come.
func visited(k *kir.Func, f function) (*program, error) {
	p, err := cpu.Compile(k)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 8)
	memory := cpu.NewMemory()
	const at = 1 << 20
	memory.Map(at, out)
	rng := rand.New(rand.NewPCG(1, 2))
	hot := blocks{}
	for i := range samples {
		params := make([]byte, k.ParamBytes())
		for j, prm := range k.Params {
			switch v := []usual{f.x, f.y}[min(j, 1)].sample(rng, i+j); {
			case prm.Type == kir.U64:
				binary.LittleEndian.PutUint64(params[prm.Offset:], at)
			case prm.Type == kir.F32:
				binary.LittleEndian.PutUint32(params[prm.Offset:], math.Float32bits(float32(v)))
			default:
				binary.LittleEndian.PutUint64(params[prm.Offset:], math.Float64bits(v))
			}
		}
		l := cpu.Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: params, Memory: memory, Workers: 1, Record: func(int) cpu.Recorder { return hot }}
		if _, err := p.Run(context.Background(), l); err != nil {
			return nil, err
		}
	}
	return &program{p.Func(), hot}, nil
}

type program struct {
	f   *kir.Func
	hot blocks
}
