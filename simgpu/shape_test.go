package simgpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// randomAccess returns addresses of some lanes, of so many bytes each and aligned to them: in steps, in two rows,
// anywhere.
func randomAccess(r *rand.Rand, bytes int) (m Mask, addrs []uint64) {
	m = Mask(r.Uint64()) & lanes(0, 32)
	if r.IntN(2) == 0 || m == 0 {
		m = lanes(0, 32)
	}
	base, kind := firstAddr+uint64(r.IntN(1<<12)*bytes), r.IntN(3)
	step := r.IntN(9) - 4
	for rest := m; rest != 0; rest &= rest - 1 {
		lane := rest.first()
		n := lane * step
		switch kind {
		case 1:
			n = lane%16 + lane/16*100
		case 2:
			n = r.IntN(300)
		}
		addrs = append(addrs, base+uint64(n*bytes))
	}
	return m, addrs
}

// accessTrace records accesses of one warp as a block's steps, of one operation each, and unpacks them again.
type accessTrace struct {
	t     testing.TB
	r     *recorder
	masks []Mask
	addrs [][]uint64
}

func newAccessTrace(t testing.TB, ops int) *accessTrace {
	p, err := PresetByName("v100")
	require.NoError(t, err)
	c := &code{accesses: ops, values: ops}
	for op := range ops {
		c.blocks = append(c.blocks, codeBlock{memory: []memoryOp{{op, kir.Shared, 0}}, firstAccess: op})
	}
	l := &timing{preset: &p, code: c, policies: policies{divergence: PDOM{}, issue: LRR{}, order: InOrder{}}, resident: 1, shapes: newShapes(ops)}
	return &accessTrace{t: t, r: l.newCollector(1, 32, nil).recorder(0).(*recorder)}
}

func (a *accessTrace) add(op int, m Mask, addrs []uint64) {
	var threads []int32
	for rest := m; rest != 0; rest &= rest - 1 {
		threads = append(threads, int32(rest.first()))
	}
	a.r.Step(&kir.Block{ID: op}, threads)
	a.r.put(accessWarps)
	a.r.warp(op, m, addrs, &a.r.last[op])
	a.masks, a.addrs = append(a.masks, m), append(a.addrs, addrs)
}

// unpacked returns the warp with all of its steps.
func (a *accessTrace) unpacked() *replayWarp {
	c := a.r.c
	w := &replayWarp{trace: new(warpTrace), live: lanes(0, 32)}
	w.ways = &blockWarps{reader: newTraceReader(&a.r.trace, c.code, c.shapes, nil, 32), warps: []*warpTrace{w.trace}}
	for w.ways.more(0, 0) {
	}
	require.Len(a.t, w.trace.steps, len(a.masks))
	return w
}

// What is recorded of accesses, with shapes, steps or lists, is what the lanes touched, for all of them and for some.
func TestRecordedAddresses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	trace := newAccessTrace(t, 3)
	for range 2000 {
		m, addrs := randomAccess(r, 4)
		trace.add(r.IntN(3), m, addrs)
	}
	w := trace.unpacked()
	shaped, listed, stepped := 0, 0, 0
	for i := range w.trace.steps {
		st, a := &w.trace.steps[i], &w.trace.access[i]
		switch {
		case a.shape != nil:
			shaped++
		case a.listed:
			listed++
		default:
			stepped++
		}
		require.Equal(t, trace.masks[i], st.lanes)
		require.Equal(t, trace.addrs[i], a.addresses(st.lanes, st.lanes, w.trace.addrs, nil), "access %d", i)
		some := st.lanes & Mask(r.Uint64())
		want := []uint64{}
		for j, rest := 0, st.lanes; rest != 0; j, rest = j+1, rest&(rest-1) {
			if some&rest&-rest != 0 {
				want = append(want, trace.addrs[i][j])
			}
		}
		require.Equal(t, want, a.addresses(some, st.lanes, w.trace.addrs, []uint64{}), "access %d, some lanes", i)
	}
	assert.True(t, shaped > 0 && listed > 0 && stepped > 0, "%d shapes, %d lists, %d steps", shaped, listed, stepped)
	assert.Equal(t, 3*maxShapes, trace.r.c.shapes.count)
}

// A warp holds no more of its trace than its slowest lane needs, and what it holds is right.
func TestATraceIsUnpackedALittleAtATime(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	trace := newAccessTrace(t, 3)
	for range 20_000 {
		m, addrs := randomAccess(r, 4)
		trace.add(r.IntN(3), m, addrs)
	}
	w := trace.unpacked()
	*w.trace = warpTrace{}
	w.ways.reader.begin(&trace.r.trace, 32)
	for i := range trace.masks {
		w.together = int32(i)
		st := w.step(int32(i))
		require.Equal(t, trace.addrs[i], slices.Clone(w.trace.access[st.access].addresses(st.lanes, st.lanes, w.trace.addrs, nil)), "step %d", i)
		require.LessOrEqual(t, len(w.trace.steps), 4*unpackAhead)
		require.LessOrEqual(t, len(w.trace.addrs), 4*unpackAhead*32)
	}
}

// What a machine remembers of a shape is what the rules say of the access itself.
func TestShapesAreKnownOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for rule := range numCoalescing {
		for _, bytes := range []int{1, 2, 4, 8, 16, 32} {
			p, _ := PresetByName("v100")
			p.Coalescing = rule
			trace := newAccessTrace(t, 1)
			for i := range 400 {
				m, addrs := randomAccess(r, bytes)
				if i >= 100 { // the same at another place
					old := r.IntN(100)
					m, addrs = trace.masks[old], slices.Clone(trace.addrs[old])
					by := uint64(r.IntN(1<<10) * bytes)
					for k := range addrs {
						addrs[k] += by
					}
				}
				trace.add(0, m, addrs)
			}
			rw := trace.unpacked()
			c := &accesses{preset: &p}
			in := &instr{kind: kindLoad, bytes: uint8(bytes)}
			shaped := 0
			for i, m := range trace.masks {
				rw.together = int32(i)
				st := &warpSplit{warp: rw, lanes: m}
				shape := st.shaped(0)
				if shape == nil {
					continue
				}
				shaped++
				a := access(trace.addrs[i])
				want := rule.transactions(a, m, bytes, true, nil)
				if got, sectors := c.transactionsAt(in, shape, nil); !slices.Equal(got, want) || sectors != sectorsOf(want) {
					t.Fatalf("%v, %d bytes: %x moves %v, not %v", rule, bytes, a, got, want)
				}
				wp, wc := p.bankPasses(a, m, bytes)
				if gp, gc := c.passesAt(in, shape, nil); gp != wp || gc != wc {
					t.Fatalf("%d bytes: %x takes %d passes, %d conflicts, not %d, %d", bytes, a, gp, gc, wp, wc)
				}
			}
			assert.Greater(t, shaped, 50)
		}
	}
}
