package scan

import (
	"fmt"
	"math/bits"

	"github.com/arrayrepl/arrayrepl/kir"
)

// The exchange: neighbouring lanes move neighbouring elements between arrays and shared memory, from where each thread
// takes its own, several by one access where Vectors says so.

// buffer is memory that a tile of one array goes through.
type buffer struct {
	at    *kir.Value
	bytes int // of all
}

// width is how many elements of t one access moves.
func (m *maker) width(t kir.Type) int {
	most := m.Form.Vectors
	if most == ByMachine {
		most = WideVectors
	}
	n := min(4, most/t.Bytes())
	if per := line / t.Bytes(); n < 2 || !m.aligned() || m.Form.Each%n != 0 || per%m.Form.Each != 0 {
		return 1
	}
	return n
}

// aligned reports whether a tile begins at a multiple of 16 bytes of its arrays.
func (m *maker) aligned() bool { return m.Aligned && !m.Strided }

// line is how many bytes of shared memory all banks have side by side.
const line = 4 * kir.WarpSize

// gap says that so many places are left free behind each so many elements of t, a power of two, or lanes whose elements
// lie Each apart would meet in few banks.
func (m *maker) gap(t kir.Type) (free, behind int) {
	if w := m.width(t); w > 1 {
		return w, line / t.Bytes()
	}
	return 1, kir.WarpSize
}

// spread is the place of element j of a tile of t.
func (m *maker) spread(j int, t kir.Type) int {
	free, behind := m.gap(t)
	return j + j/behind*free
}

func (m *maker) spreadAt(j *kir.Value, t kir.Type) *kir.Value {
	free, behind := m.gap(t)
	gaps := m.Op(kir.OpShr, j, m.Int(kir.U32, int64(bits.TrailingZeros(uint(behind)))))
	if free > 1 {
		gaps = m.mul(gaps, m.num(free))
	}
	return m.add(j, gaps)
}

// buffer adds memory for a tile of elements of t.
func (m *maker) buffer(i int, t kir.Type) buffer {
	n := m.spread(m.Form.Tile(), t)
	return buffer{m.AlignedArray(kir.OpShared, kir.Array{Name: fmt.Sprintf("tile%d", i), Elem: t, Len: n}, 16), n * t.Bytes()}
}

// slot is where a tile has the thread's element k.
func (m *maker) slot(i, k int, t kir.Type) *kir.Value {
	if _, behind := m.gap(t); behind%m.Form.Each != 0 {
		return m.Index(m.buffers[i].at, m.spreadAt(m.own(k), t), t)
	}
	// none of the thread's elements has a gap before it that the first has not
	return m.behindBy(m.Index(m.buffers[i].at, m.spreadAt(m.own(0), t), t), k*t.Bytes())
}

// stripe is the number in the tile of the element that the thread moves in step k, beside its neighbours', one by one.
func (m *maker) stripe(k int) *kir.Value { return m.add(m.tid, m.num(k*m.Form.Threads)) }

// striped is where a tile has that element, or in steps of vectors the first of them.
func (m *maker) striped(i, k int, t kir.Type) *kir.Value {
	w := m.width(t)
	first := m.Index(m.buffers[i].at, m.spreadAt(m.mul(m.tid, m.num(w)), t), t)
	return m.behindBy(first, m.spread(k*w*m.Form.Threads, t)*t.Bytes())
}

// stripedOne is where a tile has the element that the thread moves in step k by itself.
func (m *maker) stripedOne(i, k int, t kir.Type) *kir.Value {
	if m.width(t) == 1 {
		return m.striped(i, k, t)
	}
	return m.Index(m.buffers[i].at, m.spreadAt(m.stripe(k), t), t)
}

// beside is the address in an array of what the thread moves in step k, where no line ends within the tile.
func (m *maker) beside(array *kir.Value, k int, t kir.Type) *kir.Value {
	if m.Strided {
		return m.Index(array, m.place(m.add(m.first, m.stripe(k))), t)
	}
	w := m.width(t)
	first := m.add(m.first, m.mul(m.tid, m.num(w)))
	return m.behindBy(m.Index(array, m.place(first), t), k*w*m.Form.Threads*t.Bytes())
}

func (m *maker) behindBy(address *kir.Value, bytes int) *kir.Value {
	return m.add(address, m.Int(kir.U64, int64(bytes)))
}

func (m *maker) loads(space kir.Space, t kir.Type, at *kir.Value) []*kir.Value {
	if w := m.width(t); w > 1 {
		return m.LoadVector(space, t, w, at)
	}
	return []*kir.Value{m.Load(space, t, at)}
}

func (m *maker) stores(space kir.Space, at *kir.Value, xs []*kir.Value) {
	if len(xs) > 1 {
		m.StoreVector(space, at, xs...)
		return
	}
	m.Store(space, at, xs[0])
}

// fetch brings the tile of each array into shared memory. near is the place of element j of a tile, or of the line's
// last one before it.
func (m *maker) fetch(near func(j *kir.Value) *kir.Value) {
	types, from := m.In[m.packed():], m.in[m.packed():]
	for i, t := range types {
		m.buffers = append(m.buffers, m.buffer(i, t))
	}
	m.ifWhole(func() {
		for i, t := range types {
			for k := range m.Form.Each / m.width(t) {
				m.stores(kir.Shared, m.striped(i, k, t), m.loads(kir.Global, t, m.beside(from[i], k, t)))
			}
		}
	}, func() {
		for i, t := range types {
			for k := range m.Form.Each {
				m.Store(kir.Shared, m.stripedOne(i, k, t), m.Load(kir.Global, t, m.Index(from[i], near(m.stripe(k)), t)))
			}
		}
	})
}

// fromTile are the thread's elements of array i.
func (m *maker) fromTile(i int, t kir.Type) (xs []*kir.Value) {
	for k := 0; k < m.Form.Each; k += m.width(t) {
		xs = append(xs, m.loads(kir.Shared, t, m.slot(i, k, t))...)
	}
	return xs
}

// deliver writes the thread's elements of all arrays. guarded stores one of each where a line may end within the tile.
func (m *maker) deliver(out []*kir.Value, xs [][]*kir.Value, guarded func(j *kir.Value, x func(i int) *kir.Value)) {
	for i, t := range m.Out {
		if i == len(m.buffers) || m.buffers[i].bytes < m.spread(m.Form.Tile(), t)*t.Bytes() { // no room in what the elements came through
			b := m.buffer(i+len(m.In), t) // of a name of its own
			if i == len(m.buffers) {
				m.buffers = append(m.buffers, b)
			} else {
				m.buffers[i] = b
			}
		}
	}
	m.Barrier() // all have read what they need of the buffers
	for i, t := range m.Out {
		w := m.width(t)
		for k := 0; k < m.Form.Each; k += w {
			var group []*kir.Value
			for _, x := range xs[k : k+w] {
				group = append(group, x[i])
			}
			m.stores(kir.Shared, m.slot(i, k, t), group)
		}
	}
	m.Barrier()
	m.ifWhole(func() {
		for i, t := range m.Out {
			for k := range m.Form.Each / m.width(t) {
				m.stores(kir.Global, m.beside(out[i], k, t), m.loads(kir.Shared, t, m.striped(i, k, t)))
			}
		}
	}, func() {
		for k := range m.Form.Each {
			guarded(m.stripe(k), func(i int) *kir.Value { return m.Load(kir.Shared, m.Out[i], m.stripedOne(i, k, m.Out[i])) })
		}
	})
}
