package cpu

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// What a launch has does not change while pieces come and go, and a piece's addresses can be another's at once.
func TestMemoryComesAndGoes(t *testing.T) {
	m, r, want := NewMemory(), rand.New(rand.NewPCG(1, 2)), map[uint64]*byte{}
	type look struct {
		segs table
		want map[uint64]*byte
	}
	var looks []look
	check := func(i int, l look) {
		if n := len(slices.Concat(l.segs...)); n != len(l.want) {
			t.Fatalf("look %d: %d pieces, not %d", i, n, len(l.want))
		}
		for base, p := range l.want {
			if s := l.segs.find(base, 8); s == nil || s.ptr != unsafe.Pointer(p) {
				t.Fatalf("look %d: another piece at %#x", i, base)
			}
		}
	}
	for step := range 20_000 {
		places := []int{300, 3000, 20}[step/7000] // up to some ten blocks of the table, and few again
		base := uint64(1+r.IntN(places)) << 12
		if r.IntN(20) == 0 {
			m.Unmap(base + 8) // nothing begins there
		}
		if want[base] != nil {
			m.Unmap(base)
			delete(want, base)
		}
		if r.IntN(3) > 0 {
			b := make([]byte, []int{8, 4096}[r.IntN(2)])
			m.Map(base, b)
			want[base] = &b[0]
		}
		if r.IntN(50) == 0 {
			looks = append(looks, look{tableOf(m), maps.Clone(want)})
		}
	}
	for i, l := range looks {
		check(i, l)
	}
}

// Between launches nothing is copied: pieces are mapped in place, and no launch that runs sees it.
func TestMemoryBetweenLaunches(t *testing.T) {
	m, b := NewMemory(), make([]byte, 8)
	for i := range uint64(100) {
		m.Map((1+i)<<12, b)
	}
	change := func() { m.Unmap(50 << 12); m.Map(50<<12, b) }
	before := &m.table[0][0]
	for range 3 {
		m.pieces()
		m.release()
		change()
		require.Same(t, before, &m.table[0][0], "nothing runs")
	}
	running, _ := m.pieces()
	m.pieces()
	m.release() // the later one is over first
	m.Unmap(50 << 12)
	require.NotNil(t, running.find(50<<12, 8), "what a launch has that runs")
	require.Nil(t, m.table.find(50<<12, 8))
	m.release()
}

// What a change copies between two launches does not grow with the number of pieces: here to the tenth part of all.
func TestMemoryOfManyPieces(t *testing.T) {
	m, b := NewMemory(), make([]byte, 8)
	const n = 20_000
	for i := range uint64(n) {
		m.Map((1+i)<<12, b)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const changes = 1000
	for i := range uint64(changes) {
		m.pieces()
		base := (1 + i*7919%n) << 12
		m.Unmap(base)
		m.MapReadOnly(base, b)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / changes; each > n*uint64(unsafe.Sizeof(segment{}))/10 {
		t.Errorf("%d bytes are copied for each of %d pieces that is mapped anew", each, n)
	}
}

func tableOf(m *Memory) table {
	t, _ := m.pieces()
	return t
}
