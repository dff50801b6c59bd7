package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// rates measures copies of so many bytes, a streaming kernel over as many, and launches. Each figure is the median of
// nine.
func rates(w io.Writer, g *cudabackend.GPU, bytes int) error {
	s, err := g.NewStream(0)
	if err != nil {
		return err
	}
	defer s.Close()
	n := bytes / 4
	x, err := g.Alloc(bytes)
	if err != nil {
		return err
	}
	defer x.Free()
	y, err := g.Alloc(bytes)
	if err != nil {
		return err
	}
	defer y.Free()
	pinned, err := g.HostAlloc(bytes)
	if err != nil {
		return err
	}
	k, err := g.Load(saxpy())
	if err != nil {
		return err
	}
	params := pack([]uint64{y.Addr(), x.Addr()}, n)
	fmt.Fprintf(w, "## Rates\n\nBuffers of %s, medians of nine by the driver's events.\n\n| what | time | bytes moved a second | of a copy on the card |\n|---|---|---|---|\n", device.Bytes(int64(bytes)))
	var limit float64
	for _, c := range []struct {
		name  string
		moved int
		do    func() device.Event
	}{
		{"copy on the card", 2 * bytes, func() device.Event { return s.CopyPeer(y, 0, x, 0, bytes) }},
		{"saxpy, f32", 3 * bytes, func() device.Event { return s.Launch(k, kir.D1((n+255)/256), kir.D1(256), 0, params) }},
		{"copy in, pinned", bytes, func() device.Event { return s.CopyIn(x, 0, pinned) }},
		{"copy out, pinned", bytes, func() device.Event { return s.CopyOut(pinned, x, 0) }},
	} {
		var times []float64
		for range 9 {
			e := c.do()
			if err := s.Sync(ctx); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			tr := e.Trace()
			times = append(times, tr.Duration().Seconds())
		}
		slices.Sort(times)
		rate := float64(c.moved) / times[4]
		if limit == 0 {
			limit = rate
		}
		fmt.Fprintf(w, "| %s | %.3g ms | %s/s | %.2f |\n", c.name, times[4]*1e3, device.Bytes(int64(rate)), rate/limit)
	}
	small := pack([]uint64{y.Addr(), x.Addr()}, 0)
	var each []time.Duration
	for range 9 {
		const launches = 100
		start := time.Now()
		for range launches {
			s.Launch(k, kir.D1(1), kir.D1(32), 0, small)
		}
		each = append(each, time.Since(start)/launches)
		if err := s.Sync(ctx); err != nil {
			return err
		}
	}
	slices.Sort(each)
	fmt.Fprintf(w, "\nA launch takes the host %v, with the two events that give its times.\n", each[4].Round(10*time.Nanosecond))
	return nil
}

// saxpy makes out[i] = 2*x[i] + out[i].
func saxpy() *kir.Func {
	b := kir.NewBuilder("saxpy")
	out, n, x := b.Param("out", kir.U64), b.Param("n", kir.I64), b.Param("x", kir.U64)
	i := b.Convert(kir.I64, b.GlobalIDX())
	work, end := b.NewBlock("work"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), work, end)
	b.SetBlock(work)
	at := b.Index(out, i, kir.F32)
	b.Store(kir.Global, at, b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Const(kir.F32, 2), b.Load(kir.Global, kir.F32, b.Index(x, i, kir.F32))), b.Load(kir.Global, kir.F32, at)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	if err != nil {
		panic(err) // the kernel is fixed
	}
	return f
}
