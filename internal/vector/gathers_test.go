package vector

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// What is loaded is what a loop loads, side by side or not, and nothing from eight on of which one address is bad.
func TestGatherIsALoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const first = 1 << 33
	memory := make([]uint64, 100)
	for i := range memory {
		memory[i] = rng.Uint64()
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), 8*len(memory))
	delta := uint64(uintptr(unsafe.Pointer(&memory[0]))) - first
	for _, size := range []int{4, 8} {
		last := uint64(first + len(bytes) - size)
		for _, bad := range []uint64{0, first - uint64(size), last + uint64(size), first + 1, last + 1, 1 << 63} {
			for range 200 {
				n := 1 + rng.IntN(40)
				addrs := make([]uint64, n+8)
				for i := 0; i < n; {
					at, run := rng.IntN(len(bytes)/size), 1+rng.IntN(20)
					for k := 0; k < run && i < n && at+k < len(bytes)/size; k++ {
						addrs[i] = first + uint64((at+k)*size)
						i++
					}
				}
				most, at := n&^7, n
				if bad != 0 {
					at = rng.IntN(n)
					addrs[at] = bad
					most = min(most, at&^7)
				}
				d := make([]byte, (n+8)*size)
				done := Gather(size, n, unsafe.Pointer(&d[0]), unsafe.Pointer(&addrs[0]), first, last, delta)
				if !hasAVX512 {
					most = 0
				}
				require.Equal(t, most, done)
				for i := range done {
					require.Equal(t, bytes[addrs[i]-first:][:size], d[i*size:][:size])
				}
				for _, x := range d[done*size:] {
					require.Zero(t, x)
				}
			}
		}
	}
}

// Rows of eight that are taken apart are a loop over them; nothing is written beyond the columns.
func TestColumnsAreALoop(t *testing.T) {
	for _, n := range []int{16, 48, 1024} {
		rows := make([]uint32, 8*n)
		for i := range rows {
			rows[i] = uint32(i)
		}
		apart := n + 3
		got, want := make([]uint32, 8*apart), make([]uint32, 8*apart)
		for i, x := range rows {
			want[i%8*apart+i/8] = x
		}
		if !Columns(n, unsafe.Pointer(&got[0]), 4*apart, unsafe.Pointer(&rows[0])) {
			t.Skip("this processor has no loop for it")
		}
		require.Equal(t, want, got, "%d rows", n)
	}
}
