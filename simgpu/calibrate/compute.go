package calibrate

import (
	"encoding/binary"

	"github.com/arrayrepl/arrayrepl/kir"
)

// chains is how many independent results a thread works on: enough that one warp alone fills a unit whose latency is up
// to so many of its intervals.
const chains = 12

// rate returns how many operations a second begin on all threads of the device together, where round does one on each
// of v.
func (r *runner) rate(typ kir.Type, short, long int, round func(b *kir.Builder, v []*kir.Value, x *kir.Value)) (float64, error) {
	p := r.device.Properties()
	blocks, threads := p.SMs, min(256, p.MaxThreadsPerBlock)
	buf, err := r.alloc(8 * blocks * threads)
	if err != nil {
		return 0, err
	}
	cycles, err := r.slope(short, long, blocks, threads, func(n int) (*kir.Func, []uint64, error) {
		b := kir.NewBuilder("rate")
		at := b.Index(b.Param("p", kir.U64), b.GlobalIDX(), typ)
		x := b.Load(kir.Global, typ, at)
		var v [chains]*kir.Value
		for k := range v {
			v[k] = b.Op(kir.OpAdd, x, b.Const(typ, float64(k)))
		}
		for range n {
			round(b, v[:], x)
		}
		sum := v[0]
		for _, w := range v[1:] {
			sum = b.Op(kir.OpAdd, sum, w)
		}
		b.Store(kir.Global, at, sum)
		b.Return()
		f, err := b.Func()
		return f, []uint64{buf.Addr()}, err
	})
	return float64(chains*blocks*threads) * r.clock / cycles, err
}

func fma(b *kir.Builder, v []*kir.Value, x *kir.Value) {
	for k := range v {
		v[k] = b.Op(kir.OpFma, v[k], x, v[k])
	}
}

// fma does independent fused multiply-adds.
func (r *runner) fma() error {
	rate, err := r.rate(kir.F32, 32, 96, fma)
	r.found("rate of fma", 2*rate, "flop/s", "SMs * Schedulers * Units[UnitFP32].Lanes * ClockMHz")
	return err
}

// doubles does them in f64.
func (r *runner) doubles() error {
	rate, err := r.rate(kir.F64, 8, 24, fma)
	r.found("rate of fma in f64", 2*rate, "flop/s", "Units[UnitFP64].Lanes")
	return err
}

// special converts to an integer and back, which are two instructions of the special function unit's lanes.
func (r *runner) special() error {
	rate, err := r.rate(kir.F32, 8, 24, func(b *kir.Builder, v []*kir.Value, _ *kir.Value) {
		for _, t := range []kir.Type{kir.I32, kir.F32} {
			for k := range v {
				v[k] = b.Convert(t, v[k])
			}
		}
	})
	r.found("rate of special functions", 2*rate, "op/s", "Units[UnitSpecial].Lanes")
	return err
}

// launches starts a kernel of one thread, which takes longer than a launch: alone, and two in a row.
func (r *runner) launches() error {
	f, err := idle()
	if err != nil {
		return err
	}
	k, err := r.device.Load(f)
	if err != nil {
		return err
	}
	one, rounds := kir.D1(1), binary.LittleEndian.AppendUint64(nil, 5000)
	first := r.stream.Launch(k, one, one, 0, rounds)
	if err := r.sync(); err != nil {
		return err
	}
	// The host has waited for the first: what passes until the second begins is the way from the host.
	second := r.stream.Launch(k, one, one, 0, rounds)
	third := r.stream.Launch(k, one, one, 0, rounds)
	if err := r.sync(); err != nil {
		return err
	}
	r.found("launch on an idle stream", seconds(second.Trace().Start-first.Trace().End)*1e9, "ns", "SubmitTime + LaunchLatency")
	r.found("launch after a launch", seconds(third.Trace().Start-second.Trace().End)*1e9, "ns", "LaunchGap")
	return nil
}

// idle goes round a loop n times and waits for a division in each.
func idle() (*kir.Func, error) {
	b := kir.NewBuilder("idle")
	n := b.Param("n", kir.I64)
	head, body, done := b.NewBlock("head", kir.I64, kir.I64), b.NewBlock("body"), b.NewBlock("done")
	b.Jump(head, n, n)
	b.SetBlock(head)
	k, x := head.Params[0], head.Params[1]
	zero := b.Int(kir.I64, 0)
	b.Branch(b.Op(kir.OpGt, k, zero), body, done)
	b.SetBlock(body)
	b.Jump(head, b.Op(kir.OpSub, k, b.Int(kir.I64, 1)), b.Op(kir.OpDiv, x, b.Op(kir.OpAdd, k, x)))
	b.SetBlock(done)
	s := b.SharedArray("s", kir.I64, 1) // so that the divisions are wanted
	b.Store(kir.Shared, s, x)
	b.Return()
	return b.Func()
}
