package cpu_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
)

// run executes a kernel of (x, out u64) for 32 threads, with 32 numbers at x, and returns what is at out then.
func run(t *testing.T, text string) (out [32]int32) {
	t.Helper()
	f, err := kir.Parse(text)
	require.NoError(t, err)
	p, err := cpu.Compile(f)
	require.NoError(t, err)
	m := cpu.NewMemory()
	x, y := make([]byte, 128), make([]byte, 128)
	for i := range 32 {
		binary.LittleEndian.PutUint32(x[4*i:], uint32(i*i%37))
	}
	m.Map(1<<32, x)
	m.Map(1<<33, y)
	_, err = p.Run(context.Background(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(32), Params: testkernels.PackParams(1<<32, 1<<33), Memory: m})
	require.NoError(t, err)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(y[4*i:]))
	}
	return out
}

const before = `kernel k(x u64, out u64)
b0 entry:
	v0 u64 = param 0 // x
	v1 u64 = param 1 // out
	v2 u32 = special tid.x
	v3 u64 = convert v2
	v4 u32 = const 2
	v5 u64 = shl v3, v4
	v6 u64 = add v0, v5
	v7 i32 = load global v6
	v8 u64 = add v1, v5
	v9 i32 = const 1
	v10 i32 = const 4
	v11 i32 = const 0
`

// Parameters of a loop take the lanes of what nobody wants any more, and of nothing else: here one keeps its value
// and is handed on to another one, two change places, and one that comes from before the loop is wanted behind it.
func TestLoopsHandLanesOn(t *testing.T) {
	got := run(t, before+`	v12 i32 = add v7, v9
	jump b1(v11, v7, v12, v7)
b1 loop(v13 i32, v14 i32, v15 i32, v16 i32):
	v17 i32 = add v13, v9
	v18 i32 = add v16, v14
	v19 bool = lt v17, v10
	branch v19, b2, b3
b2 next:
	jump b1(v17, v15, v14, v18)
b3 end:
	v20 i32 = mul v18, v10
	v21 i32 = add v20, v7
	v22 i32 = sub v21, v15
	store global v8, v22
	return
`)
	kept := run(t, before+`	jump b1(v11, v11, v7)
b1 loop(v13 i32, v14 i32, v15 i32):
	v17 i32 = add v13, v9
	v19 bool = lt v17, v10
	branch v19, b2, b3
b2 next:
	jump b1(v17, v15, v15)
b3 end:
	v21 i32 = add v14, v15
	store global v8, v21
	return
`)
	for i := range got {
		x := int32(i * i % 37)
		a, b, s := x, x+1, x
		for range 3 {
			s += a
			a, b = b, a
		}
		require.Equal(t, (s+a)*4+x-b, got[i])
		require.Equal(t, 2*x, kept[i])
	}
}

// A conversion that keeps all bits has the lanes of its operand, which stay as they are while it is wanted.
func TestConversionsOfSignsShareLanes(t *testing.T) {
	got := run(t, before+`	v12 u32 = convert v7
	v13 i32 = convert v12
	v14 i32 = mul v7, v10
	v15 i32 = sub v14, v9
	v16 i32 = mul v15, v15
	v17 u32 = convert v16
	v18 u32 = add v17, v12
	v19 i32 = convert v18
	v20 i32 = sub v19, v13
	v21 i32 = add v20, v7
	store global v8, v21
	return
`)
	for i := range got {
		x := int32(i * i % 37)
		require.Equal(t, (4*x-1)*(4*x-1)+x, got[i])
	}
}
