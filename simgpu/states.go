package simgpu

import (
	"fmt"
	"reflect"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Bounds of what is kept of the states of policies in a window.
const (
	mostPolicyStates = 512
	mostStateRows    = 24 // of a table
)

// inspect keeps the state of the policy of st, whose lanes have gone on: of the first warp whose lanes part, and of
// no other.
func (w *window) inspect(st *warpSplit, now int64) {
	if w.inspected != nil && w.inspected != st.warp || !w.keeps(st.sched, now) {
		return
	}
	i, ok := st.split.(Inspector)
	if !ok {
		return
	}
	w.state(st.warp, st.sched, now, i.Inspect())
}

// keeps reports whether something of a scheduler in cycle now is in the window.
func (w *window) keeps(c *scheduler, now int64) bool {
	return now >= w.From && now < w.To && c.sm == w.s
}

// state keeps the tables of a warp, where they are not what they were.
func (w *window) state(of *replayWarp, c *scheduler, now int64, tables []trace.Table) {
	if w.inspected == nil {
		if rowsOf(tables) < 2 {
			return
		}
		w.inspected = of
	}
	w.addState(trace.State{Cycle: now, Scheduler: int32(c.number), Block: int32(of.block.cta), Warp: int32(of.number), Tables: tables})
}

func rowsOf(tables []trace.Table) (n int) {
	for _, t := range tables {
		n += len(t.Rows)
	}
	return n
}

func (w *window) addState(x trace.State) {
	for i := range x.Tables {
		t := &x.Tables[i]
		if n := len(t.Rows); n > mostStateRows {
			t.Rows, t.More = t.Rows[:mostStateRows:mostStateRows], n-mostStateRows
		}
		for k := range t.Rows {
			w.locate(&t.Rows[k])
		}
	}
	if n := len(w.States); n > 0 {
		last := &w.States[n-1]
		if reflect.DeepEqual(last.Tables, x.Tables) {
			return
		}
		if last.Cycle == x.Cycle && last.Scheduler == x.Scheduler { // it is what the cycle ends with that counts
			*last = x
			return
		}
	}
	if len(w.States) == mostPolicyStates {
		w.Cut = true
		return
	}
	w.States = append(w.States, x)
}

// locate gives a row the line that its block begins with.
func (w *window) locate(r *trace.Row) {
	blocks := w.s.m.code.blocks
	if r.Line < 0 && r.Block >= 0 && int(r.Block) < len(blocks) && len(blocks[r.Block].instrs) > 0 {
		r.Line = blocks[r.Block].instrs[0].line
	}
}

// inspectContexts keeps the hot and cold contexts of a warp under SBI.
func (w *window) inspectContexts(h *contexts, now int64) {
	if w.inspected != nil && w.inspected != h.warp || !w.keeps(h.sched, now) {
		return
	}
	hot, cold, waits := trace.Table{Name: "HCT"}, trace.Table{Name: "CCT"}, trace.Table{Name: "waiting"}
	row := func(t *trace.Table, place string, st *warpSplit, note string) {
		r := rowOf(place, st.block, w.s.physical(st))
		if instrs := w.s.m.code.blocks[st.block].instrs; st.pc < len(instrs) {
			r.Line = instrs[st.pc].line
		}
		r.Note = note
		t.Rows = append(t.Rows, r)
	}
	for i, st := range h.hot {
		if st == nil {
			continue
		}
		note := ""
		if i == 1 && h.held {
			note = "suspended"
		}
		row(&hot, fmt.Sprint("CPC", i+1), st, note)
	}
	for i, st := range h.cold {
		row(&cold, fmt.Sprint(i), st, "")
	}
	for i, st := range h.waits {
		row(&waits, fmt.Sprint(i), st, "at a barrier")
	}
	tables := []trace.Table{hot, cold}
	if len(waits.Rows) > 0 {
		tables = append(tables, waits)
	}
	w.state(h.warp, h.sched, now, tables)
}

// inspectPool keeps what a scheduler that forms warps anew has before it issues in cycle now: of the SM's first.
func (w *window) inspectPool(f *forming, now int64) {
	if !w.keeps(f.c, now) || f.c.number > 0 || len(w.States) == mostPolicyStates && w.Cut {
		return
	}
	p := f.pool
	at := func(place string, pc int) trace.Row {
		block, i, _ := f.pcs.place(pc)
		return trace.Row{Place: place, Block: int32(block), Line: w.s.m.code.blocks[block].instrs[i].line}
	}
	pool := trace.Table{Name: "pool"}
	for i := range p.cands {
		if i >= mostStateRows {
			pool.Rows = append(pool.Rows, trace.Row{})
			continue
		}
		k := &p.cands[i]
		r := at(fmt.Sprint("warp ", k.Age), k.PC)
		r.Lanes, r.Count, r.Threads = uint64(k.Lanes), k.Width, make([]int32, p.width)
		for l := range r.Threads {
			if r.Threads[l] = -1; k.Lanes>>uint(l)&1 == 1 {
				r.Threads[l] = int32(k.Threads[l])
			}
		}
		pool.Rows = append(pool.Rows, r)
	}
	lut := trace.Table{Name: "PC-warp LUT"}
	for set := range p.lut {
		for way := range p.lut[set] {
			if e := &p.lut[set][way]; e.used > 0 {
				r := at(fmt.Sprintf("set %d, way %d", set, way), int(e.pc))
				r.Note = fmt.Sprint("fills warp ", e.age)
				if c := p.aged(e.age); c != nil {
					r.Lanes, r.Count = uint64(c.Lanes), c.Width
				}
				lut.Rows = append(lut.Rows, r)
			}
		}
	}
	tables := []trace.Table{pool, lut}
	if h := p.heap; h != nil {
		heap := trace.Table{Name: "heap"}
		if h.pc != noMajority {
			r := at("majority", h.pc)
			r.Count = int(p.threads[h.pc])
			heap.Rows = append(heap.Rows, r)
		}
		for i, e := range h.entries {
			r := at(fmt.Sprint(i), e.pc)
			if r.Count = e.threads; i == h.sinking {
				r.Note = "goes down"
			}
			for _, pc := range h.moving {
				if pc == e.pc {
					r.Note = "goes up"
				}
			}
			heap.Rows = append(heap.Rows, r)
		}
		queue := trace.Table{Name: "update queue"}
		for i, a := range h.queue {
			r := at(fmt.Sprint(i), a.pc)
			r.Count, r.Note = a.threads, fmt.Sprint("warp ", a.age)
			queue.Rows = append(queue.Rows, r)
		}
		tables = append(tables, heap, queue)
	}
	w.addState(trace.State{Cycle: now, Scheduler: int32(f.c.number), Block: -1, Warp: -1, Tables: tables})
}
