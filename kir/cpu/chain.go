package cpu

import (
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// chain is a row of instructions of a basic block, each of which computes a value of its operands alone, that a tape
// does for some lanes after the others: what only they use never leaves the processor's first cache.
type chain struct {
	number  int // among those of the program
	instrs  []instr
	sources []int // registers of what comes from before it
	codes   []uintptr
	wanted  []bool // by instruction: others use its result, too
	once    []bool // by instruction: its result has one use
	bytes   int    // of a place of vector.TapeLanes elements
}

const (
	leastChain  = 3   // instructions that pay for a tape
	mostChained = 512 // in one chain: places have numbers of 13 bits
	mostSources = 64  // of a chain, as chainForm holds
	mostTapes   = 16  // of a chain that a worker keeps, by the forms of its sources
	mostMade    = 64  // of a chain by a worker: where forms change all the time, loops are faster than making tapes
)

// tapeCode returns the code of a tape that computes v, 0 where there is none.
func tapeCode(v *kir.Value) uintptr {
	if len(v.Args) == 0 || v.Op.IsMemory() || v.Op.IsWarp() {
		return 0
	}
	name := v.Op.String() + " "
	switch v.Op {
	case kir.OpSelect:
		name += v.Type.String()
	case kir.OpConvert:
		name += v.Args[0].Type.String() + " " + v.Type.String()
	default:
		name += v.Args[0].Type.String()
	}
	return vector.TapeCode(name)
}

// chained returns, for each value of blk, the position of the last value of the chain that it is in, or -1.
func (a Arithmetic) chained(blk *kir.Block) []int {
	last := make([]int, len(blk.Values))
	for i := range last {
		last[i] = -1
	}
	if a != IEEE {
		return last
	}
	for i := 0; i < len(blk.Values); {
		end, n := -1, 0
		sources, made := make(map[*kir.Value]bool), make(map[*kir.Value]bool)
		k := i
		for ; k < len(blk.Values); k++ {
			v := blk.Values[k]
			if fixed(v) {
				continue
			}
			if n == mostChained || len(sources)+len(v.Args) > mostSources || tapeCode(v) == 0 {
				break
			}
			for _, x := range v.Args {
				if !made[x] {
					sources[x] = true
				}
			}
			made[v] = true
			end = k
			n++
		}
		if n >= leastChain {
			for j := i; j <= end; j++ {
				last[j] = end
			}
		}
		i = max(k, i+1)
	}
	return last
}

// joinChains finds the chains of c, the instructions of which are made of the values of its block.
func (p *Program) joinChains(c *code, local []bool, uses []int) {
	at := make(map[*kir.Value]int)
	for i, v := range c.blk.Values {
		at[v] = i
	}
	lastUse := make(map[int]int)
	for i, v := range c.blk.Values {
		for _, x := range v.Args {
			lastUse[x.ID] = i
		}
	}
	last := p.arithmetic.chained(c.blk)
	for i := 0; i < len(c.instrs); {
		end := last[at[c.instrs[i].v]]
		if end < 0 {
			i++
			continue
		}
		n := 0
		for i+n < len(c.instrs) && at[c.instrs[i+n].v] <= end {
			n++
		}
		ch := &chain{number: p.chains, instrs: c.instrs[i : i+n]}
		p.chains++
		made := make(map[int]bool)
		size := 4
		for k := range ch.instrs {
			in := &ch.instrs[k]
			ch.codes = append(ch.codes, tapeCode(in.v))
			ch.wanted = append(ch.wanted, !local[in.dst] || usedAtEnd(c.blk, in.v) || lastUse[in.dst] > end)
			ch.once = append(ch.once, uses[in.dst] == 1)
			for _, x := range in.args[:in.nargs] {
				size = max(size, p.regs[x].typ.Bytes())
				if !made[x] && !slices.Contains(ch.sources, x) {
					ch.sources = append(ch.sources, x)
				}
			}
			size = max(size, in.v.Type.Bytes())
			made[in.dst] = true
		}
		ch.bytes = size * vector.TapeLanes
		c.instrs[i].chain = ch
		i += n
	}
}

// chainTape is a chain as a tape for sources of some forms.
type chainTape struct {
	key     [2]uint64
	scalars []scalar // what is computed before the tape, for all lanes as for one
	tape    vector.Tape
	uniform []placed // what is the same for all lanes
	lanes   []placed // what is not, and comes from before
	results []placed
	scratch []placed // places in the scratch memory, by their offsets there
}

// chainTapes are those of a chain that a worker has made, and how many in all.
type chainTapes struct {
	list []*chainTape
	made int
}

type scalar struct {
	instr   int
	uniform bool
}

// placed says which place of a tape a register has.
type placed struct{ place, reg int }

// form returns what the tapes of ch depend on.
func (w *worker) chainForm(ch *chain) (key [2]uint64) {
	for i, x := range ch.sources {
		r := &w.regs[x]
		bits := uint64(0)
		if r.affine {
			bits = 1
			if r.uniform() {
				bits = 3
			}
		}
		key[i/32] |= bits << (2 * (i % 32))
	}
	return key
}

// runChain executes a chain for all threads at once, and reports whether it did.
func (w *worker) runChain(ch *chain) bool {
	if w.partial || w.n < vector.TapeLanes {
		return false
	}
	if w.tapes == nil {
		w.tapes = make([]chainTapes, w.p.chains)
	}
	all := &w.tapes[ch.number]
	key := w.chainForm(ch)
	at := slices.IndexFunc(all.list, func(t *chainTape) bool { return t.key == key })
	if at >= 0 && !w.scalars(ch, all.list[at]) {
		all.list = slices.Delete(all.list, at, at+1)
		at = -1
	}
	if at < 0 {
		if all.made == mostMade {
			return false
		}
		if len(all.list) == mostTapes {
			all.list = all.list[:0]
		}
		at = len(all.list)
		all.list = append(all.list, w.buildTape(ch, key))
		all.made++
	}
	t := all.list[at]
	if len(t.tape.Ops) == 0 {
		return true
	}
	whole := w.n%vector.TapeLanes == 0
	places := t.tape.Places
	for _, x := range t.lanes {
		r := &w.regs[x.reg]
		p := r.lanes(&w.extent)
		if !whole && p != r.home { // there may be nothing behind the last thread's
			return false
		}
		places[x.place] = uintptr(p)
	}
	for _, x := range t.uniform {
		places[x.place] = uintptr(unsafe.Pointer(&w.regs[x.reg].base))
	}
	for _, x := range t.results {
		r := &w.regs[x.reg]
		r.p = r.home
		r.setLanes()
		places[x.place] = uintptr(r.p)
	}
	base := uintptr(unsafe.Pointer(unsafe.SliceData(w.scratch)))
	base += -base & 63
	for _, x := range t.scratch {
		places[x.place] = base + uintptr(x.reg)
	}
	t.tape.Run((w.n + vector.TapeLanes - 1) / vector.TapeLanes)
	return true
}

// scalars computes what a tape leaves out, and reports whether all of it has the form that it had.
func (w *worker) scalars(ch *chain, t *chainTape) bool {
	for _, s := range t.scalars {
		in := &ch.instrs[s.instr]
		w.compute(in)
		if r := &w.regs[in.dst]; !r.affine || r.uniform() != s.uniform {
			return false
		}
	}
	return true
}
