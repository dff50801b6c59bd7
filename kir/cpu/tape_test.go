package cpu

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// heard is a Recorder that notes what it hears.
type heard struct{ text *string }

func (h heard) Step(blk *kir.Block, threads []int32) {
	*h.text += fmt.Sprintln("step", blk.ID, threads)
}

func (h heard) Access(v *kir.Value, threads []int32, at Addresses) {
	base, step, ok := at.Affine()
	if !ok {
		base, step = 0, [3]int64{}
	}
	*h.text += fmt.Sprintln("access", v.ID, threads, at.List(), base, step, ok)
}

func (h heard) End() { *h.text += "end" }

// wander is a kernel whose threads take ways and addresses of their own: thread i of a block of 6 x 3 goes round a loop
// h times, where h follows from i, adds to words here and there, and the odd ones return early.
func wander(t *testing.T) *kir.Func {
	b := kir.NewBuilder("wander")
	p := b.Param("p", kir.U64)
	i := b.Op(kir.OpAdd, b.Special(kir.TidX), b.Op(kir.OpMul, b.Special(kir.TidY), b.Int(kir.U32, 6)))
	h := b.Op(kir.OpAnd, b.Op(kir.OpMul, b.Op(kir.OpAdd, i, b.Special(kir.CtaidX)), b.Int(kir.U32, 2654435)), b.Int(kir.U32, 7))
	head, body, done, odd, even := b.NewBlock("head", kir.U32), b.NewBlock("body"), b.NewBlock("done"), b.NewBlock("odd"), b.NewBlock("even")
	b.Jump(head, b.Int(kir.U32, 0))
	b.SetBlock(head)
	b.Branch(b.Op(kir.OpLt, head.Params[0], h), body, done)
	b.SetBlock(body)
	at := b.Op(kir.OpAnd, b.Op(kir.OpMul, b.Op(kir.OpAdd, head.Params[0], h), i), b.Int(kir.U32, 63))
	b.Atomic(kir.OpAtomicAdd, kir.Global, b.Index(p, b.Convert(kir.I64, at), kir.U32), b.Int(kir.U32, 1))
	b.Jump(head, b.Op(kir.OpAdd, head.Params[0], b.Int(kir.U32, 1)))
	b.SetBlock(done)
	b.Branch(b.Op(kir.OpEq, b.Op(kir.OpAnd, i, b.Int(kir.U32, 1)), b.Int(kir.U32, 0)), even, odd)
	b.SetBlock(odd)
	b.Return()
	b.SetBlock(even)
	b.Atomic(kir.OpAtomicAdd, kir.Global, b.Index(p, b.Convert(kir.I64, i), kir.U32), h)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// A tape plays what the recorder of the launch itself hears, word by word, and what it takes is bounded.
func TestTapesPlayWhatLaunchesDo(t *testing.T) {
	p, err := Compile(wander(t))
	require.NoError(t, err)
	m := NewMemory()
	m.Map(1<<20, make([]byte, 4*64))
	l := Launch{Grid: kir.D1(5), Block: kir.Dim3{X: 6, Y: 3, Z: 1}, Params: []byte{0, 0, 16, 0, 0, 0, 0, 0}, Memory: m}
	direct, played := make([]string, 5), make([]string, 5)
	l.Record = func(cta int) Recorder { return heard{&direct[cta]} }
	counts, err := p.Run(context.Background(), l)
	require.NoError(t, err)
	tape, err := p.NewTape(context.Background(), l, 1<<20)
	require.NoError(t, err)
	assert.Equal(t, counts, tape.Counts())
	for _, order := range [][]int{nil, {4, 0, 3, 1, 2}} {
		clear(played)
		require.NoError(t, tape.Play(context.Background(), p, order, func(cta int) Recorder { return heard{&played[cta]} }))
		assert.Equal(t, direct, played)
	}
	_, err = p.NewTape(context.Background(), l, tape.Bytes()-1)
	var large *TapeTooLarge
	require.ErrorAs(t, err, &large)
	assert.Equal(t, tape.Bytes()-1, large.Limit)
	assert.Contains(t, large.Error(), "for all of its 5 blocks: record fewer blocks")
}

type sized int64

func (s sized) Bytes() int64 { return int64(s) }

// A recording leaves memory as it was, computes a launch once for equal programs, and refuses what differs by machine.
func TestRecordings(t *testing.T) {
	f := wander(t)
	m := NewMemory()
	words := make([]byte, 4*64)
	m.Map(1<<20, words)
	r, err := NewRecording(f, Launch{Grid: kir.D1(5), Block: kir.D1(18), Params: []byte{0, 0, 16, 0, 0, 0, 0, 0}, Memory: m}, 1<<20)
	require.NoError(t, err)
	var tapes []*Tape
	for _, a := range []Arithmetic{IEEE, IEEE, Tesla1} {
		p, err := CompileFor(f, a)
		require.NoError(t, err)
		tape, err := r.Tape(context.Background(), p)
		require.NoError(t, err)
		tapes = append(tapes, tape)
	}
	assert.Same(t, tapes[0], tapes[1])
	assert.Same(t, tapes[0], tapes[2], "without floats all arithmetics are one")
	floats := kir.NewBuilder("floats")
	floats.Store(kir.Global, floats.Param("p", kir.U64), floats.Op(kir.OpAdd, floats.Param("x", kir.F32), floats.Param("y", kir.F32)))
	floats.Return()
	sums, err := floats.Func()
	require.NoError(t, err)
	of, err := NewRecording(sums, Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: append(slices.Clone(r.Launch.Params), make([]byte, 8)...), Memory: m}, 1<<20)
	require.NoError(t, err)
	ieee, _ := CompileFor(sums, IEEE)
	tesla, _ := CompileFor(sums, Tesla1)
	one, err := of.Tape(context.Background(), ieee)
	require.NoError(t, err)
	another, err := of.Tape(context.Background(), tesla)
	require.NoError(t, err)
	assert.NotSame(t, one, another, "of another arithmetic")
	assert.Equal(t, make([]byte, 4*64), words)
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	other, err := NewRecording(f, r.Launch, 1<<20)
	require.NoError(t, err)
	p, _ := Compile(f)
	_, err = other.Tape(stopped, p)
	require.ErrorIs(t, err, context.Canceled)
	_, err = other.Tape(context.Background(), p)
	require.NoError(t, err, "who was interrupted does not spoil it")

	// What is made of it is made once while there is room, and what was asked for last is kept.
	made := map[string]int{}
	for _, key := range []string{"a", "b", "a", "c", "b", "a", "too large", "too large"} {
		bytes := sized(leastKept / 5 * 2)
		if key == "too large" {
			bytes = leastKept
		}
		got, err := r.Derived(context.Background(), key, func() (Sized, error) { made[key]++; return bytes, nil })
		require.NoError(t, err)
		assert.Equal(t, bytes, got)
	}
	assert.Equal(t, map[string]int{"a": 1 + 1, "b": 1 + 1, "c": 1, "too large": 2}, made)

	b := kir.NewBuilder("clocked")
	b.Store(kir.Global, b.Param("p", kir.U64), b.Special(kir.Clock64))
	b.Return()
	g, err := b.Func()
	require.NoError(t, err)
	_, err = NewRecording(g, r.Launch, 1<<20)
	assert.ErrorContains(t, err, "kernel clocked reads a clock, which is another thing on each machine")
}
