package tier

import (
	"reflect"
	"sync"
	"unsafe"
)

// exitReturn is what run returns when the outermost function has returned.
const exitReturn = -1

// machine is what one entry into the tier runs on: the registers of all functions that are active, one after the other.
type machine struct {
	stop  *bool
	codes []*code

	n      []uint64
	p      []unsafe.Pointer
	nb, pb int // where the registers of the running function begin
	calls  []record
	depth  int

	mem []uint64 // variables of functions
	top int

	eng    Engine
	host   Frame   // the engine's frame of the outermost function
	root   *code   // that function, when host is made only when it is wanted
	frames []Frame // of the calls after it, as far as they were wanted
	live   int     // how many of them are those of calls that have not ended
}

// record is a call that has not ended: who called, and where it goes on.
type record struct{ code, next uint32 }

const (
	firstWords    = 256
	firstPointers = 64
	firstCalls    = 32
	memWords      = 1 << 14
	// keptWords is the largest machine that is kept for the next entry.
	keptWords = 1 << 14
	// maxDepth is how many calls may be active: those of a recursion that ends.
	maxDepth = 2_000_000
	maxBytes = 512 << 20
)

var machines = sync.Pool{New: func() any {
	return &machine{n: make([]uint64, firstWords), p: make([]unsafe.Pointer, firstPointers), calls: make([]record, firstCalls)}
}}

// release gives the machine back, without what would keep memory alive.
func (m *machine) release() {
	if len(m.n) > keptWords || len(m.p) > keptWords {
		return
	}
	clear(m.p)
	clear(m.frames)
	m.host, m.root, m.eng, m.codes, m.stop = nil, nil, nil, nil, nil
	m.depth, m.nb, m.pb, m.top, m.live = 0, 0, 0, 0, 0
	machines.Put(m)
}

// Run executes the unit in the engine's frame fr, which stands at its beginning, and leaves it where the engine goes
// on.
//
//go:nocheckptr
func (u *Unit) Run(fr Frame) {
	c := u.c
	m := machines.Get().(*machine)
	m.eng, m.stop, m.host, m.codes = c.prog.eng, c.prog.stop, fr, *c.prog.codes.Load()
	if int(c.nneed) > len(m.n) || int(c.pneed) > len(m.p) {
		m.room(int(c.nneed), int(c.pneed))
	}
	r, p := m.windows()
	regs := m.eng.Registers(fr)
	for i := range c.inputs {
		c.inputs[i].unbox(regs[c.inputs[i].reg], r, p)
	}
	if c.phis != nil {
		phis := c.phis[m.eng.Pred(fr)]
		for i := range phis {
			phis[i].unbox(regs[phis[i].reg], r, p)
		}
	}
	way := m.run(c)
	r, p = m.windows()
	if m.live > 0 {
		m.eng.Unlink(fr)
	}
	if way == exitReturn {
		for i := range c.results {
			regs[c.results[i].reg] = c.results[i].box(r, p)
		}
		m.eng.Return(fr)
	} else {
		m.leave(&c.exits[way], fr)
	}
	m.release()
}

// windows returns the registers of the running function.
//
//go:nocheckptr
func (m *machine) windows() (*words, *pointers) {
	return (*words)(unsafe.Pointer(&m.n[m.nb])), (*pointers)(unsafe.Pointer(&m.p[m.pb]))
}

// leave puts what the engine needs into its frame, and lets it go on where the exit leads.
func (m *machine) leave(x *exit, fr Frame) {
	r, p := m.windows()
	regs := m.eng.Registers(fr)
	for i := range x.live {
		regs[x.live[i].reg] = x.live[i].box(r, p)
	}
	m.eng.SetPred(fr, x.from)
	m.eng.Jump(fr, x.to)
}

// resume has the engine finish the running function, which another one of the tier has called.
func (m *machine) resume(c *code, in *instr) {
	fr := m.frame(c, nil)
	m.leave(&c.exits[in.imm], fr)
	m.eng.Resume(fr)
	if c.msize > 0 {
		m.top -= int(c.msize)
	}
	r, p := m.windows()
	regs := m.eng.Registers(fr)
	results := c.results
	if c.failed {
		results = resultSlots(c.fn, m.eng)
	}
	for i := range results {
		results[i].unbox(regs[results[i].reg], r, p)
	}
}

// room makes the windows larger.
func (m *machine) room(n, p int) {
	if n > len(m.n) {
		old := m.n
		m.n = make([]uint64, max(n, 2*len(old)))
		copy(m.n, old)
	}
	if p > len(m.p) {
		old := m.p
		m.p = make([]unsafe.Pointer, max(p, 2*len(old)))
		copy(m.p, old)
	}
}

// grow makes room for a call of to.
func (m *machine) grow(c *code, in *instr, to *code) {
	if m.depth >= maxDepth || 8*(len(m.n)+len(m.p)+len(m.calls)) > maxBytes {
		bytes := int64(8 * (len(m.n) + len(m.p) + len(m.calls)))
		// The frame is that of the function which is not called any more, at its poll.
		m.calls = append(m.calls[:m.depth:m.depth], record{c.id, uint32(uintptr(c.pc(in)+1) * instrSize)})
		m.depth++
		pc := 0
		for pc < len(to.from)-1 && to.from[pc] == nil {
			pc++
		}
		m.eng.Overflow(bytes, m.frame(to, &to.ins[pc]))
	}
	if m.depth == len(m.calls) {
		m.calls = append(m.calls, make([]record, len(m.calls))...)
	}
	m.room(m.nb+int(c.nsize)+int(to.nneed), m.pb+int(c.psize)+int(to.pneed))
}

// enter takes memory for the variables of c.
func (m *machine) enter(c *code) {
	if m.mem == nil {
		m.mem = make([]uint64, memWords)
	}
	m.top += int(c.msize)
}

// local returns a variable's memory, empty. What the machine has no room for is the collector's.
func (m *machine) local(c *code, at int, bytes int64) unsafe.Pointer {
	n := int(bytes+7) / 8
	if m.top > len(m.mem) {
		return unsafe.Pointer(unsafe.SliceData(make([]uint64, n+1)))
	}
	from := m.top - int(c.msize) + at
	w := m.mem[from : from+n : from+n]
	clear(w)
	return unsafe.Pointer(unsafe.SliceData(w))
}

func (m *machine) allocate(c *code, in *instr) unsafe.Pointer {
	return reflect.New(c.allocs[in.imm]).UnsafePointer()
}

// pc is the number of an operation.
func (c *code) pc(in *instr) int {
	return int((uintptr(unsafe.Pointer(in)) - uintptr(unsafe.Pointer(unsafe.SliceData(c.ins)))) / instrSize)
}

// frame returns the engine's frame of the running function, which stands at in, below frames of all that called it.
func (m *machine) frame(c *code, in *instr) Frame {
	at := func(depth int) (*code, int) { // what runs at that depth, and the operation
		if depth == m.depth {
			if in == nil {
				return c, -1
			}
			return c, c.pc(in)
		}
		rec := m.calls[depth]
		caller := m.codes[rec.code]
		return caller, int(rec.next)/int(instrSize) - 1
	}
	fr := m.outermost()
	if m.live > 0 {
		fr = m.frames[m.live-1]
	}
	set := func(fr Frame, depth int) {
		code, pc := at(depth)
		if pc < 0 || code.from == nil || code.from[pc] == nil {
			return
		}
		if _, next := m.eng.Instruction(code.fn, code.from[pc]); next > 0 {
			m.eng.SetNext(fr, next)
		}
	}
	set(fr, m.live)
	from := m.live + 1
	for len(m.frames) < m.depth {
		m.frames = append(m.frames, make([]Frame, m.depth-len(m.frames))...)
	}
	if m.depth-from > maxFrames { // nobody reads so long a trace
		for d := from; d < m.depth-maxFrames; d++ {
			m.frames[d-1] = fr
		}
		from = m.depth - maxFrames
	}
	for d := from; d <= m.depth; d++ {
		code, _ := at(d)
		fr = m.eng.NewFrame(code.fn, fr)
		set(fr, d)
		m.frames[d-1] = fr
	}
	m.live = m.depth
	return fr
}

// maxFrames bounds the frames that are made at once.
const maxFrames = 1000

// drop forgets frames of calls that have ended.
func (m *machine) drop() {
	m.live = m.depth
	fr := m.host
	if m.live > 0 {
		fr = m.frames[m.live-1]
	}
	m.eng.Unlink(fr)
}

// escape has the engine execute an instruction of the running function.
func (m *machine) escape(c *code, in *instr) {
	e := &c.escapes[in.imm]
	v := m.execute(c, in, e)
	r, p := m.windows()
	e.take(v, r, p)
}

// execute has the engine do it, and returns what it has computed.
//
//go:nocheckptr
func (m *machine) execute(c *code, in *instr, e *escape) any {
	fr := m.frame(c, in)
	r, p := m.windows()
	regs := m.eng.Registers(fr)
	for i := range e.args {
		regs[e.args[i].reg] = e.args[i].box(r, p)
	}
	m.eng.SetNext(fr, e.next)
	e.run(fr)
	if !e.wanted {
		return nil
	}
	return regs[e.reg]
}
