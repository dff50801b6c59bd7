package cpu_test

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// spinning is a kernel whose threads wait, at line 4, for somebody to write to a word, and store at line 6 then.
func spinning(t *testing.T, name string) *cpu.Program {
	b := kir.NewBuilder(name)
	x := b.Param("x", kir.U64)
	head, exit := b.NewBlock("head"), b.NewBlock("exit")
	b.Pos = kir.Pos{File: "cell", Line: 4}
	b.Jump(head)
	b.SetBlock(head)
	b.Branch(b.Op(kir.OpEq, b.Atomic(kir.OpAtomicAdd, kir.Global, x, b.Int(kir.U32, 0)), b.Int(kir.U32, 0)), head, exit)
	b.SetBlock(exit)
	b.Pos.Line = 6
	b.Store(kir.Global, b.Op(kir.OpAdd, x, b.Int(kir.U64, 4)), b.Int(kir.U32, 1))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	p, err := cpu.Compile(f)
	require.NoError(t, err)
	return p
}

// TestWatch: who waits for a launch is told where it is, while it runs and after it was stopped, and of no launch that
// has ended.
func TestWatch(t *testing.T) {
	w := new(cpu.Watch)
	launch := func(word byte) cpu.Launch {
		m := cpu.NewMemory()
		m.Map(1<<20, []byte{word, 0, 0, 0, 0, 0, 0, 0})
		return cpu.Launch{Grid: kir.D1(3), Block: kir.D1(64), Params: binary.LittleEndian.AppendUint64(nil, 1<<20), Memory: m, Watch: w}
	}
	_, ok := w.Where()
	require.False(t, ok)
	for _, name := range []string{"spin", "turn"} {
		p := spinning(t, name)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := p.Run(ctx, launch(0))
			ended <- err
		}()
		for range 3 {
			var at cpu.Where
			// Until the second launch has begun the first is what the watch knows.
			require.Eventually(t, func() bool { at, ok = w.Where(); return ok && at.Kernel == name }, time.Minute, time.Millisecond)
			assert.Equal(t, "kernel "+name+": thread (0) of block (0) is at cell:4", at.String())
		}
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		at, ok := w.Where()
		require.True(t, ok)
		assert.Equal(t, 4, at.Pos.Line)
	}
	_, err := spinning(t, "spin").Run(t.Context(), launch(1))
	require.NoError(t, err)
	_, ok = w.Where()
	assert.False(t, ok, "it has ended")
}
