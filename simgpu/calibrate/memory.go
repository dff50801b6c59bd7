package calibrate

import (
	"encoding/binary"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

const line = 128 // bytes

// chases follows pointers from line to line with one thread: round a few lines, which stay in L1; round half a
// megabyte, which L2 holds and L1 does not; and through lines that nobody has touched. Where a round takes as long as
// new lines do, there is no such cache, or none that is so large: of sim:tiny's, the L2 has 192 kB.
func (r *runner) chases() error {
	var found [3]float64
	rounds := []struct {
		name, fields        string
		lines, short, large int
	}{
		{"latency of L1", "L1Latency", 8, 1024, 2048},
		{"latency of L2", "L1Latency + L2Latency", 4096, 4096, 8192},
		{"latency of DRAM", "L1Latency + L2Latency + DRAMLatency", 8192, 4096, 8192},
	}
	for i, c := range rounds {
		buf, err := r.alloc(c.lines * line)
		if err != nil {
			return err
		}
		chain := make([]byte, c.lines*line)
		for i := range c.lines {
			binary.LittleEndian.PutUint64(chain[i*line:], buf.Addr()+uint64((i+1)%c.lines*line))
		}
		r.stream.CopyIn(buf, 0, chain)
		out, err := r.alloc(8)
		if err != nil {
			return err
		}
		found[i], err = r.slope(c.short, c.large, 1, 1, func(n int) (*kir.Func, []uint64, error) {
			f, err := chase()
			return f, []uint64{buf.Addr(), uint64(n), out.Addr()}, err
		})
		if err != nil {
			return err
		}
	}
	for i, c := range rounds {
		if i < 2 && found[i] > 0.95*found[2] {
			r.none(c.name, c.fields, fmt.Sprintf("a round of %s takes as long as DRAM: the cache is smaller, or there is none", device.Bytes(int64(c.lines*line))))
			continue
		}
		r.found(c.name, found[i], "cycles", c.fields)
	}
	return nil
}

// chase follows n pointers, sixteen a round so that their latencies hide the loop, and stores where it came to.
func chase() (*kir.Func, error) {
	b := kir.NewBuilder("chase")
	start, n, out := b.Param("start", kir.U64), b.Param("n", kir.I64), b.Param("out", kir.U64)
	head, body, done := b.NewBlock("head", kir.U64, kir.I64), b.NewBlock("body"), b.NewBlock("done")
	b.Jump(head, start, b.Int(kir.I64, 0))
	b.SetBlock(head)
	at, k := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, k, n), body, done)
	b.SetBlock(body)
	next := at
	for range 16 {
		next = b.Load(kir.Global, kir.U64, next)
	}
	b.Jump(head, next, b.Op(kir.OpAdd, k, b.Int(kir.I64, 16)))
	b.SetBlock(done)
	b.Store(kir.Global, out, at)
	b.Return()
	return b.Func()
}

// each is how many elements a thread reads: with fewer, blocks that come and go, or how late DRAM answers under load,
// keep some GPUs from the bandwidth that they have.
const each = 4

// bandwidth reads an array of numbers of 8 bytes from DRAM on all SMs, and writes one for each thread.
func (r *runner) bandwidth() error {
	most := 4 << 20
	for int64(most)*32 > r.memory {
		most /= 2
	}
	x, err := r.alloc(8 * most)
	if err != nil {
		return err
	}
	y, err := r.alloc(8 * most / each)
	if err != nil {
		return err
	}
	b := kir.NewBuilder("stream")
	px, py := b.Param("x", kir.U64), b.Param("y", kir.U64)
	block, size, tid := b.Convert(kir.I64, b.Special(kir.CtaidX)), b.Convert(kir.I64, b.Special(kir.NTidX)), b.Convert(kir.I64, b.Special(kir.TidX))
	first := b.Op(kir.OpMul, block, size)
	at := b.Op(kir.OpAdd, b.Op(kir.OpMul, first, b.Int(kir.I64, each)), tid)
	mixed := b.Int(kir.U64, 0)
	for k := range each {
		i := b.Op(kir.OpAdd, at, b.Op(kir.OpMul, size, b.Int(kir.I64, int64(k))))
		mixed = b.Op(kir.OpXor, mixed, b.Load(kir.Global, kir.U64, b.Index(px, i, kir.U64)))
	}
	b.Store(kir.Global, b.Index(py, b.Op(kir.OpAdd, first, tid), kir.U64), mixed)
	b.Return()
	f, err := b.Func()
	if err != nil {
		return err
	}
	var cycles [2]float64
	for i, n := range [...]int{most / 2, most} {
		if cycles[i], err = r.launch(f, n/256/each, 256, x.Addr(), y.Addr()); err != nil {
			return err
		}
	}
	moved := 8 * (most/2 + most/2/each)
	r.found("bandwidth of DRAM", float64(moved)*r.clock/(cycles[1]-cycles[0]), "B/s", "DRAMPeak * DRAMShare")
	return nil
}

// conflicts follows offsets in shared memory, each lane its own: in neighbouring words, and 32 words apart, where lanes
// come to one bank of 16 or 32 and take turns. Sixteen lanes are served together by every machine.
func (r *runner) conflicts() error {
	const lanes = 16
	out, err := r.alloc(4 * lanes)
	if err != nil {
		return err
	}
	per := func(stride int) (float64, error) {
		return r.slope(64, 128, 1, lanes, func(n int) (*kir.Func, []uint64, error) {
			b := kir.NewBuilder("conflicts")
			p := b.Param("out", kir.U64)
			s := b.SharedArray("s", kir.U32, 32*lanes)
			tid := b.Convert(kir.I64, b.Special(kir.TidX))
			at := b.Index(s, b.Op(kir.OpMul, tid, b.Int(kir.I64, int64(stride))), kir.U32)
			b.Store(kir.Shared, at, b.Convert(kir.U32, at))
			b.Barrier()
			for range n {
				at = b.Convert(kir.U64, b.Load(kir.Shared, kir.U32, at))
			}
			b.Store(kir.Global, b.Index(p, tid, kir.U32), b.Convert(kir.U32, at))
			b.Return()
			f, err := b.Func()
			return f, []uint64{out.Addr()}, err
		})
	}
	without, err := per(1)
	if err != nil {
		return err
	}
	with, err := per(32)
	if err != nil {
		return err
	}
	r.found("latency of shared memory", without, "cycles", "SharedLatency")
	r.found("cycles of a bank conflict", (with-without)/(lanes-1), "cycles", "1")
	return nil
}

// atomics exchanges a word, again and again, for the one that was there.
func (r *runner) atomics() error {
	const name, fields = "latency of an atomic", "L1Latency + L2Latency"
	buf, err := r.alloc(4 * 32)
	if err != nil {
		return err
	}
	exchange := func(n int) (*kir.Func, []uint64, error) {
		b := kir.NewBuilder("exchange")
		at := b.Param("p", kir.U64)
		x := b.Special(kir.TidX)
		for range n {
			x = b.Atomic(kir.OpAtomicExch, kir.Global, at, x)
		}
		b.Store(kir.Global, at, x)
		b.Return()
		f, err := b.Func()
		return f, []uint64{buf.Addr()}, err
	}
	one, _, err := exchange(1)
	if err != nil {
		return err
	}
	k, err := r.device.Load(one)
	if err != nil {
		return err
	}
	if old, ok := k.(device.Limited); ok && old.Lacks() != nil {
		r.none(name, fields, "the device has no atomics")
		return nil
	}
	latency, err := r.slope(32, 64, 1, 1, exchange)
	if err != nil {
		return err
	}
	r.found(name, latency, "cycles", fields)
	return nil
}

// pinned copies from and to pinned memory, where the device has some.
func (r *runner) pinned() error {
	if d, ok := r.device.(device.Pinner); ok {
		return r.copies("pinned", "PinnedRate", d.HostAlloc)
	}
	r.none("pinned copies", "PinnedRate", "the device pins no memory of the host")
	return nil
}

// pageable copies from and to memory as it is.
func (r *runner) pageable() error {
	return r.copies("pageable", "PageableRate", func(n int) ([]byte, error) { return make([]byte, n), nil })
}

func (r *runner) copies(name, fields string, host func(int) ([]byte, error)) error {
	most := 8 << 20
	for int64(most)*2 > r.memory {
		most /= 2
	}
	mem, err := host(most)
	if err != nil {
		return err
	}
	buf, err := r.alloc(most)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		way  string
		copy func(n int) device.Event
	}{
		{"to the device", func(n int) device.Event { return r.stream.CopyIn(buf, 0, mem[:n]) }},
		{"to the host", func(n int) device.Event { return r.stream.CopyOut(mem[:n], buf, 0) }},
	} {
		var took [2]float64
		for i, n := range [...]int{most / 2, most} {
			if took[i], err = r.fastest(func() device.Event { return c.copy(n) }); err != nil {
				return err
			}
		}
		rate := float64(most/2) / (took[1] - took[0])
		r.found(name+" copies "+c.way, rate, "B/s", fields)
		if c.way == "to the device" && name == "pinned" {
			r.found("before the first byte of a copy", (2*took[0]-took[1])*1e9, "ns", "CopyLatency")
		}
	}
	return nil
}
