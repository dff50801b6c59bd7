package opt_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

// counting makes a kernel that counts from one parameter by steps, as long as that compares so with another, and stores
// what comes of hashing all numbers, and how many there are.
func counting(t *testing.T, typ kir.Type, op kir.Op, step int64, swap, barrier bool) *kir.Func {
	b := kir.NewBuilder("counting")
	out, from, to := b.Param("out", kir.U64), b.Param("from", typ), b.Param("to", typ)
	head, body, exit := b.NewBlock("head", typ, kir.U64, kir.U64), b.NewBlock("body"), b.NewBlock("exit")
	b.Jump(head, from, b.Int(kir.U64, 17), b.Int(kir.U64, 0))
	b.SetBlock(head)
	i, sum, n := head.Params[0], head.Params[1], head.Params[2]
	if swap {
		inverse := map[kir.Op]kir.Op{kir.OpLt: kir.OpGe, kir.OpLe: kir.OpGt, kir.OpGt: kir.OpLe, kir.OpGe: kir.OpLt}
		b.Branch(b.Op(inverse[op], i, to), exit, body)
	} else {
		b.Branch(b.Op(op, i, to), body, exit)
	}
	b.SetBlock(body)
	if barrier {
		b.Barrier()
	}
	hash := b.Op(kir.OpAdd, b.Op(kir.OpMul, sum, b.Int(kir.U64, 31)), b.Convert(kir.U64, i))
	b.Jump(head, b.Op(kir.OpAdd, i, b.Int(typ, step)), hash, b.Op(kir.OpAdd, n, b.Int(kir.U64, 1)))
	b.SetBlock(exit)
	b.Store(kir.Global, out, sum)
	b.Store(kir.Global, b.Op(kir.OpAdd, out, b.Int(kir.U64, 8)), n)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// countingAtEnd is counting whose test is at the end of a round, of which there is one at least, as loops over a range
// have it; each round loads, and what follows the loop uses values of the last.
func countingAtEnd(t *testing.T, typ kir.Type, op kir.Op, step int64, swap bool) *kir.Func {
	b := kir.NewBuilder("countingAtEnd")
	out, from, to := b.Param("out", kir.U64), b.Param("from", typ), b.Param("to", typ)
	round, exit := b.NewBlock("round", typ, kir.U64, kir.U64), b.NewBlock("exit", kir.U64)
	b.Store(kir.Global, out, b.Int(kir.U64, 17))
	b.Jump(round, from, b.Int(kir.U64, 17), b.Int(kir.U64, 0))
	b.SetBlock(round)
	i := round.Params[0]
	x := b.Load(kir.Global, kir.U64, b.Op(kir.OpAdd, out, b.Op(kir.OpAnd, b.Convert(kir.U64, i), b.Int(kir.U64, 8))))
	sum := b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Op(kir.OpAdd, round.Params[1], x), b.Int(kir.U64, 31)), b.Convert(kir.U64, i))
	n := b.Op(kir.OpAdd, round.Params[2], b.Int(kir.U64, 1))
	next := b.Op(kir.OpAdd, i, b.Int(typ, step))
	stay, leave := kir.Edge{To: round, Args: []*kir.Value{next, sum, n}}, kir.Edge{To: exit, Args: []*kir.Value{n}}
	if swap {
		inverse := map[kir.Op]kir.Op{kir.OpLt: kir.OpGe, kir.OpLe: kir.OpGt, kir.OpGt: kir.OpLe, kir.OpGe: kir.OpLt}
		b.BranchTo(b.Op(inverse[op], next, to), leave, stay)
	} else {
		b.BranchTo(b.Op(op, next, to), stay, leave)
	}
	b.SetBlock(exit)
	b.Store(kir.Global, out, b.Op(kir.OpXor, sum, b.Convert(kir.U64, next)))
	b.Store(kir.Global, b.Op(kir.OpAdd, out, b.Int(kir.U64, 8)), exit.Params[0])
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// Loops of every number of rounds around four, from and to numbers at the ends of their types, give what the reference
// gives.
func TestLoopsUnrolledByFour(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const at = 1 << 20
	rounds := map[uint64]int{}
	for _, typ := range []kir.Type{kir.I32, kir.U32, kir.I64, kir.U64} {
		for _, op := range []kir.Op{kir.OpLt, kir.OpLe, kir.OpGt, kir.OpGe} {
			for _, step := range []int64{1, 2, 7} {
				if op == kir.OpGt || op == kir.OpGe {
					step = -step
				}
				swap, atEnd := r.IntN(2) == 0, r.IntN(2) == 0
				f := counting(t, typ, op, step, swap, false)
				if atEnd {
					f = countingAtEnd(t, typ, op, step, swap)
				}
				g := opt.Optimize(f)
				require.Greater(t, strings.Count(g.String(), " mul "), 4, "%v %v %d is not unrolled:\n%v", typ, op, step, g)
				p, err := cpu.Compile(g)
				require.NoError(t, err)
				ends := []int64{0, math.MinInt32, math.MaxInt32, math.MinInt64, math.MaxInt64, -1, math.MaxUint32}
				for range 60 {
					to := ends[r.IntN(len(ends))] + int64(r.IntN(40)) - 20
					from := to - step*int64(r.IntN(14)-2) + int64(r.IntN(3))
					params := binary.LittleEndian.AppendUint64(nil, at)
					for _, x := range []int64{from, to} {
						if typ.Bytes() == 4 {
							params = binary.LittleEndian.AppendUint32(params, uint32(x))
						} else {
							params = binary.LittleEndian.AppendUint64(params, uint64(x))
						}
					}
					first := from
					if atEnd {
						first += step
					}
					if !ends60(typ, op, first, to, step) {
						continue
					}
					want, got := make([]byte, 16), make([]byte, 16)
					require.NoError(t, ref.Run(f, ref.Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: params, Memory: map[uint64][]byte{at: want}}))
					m := cpu.NewMemory()
					m.Map(at, got)
					_, err := p.Run(t.Context(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: params, Memory: m})
					require.NoError(t, err)
					require.Equal(t, want, got, "%v %v from %d to %d by %d, test at the end %v", typ, op, from, to, step, atEnd)
					rounds[binary.LittleEndian.Uint64(want[8:])]++
				}
			}
		}
	}
	for n := range uint64(10) {
		assert.Positive(t, rounds[n], "no loop had %d rounds", n)
	}
}

// ends60 reports whether a loop ends after 60 rounds at most: one that goes up to the greatest number of its type never
// does.
func ends60(typ kir.Type, op kir.Op, from, to, step int64) bool {
	cut := func(x int64) int64 {
		switch typ {
		case kir.I32:
			return int64(int32(x))
		case kir.U32:
			return int64(uint32(x))
		}
		return x
	}
	less := func(x, y int64) bool {
		if typ == kir.U64 {
			return uint64(x) < uint64(y)
		}
		return x < y
	}
	i, last := cut(from), cut(to) // as the kernel has them
	for range 60 {
		stay := map[kir.Op]bool{kir.OpLt: less(i, last), kir.OpLe: !less(last, i), kir.OpGt: less(last, i), kir.OpGe: !less(i, last)}[op]
		if !stay {
			return true
		}
		i = cut(i + step)
	}
	return false
}

// Loops with barriers stay, for threads must come to each together; and so do those of another compiler.
func TestLoopsThatAreNotUnrolled(t *testing.T) {
	compiled := counting(t, kir.I64, kir.OpLt, 1, false, false)
	compiled.Bounds.Compiled = true
	for _, f := range []*kir.Func{counting(t, kir.I64, kir.OpLt, 1, false, true), compiled, counting(t, kir.I64, kir.OpLt, -1, false, false), counting(t, kir.I64, kir.OpLt, 1<<40, false, false)} {
		assert.Equal(t, 1, strings.Count(fmt.Sprint(opt.Optimize(f)), " mul "), f)
	}
}
