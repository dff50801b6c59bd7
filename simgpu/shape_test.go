package simgpu

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomAccess returns addresses of some lanes, of so many bytes each and aligned to them: in steps, in two rows, anywhere.
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

// What is recorded of accesses, with shapes, steps or lists, is what the lanes touched, for all of them and for some.
func TestRecordedAddresses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w := warpTrace{shapes: newShapes(3)}
	var all [][]uint64
	for range 2000 {
		m, addrs := randomAccess(r, 4)
		w.steps = append(w.steps, traceStep{access: int32(len(w.access)), lanes: m})
		w.add(r.IntN(3), m, addrs, nil)
		all = append(all, addrs)
	}
	kinds := map[bool]int{}
	for i := range w.steps {
		st := &w.steps[i]
		kinds[w.access[i].shape >= 0]++
		if got := w.addresses(st, 0, st.lanes, nil); !slices.Equal(got, all[i]) {
			t.Fatalf("access %d: %x, not %x", i, got, all[i])
		}
		some := st.lanes & Mask(r.Uint64())
		var want []uint64
		for j, rest := 0, st.lanes; rest != 0; j, rest = j+1, rest&(rest-1) {
			if some&rest&-rest != 0 {
				want = append(want, all[i][j])
			}
		}
		if got := w.addresses(st, 0, some, []uint64{}); !slices.Equal(got, want) {
			t.Fatalf("access %d, some lanes: %x, not %x", i, got, want)
		}
	}
	if kinds[true] == 0 || kinds[false] == 0 || len(w.shapes.all) != 3*maxShapes {
		t.Errorf("%d accesses with shapes, %d without, %d shapes", kinds[true], kinds[false], len(w.shapes.all))
	}
}

// What a machine remembers of a shape is what the rules say of the access itself.
func TestShapesAreKnownOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for rule := range numCoalescing {
		for _, bytes := range []int{1, 2, 4, 8, 16, 32} {
			p, _ := PresetByName("v100")
			p.Coalescing = rule
			w := warpTrace{shapes: newShapes(1)}
			for i := range 400 {
				m, addrs := randomAccess(r, bytes)
				if i >= 100 { // the same at another place
					old := r.IntN(100)
					m, addrs = w.steps[old].lanes, slices.Clone(w.addresses(&w.steps[old], 0, w.steps[old].lanes, nil))
					by := uint64(r.IntN(1<<10) * bytes)
					for k := range addrs {
						addrs[k] += by
					}
				}
				w.steps = append(w.steps, traceStep{access: int32(len(w.access)), lanes: m})
				w.add(0, m, addrs, nil)
			}
			s := &sm{m: &machine{preset: &p, known: make([]known, len(w.shapes.all))}}
			rw := &replayWarp{trace: &w}
			in := &instr{kind: kindLoad, bytes: uint8(bytes)}
			for i := range w.steps {
				rw.together = int32(i)
				st := &strand{warp: rw, lanes: w.steps[i].lanes}
				a := access(slices.Clone(w.addresses(&w.steps[i], 0, st.lanes, nil)))
				want := rule.transactions(a, st.lanes, bytes, true, nil)
				if got, sectors := s.transactionsOf(st, in); !slices.Equal(got, want) || sectors != sectorsOf(want) {
					t.Fatalf("%v, %d bytes: %x moves %v, not %v", rule, bytes, a, got, want)
				}
				wp, wc := a.bankPasses(st.lanes, bytes, p.SharedBanks)
				if gp, gc := s.bankPasses(st, in); gp != wp || gc != wc {
					t.Fatalf("%d bytes: %x takes %d passes, %d conflicts, not %d, %d", bytes, a, gp, gc, wp, wc)
				}
			}
		}
	}
}
