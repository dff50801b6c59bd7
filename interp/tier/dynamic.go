package tier

import (
	"math"
	"reflect"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// A call of a function value stays in the loop when the value is a function or closure of this program that qualifies.
// One of another program, which an earlier cell has made, runs on a machine of its own, and those of package math are
// called as they are. All others are the engine's.

// dynamic is such a call.
type dynamic struct {
	fn          uint16 // the register of the function
	esc         escape // the engine's way; its results go where the called function would leave them
	args, gives place  // how many registers the arguments take, and the results
}

// target is what a function value calls.
type target struct {
	key    uintptr
	hold   any // what has the address key
	code   *code
	env    []slot // of what it has captured, behind the arguments
	native func(x, y float64) float64
}

// natives are functions of package math by the addresses of their code.
var natives = sync.OnceValue(func() map[uintptr]func(x, y float64) float64 {
	m := map[uintptr]func(x, y float64) float64{}
	entry := func(f any) uintptr { return *(*uintptr)(dataOf(&f)) }
	for _, f := range append([]func(float64) float64{math.Sqrt, math.Abs, math.Floor}, math1...) {
		m[entry(f)] = func(x, _ float64) float64 { return f(x) }
	}
	for _, f := range math2 {
		m[entry(f)] = f
	}
	return m
})

// dynamic calls a function value.
func (u *unit) dynamic(in *ssa.Call) {
	d := &dynamic{fn: u.p(in.Call.Value)}
	d.esc = u.escaping(in, append([]ssa.Value{in.Call.Value}, in.Call.Args...))
	for i := range d.esc.result {
		s := &d.esc.result[i]
		s.place = d.gives
		d.gives.n += uint16(s.words)
		d.gives.p += uint16(s.pointers)
	}
	d.args = u.passing(in.Call.Args)
	u.c.dynamics = append(u.c.dynamics, d)
	u.result(in, opCallF, int64(len(u.c.dynamics)-1))
	u.nout, u.pout = max(u.nout, int(d.gives.n)), max(u.pout, int(d.gives.p))
}

// dynamic returns the code that a call of a function value goes on with, with the captured variables in its registers;
// nil when the call has been made, and its results are behind the registers of c.
//
//go:nocheckptr
func (m *machine) dynamic(c *code, in *instr) *code {
	d := c.dynamics[in.imm]
	_, p := m.windows()
	f := p[d.fn]
	if f == nil {
		m.engineCall(c, in, d) // which panics
		return nil
	}
	key, env := m.eng.Callee(f)
	t := c.prog.target(key, f)
	switch {
	case t.native != nil:
		r := (*words)(unsafe.Pointer(&m.n[m.nb+int(c.nsize)]))
		var y float64
		if d.args.n > 1 {
			y = math.Float64frombits(r[1])
		}
		r[0] = math.Float64bits(t.native(math.Float64frombits(r[0]), y))
		return nil
	case t.code == nil:
		m.engineCall(c, in, d)
		return nil
	case t.code.prog != c.prog:
		if m.host != nil && m.eng.Deferred(m.host) {
			m.engineCall(c, in, d)
			return nil
		}
		m.foreign(c, in, d, t, env)
		return nil
	}
	to := t.code
	// What has been compiled since this machine was entered is to, or what to calls: a machine may be entered in the
	// middle of to's compilation.
	if codes := *c.prog.codes.Load(); len(codes) != len(m.codes) {
		m.codes = codes
	}
	if m.depth == len(m.calls) || m.nb+int(c.nsize)+int(to.nneed) > len(m.n) || m.pb+int(c.psize)+int(to.pneed) > len(m.p) {
		m.grow(c, in, to)
	}
	if len(t.env) > 0 {
		r := (*words)(unsafe.Pointer(&m.n[m.nb+int(c.nsize)]))
		p := (*pointers)(unsafe.Pointer(&m.p[m.pb+int(c.psize)]))
		for i := range t.env {
			t.env[i].unbox(env[i], r, p)
		}
	}
	return to
}

// engineCall has the engine call a function value.
//
//go:nocheckptr
func (m *machine) engineCall(c *code, in *instr, d *dynamic) {
	v := m.execute(c, in, &d.esc)
	r := (*words)(unsafe.Pointer(&m.n[m.nb+int(c.nsize)]))
	p := (*pointers)(unsafe.Pointer(&m.p[m.pb+int(c.psize)]))
	d.esc.take(v, r, p)
}

// foreign calls a function of another program.
//
//go:nocheckptr
func (m *machine) foreign(c *code, in *instr, d *dynamic, t *target, env []any) {
	to := t.code
	o := machines.Get().(*machine)
	o.eng, o.stop, o.root, o.codes = to.prog.eng, to.prog.stop, to, *to.prog.codes.Load()
	if int(to.nneed) > len(o.n) || int(to.pneed) > len(o.p) {
		o.room(int(to.nneed), int(to.pneed))
	}
	n, p := m.nb+int(c.nsize), m.pb+int(c.psize)
	copy(o.n, m.n[n:n+int(d.args.n)])
	copy(o.p, m.p[p:p+int(d.args.p)])
	or, op := o.windows()
	for i := range t.env {
		t.env[i].unbox(env[i], or, op)
	}
	ended := false
	defer func() {
		if ended {
			return
		}
		if v := recover(); v != nil { // a runtime.Goexit is none
			m.frame(c, in)
			o.eng.Left(v, o.outermost())
			o.eng.Exited()
			panic(v)
		}
	}()
	if way := o.run(to); way != exitReturn {
		fr := o.outermost()
		o.leave(&to.exits[way], fr)
		o.eng.Resume(fr)
		or, op = o.windows()
		regs := o.eng.Registers(fr)
		for i := range to.results {
			to.results[i].unbox(regs[to.results[i].reg], or, op)
		}
	}
	ended = true
	if o.host != nil {
		o.eng.Exited()
	}
	copy(m.n[n:], o.n[:d.gives.n])
	copy(m.p[p:], o.p[:d.gives.p])
	o.release()
}

// outermost is the engine's frame of the function that was called first. Functions of other programs get theirs when it
// is wanted.
func (m *machine) outermost() Frame {
	if m.host == nil {
		m.host = m.eng.NewFrame(m.root.fn, nil)
		m.eng.Entered(m.host)
	}
	return m.host
}

// target returns what the function value f calls, by its key.
func (p *Program) target(key uintptr, f unsafe.Pointer) *target {
	if t := p.latest.Load(); t != nil && t.key == key {
		return t
	}
	t, ok := p.targets.Load(key)
	if !ok {
		t, _ = p.targets.LoadOrStore(key, p.newTarget(key, f))
	}
	p.latest.Store(t.(*target))
	return t.(*target)
}

func (p *Program) newTarget(key uintptr, f unsafe.Pointer) *target {
	t := &target{key: key, native: natives()[key]}
	if t.native != nil {
		return t
	}
	prog, fn, hold := p.eng.Target(f)
	t.hold = hold
	if prog == nil {
		return t
	}
	prog.mu.Lock()
	defer prog.mu.Unlock()
	to := prog.function(fn)
	prog.finish()
	if to == nil || to.failed {
		return t
	}
	var at place
	for i, v := range inputs(fn) {
		s := slot{place: at, shape: shapeOf(v.Type()), typ: prog.eng.Type(v.Type())}
		at.n += uint16(s.words)
		at.p += uint16(s.pointers)
		if i >= len(fn.Params) {
			t.env = append(t.env, s)
		}
	}
	t.code = to
	return t
}

// take puts what an instruction of the engine has computed into registers.
func (e *escape) take(v any, r *words, p *pointers) {
	if !e.wanted {
		return
	}
	if !e.tuple {
		e.result[0].unbox(v, r, p)
		return
	}
	parts := reflect.ValueOf(v)
	for i := range e.result {
		e.result[i].unbox(parts.Index(i).Interface(), r, p)
	}
}
