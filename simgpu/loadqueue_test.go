package simgpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// What the queue keeps of its loads, of L1 and of misses in flight, after random steps, is what looking at all of them
// says.
func TestQueueOfLoadsIsKept(t *testing.T) {
	for seed := range testsize.Seeds("simgpu.TestQueueOfLoadsIsKept") {
		r := rand.New(rand.NewPCG(seed, 34))
		s := &sm{m: &machine{}, l1: newCache(8*lineBytes, 2)}
		q := &loadQueue{s: s, room: LoadQueue{MSHRs: 1 + r.IntN(6), Active: 8, Inactive: 8}, wake: never}
		var table []mshr // of all misses that began
		now := int64(0)
		for range 200 {
			switch line := uint64(r.IntN(40)); r.IntN(7) {
			case 0: // a load waits
				w := &waitingLoad{warp: &replayWarp{block: &residentBlock{cta: len(q.waiting)}}, in: &instr{bypass: r.IntN(8) == 0}}
				for range 1 + r.IntN(3) {
					w.list = append(w.list, transaction{line: uint64(r.IntN(40)), sectors: uint8(1 + r.IntN(15))})
				}
				q.add(w)
			case 1: // one is served, in part or whole
				if len(q.waiting) > 0 {
					i := r.IntN(len(q.waiting))
					w, n := q.waiting[i], 1
					for n < len(w.list) && q.there(w, w.list[n]) {
						n++
					}
					q.advance(i, n)
				}
			case 2: // a block loses its slots
				if len(q.waiting) > 0 {
					q.demote(q.waiting[r.IntN(len(q.waiting))].warp.block)
				}
			case 3: // a load looks a line up
				clock := s.l1.clock
				s.l1.find(line).valid |= uint8(r.IntN(16))
				q.looks(line, clock)
			case 4: // an atomic does
				s.l1.find(line).valid &^= uint8(r.IntN(16))
			case 5: // a miss begins
				m := mshr{line, now + int64(r.IntN(30))}
				q.table.enter(m.line, m.ready)
				if i := slices.IndexFunc(table, func(o mshr) bool { return o.line == line && o.ready > now }); i >= 0 {
					table[i].ready = max(table[i].ready, m.ready)
				} else {
					table = append(table, m)
				}
			case 6:
				now += int64(r.IntN(8))
				q.table.arrived(now)
			}
			at := now + int64(r.IntN(10))
			room := q.room.MSHRs
			for _, m := range table {
				if m.ready > at {
					room--
				}
			}
			require.Equal(t, room, q.free(at), "seed %d", seed)
			some, away := room > 0 && len(q.waiting) > 0, 0
			var fits []bool
			for i, w := range q.waiting {
				fit := room > 0 || q.there(w, w.list[0])
				some = some || fit
				fits = append(fits, fit)
				if !q.given[i].Active {
					away++
				}
				require.Equal(t, [2]int{len(w.list), w.warp.block.cta}, [2]int{q.given[i].Lines, q.given[i].Block}, "seed %d", seed)
			}
			require.Equal(t, some, q.any(room), "seed %d", seed)
			q.show(room)
			for i := range fits {
				require.Equal(t, fits[i], q.given[i].Fits, "seed %d, load %d of %d", seed, i, len(fits))
			}
			require.Equal(t, len(q.waiting)-away, q.active(), "seed %d", seed)
			if some {
				require.Equal(t, Mascar{}.Next(at, q.given), q.first(false), "seed %d, Mascar", seed)
				require.Equal(t, ActiveFirst{}.Next(at, q.given), q.first(true), "seed %d, active loads first", seed)
			}
		}
	}
}
