package cpu

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
)

// tickets lets each block take the next number of a counter and store it at its place: when the block ran.
func tickets(t *testing.T) *Program {
	b := kir.NewBuilder("tickets")
	counter, out := b.Param("counter", kir.U64), b.Param("out", kir.U64)
	n := b.Atomic(kir.OpAtomicAdd, kir.Global, counter, b.Int(kir.I32, 1))
	b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, b.Special(kir.CtaidX)), kir.I32), n)
	b.Return()
	return mustCompile(t, testkernels.MustFunc(t, b))
}

// A launch with an order runs its blocks in that order.
func TestBlocksRunInTheOrderGiven(t *testing.T) {
	for _, order := range [][]int{nil, {0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 4, 0, 1, 3}} {
		m := NewMemory()
		counter, out := make([]byte, 4), make([]byte, 20)
		m.Map(1<<32, counter)
		m.Map(1<<33, out)
		if _, err := tickets(t).Run(context.Background(), Launch{Grid: kir.D1(5), Block: kir.D1(1), Params: testkernels.PackParams(1<<32, 1<<33), Memory: m, Order: order}); err != nil {
			t.Fatal(err)
		}
		for at := range 5 {
			block := at
			if order != nil {
				block = order[at]
			}
			if got := binary.LittleEndian.Uint32(out[4*block:]); int(got) != at {
				t.Errorf("in order %v block %d was number %d, want %d", order, block, got, at)
			}
		}
	}
}

// An error is that of the first block in the order that has one, and those after it do not run.
func TestAnOrderEndsWithItsFirstError(t *testing.T) {
	b := kir.NewBuilder("fails") // blocks from 2 on store outside of memory
	out := b.Param("out", kir.U64)
	b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, b.Special(kir.CtaidX)), kir.I32), b.Int(kir.I32, 1))
	b.Return()
	m := NewMemory()
	data := make([]byte, 8)
	m.Map(1<<32, data)
	_, err := mustCompile(t, testkernels.MustFunc(t, b)).Run(context.Background(), Launch{Grid: kir.D1(4), Block: kir.D1(1), Params: testkernels.PackParams(1 << 32), Memory: m, Order: []int{1, 3, 0, 2}})
	var trap *kir.Trap
	if !errors.As(err, &trap) || trap.Block.X != 3 {
		t.Errorf("%v, want a trap of block 3", err)
	}
	if data[0] != 0 || data[4] != 1 {
		t.Errorf("memory is %v: block 1 comes before the error, block 0 after", data)
	}
}

func TestOrdersThatAreNone(t *testing.T) {
	for _, c := range []struct {
		order []int
		says  string
	}{{[]int{0, 1}, "has 2 of 3"}, {[]int{0, 1, 3}, "number 3; they go from 0 to 2"}, {[]int{0, 1, 1}, "number 1 twice"}} {
		_, err := tickets(t).Run(context.Background(), Launch{Grid: kir.D1(3), Block: kir.D1(1), Params: testkernels.PackParams(1<<32, 1<<33), Order: c.order})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("order %v: %v, want %q", c.order, err, c.says)
		}
	}
}
