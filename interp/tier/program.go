package tier

import (
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// Frame is an activation of a function in the engine.
type Frame = unsafe.Pointer

// Engine is what runs the rest of the program. Its frames hold values in registers, as anys.
type Engine interface {
	// Type is the run-time type of values of t, nil when the engine has not made it.
	Type(t types.Type) reflect.Type
	// Has reports whether the engine has compiled fn.
	Has(fn *ssa.Function) bool
	// Register is where v is in the frames of fn.
	Register(fn *ssa.Function, v ssa.Value) (reg int, ok bool)
	// Constant is what a register of fn holds in every frame: of constants, functions, and variables of packages, whose
	// value is a pointer to them.
	Constant(fn *ssa.Function, reg int) any
	// Instruction is the engine's own code of in, and its position for SetNext. It is nil where the engine does
	// nothing.
	Instruction(fn *ssa.Function, in ssa.Instruction) (run func(Frame), next int)

	Registers(fr Frame) []any
	Pred(fr Frame) int                             // the block that the frame came from
	NewFrame(fn *ssa.Function, caller Frame) Frame // as if caller had called fn; of nil, as if compiled code had
	SetNext(fr Frame, next int)                    // the position after an instruction
	SetPred(fr Frame, block *ssa.BasicBlock)       // the block that the frame comes from
	Jump(fr Frame, to *ssa.BasicBlock)             // goes on at the first instruction of to
	Return(fr Frame)                               // has returned
	Resume(fr Frame)                               // runs until it returns
	Unlink(fr Frame)                               // calls nothing any more
	// Callee tells function values apart: those with one key call the same function. It also returns what the function
	// has captured. Target returns that function, and what has the address key; a nil program, when the tier has none
	// of it.
	Callee(f unsafe.Pointer) (key uintptr, captured []any)
	Target(f unsafe.Pointer) (p *Program, fn *ssa.Function, hold any)
	Entered(fr Frame)       // which compiled code or another program has called, until Exited
	Exited()                // from the last that was entered
	Deferred(fr Frame) bool // called by a deferred function: what compiled code calls may be told of it
	Left(v any, fr Frame)   // a panic with v leaves fr for compiled code, or for another program

	Allow(what func() string, n, size int64) // panics when n elements of so many bytes are too much to make
	Overflow(bytes int64, fr Frame)          // calls are nested too deep: must not return
}

// Supported reports whether the tier works on this machine: words of 64 bits, the low byte first.
const Supported = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "riscv64" || runtime.GOARCH == "loong64" || runtime.GOARCH == "ppc64le"

// Program is the tier's part of a program: all that it has compiled of it. Its methods may be called by several
// goroutines.
type Program struct {
	eng  Engine
	stop *bool

	mu    sync.Mutex
	codes atomic.Pointer[[]*code] // by their numbers; only grows
	funcs map[*ssa.Function]*code // nil for those that do not qualify
	todo  []*code                 // numbered and not compiled yet

	targets sync.Map // what function values call, by Callee's key
	latest  atomic.Pointer[target]
}

// NewProgram returns a program of which nothing is compiled. The flag stop is read by polls.
func NewProgram(eng Engine, stop *bool) *Program {
	p := &Program{eng: eng, stop: stop, funcs: map[*ssa.Function]*code{}}
	p.codes.Store(&[]*code{})
	return p
}

// Unit is a function or a loop that is compiled.
type Unit struct{ c *code }

// Function compiles fn; nil when it does not qualify.
func (p *Program) Function(fn *ssa.Function) *Unit {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.function(fn)
	p.finish()
	if c == nil || c.failed {
		return nil
	}
	return &Unit{c}
}

// Refusal says why fn, for which [Why] has no obstacle, has not been compiled all the same; "" when it has been.
func (p *Program) Refusal(fn *ssa.Function) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.function(fn)
	p.finish()
	if c == nil {
		return "a type that is not known here"
	}
	return c.why
}

// Loop compiles the loop whose first block is head; nil when it does not qualify.
func (p *Program) Loop(head *ssa.BasicBlock) *Unit {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !LoopQualifies(head) {
		return nil
	}
	c := p.number(head.Parent())
	c.head, c.loop = head, LoopBlocks(head)
	p.todo = append(p.todo, c)
	p.finish()
	if c.failed {
		return nil
	}
	return &Unit{c}
}

// function numbers fn and has it compiled by finish.
func (p *Program) function(fn *ssa.Function) *code {
	if c, ok := p.funcs[fn]; ok {
		return c
	}
	var c *code
	if p.eng.Has(fn) && Why(fn).What == "" && p.typesKnown(fn) {
		c = p.number(fn)
		p.todo = append(p.todo, c)
	}
	p.funcs[fn] = c
	return c
}

// typesKnown reports whether calls of fn can cross the border: its parameters and results have run-time types.
func (p *Program) typesKnown(fn *ssa.Function) bool {
	for _, v := range inputs(fn) {
		if _, ok := p.eng.Register(fn, v); !ok || p.eng.Type(v.Type()) == nil {
			return false
		}
	}
	for r := range fn.Signature.Results().Variables() {
		if p.eng.Type(r.Type()) == nil {
			return false
		}
	}
	return true
}

func (p *Program) number(fn *ssa.Function) *code {
	codes := *p.codes.Load()
	c := &code{prog: p, fn: fn, id: uint32(len(codes))}
	codes = append(codes, c)
	p.codes.Store(&codes)
	return c
}

// finish compiles what is numbered.
func (p *Program) finish() {
	for len(p.todo) > 0 {
		c := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		c.compile()
	}
}

// compile lowers c. What the lowering did not foresee leaves a function that the engine runs.
func (c *code) compile() {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			c.refuse(string(r))
		case runtime.Error:
			c.refuse(fmt.Sprint("the tier failed: ", r))
		default:
			panic(r)
		}
	}()
	newUnit(c).lower()
}

// refusal is why a unit cannot be lowered, as a panic of the lowering.
type refusal string

// refuse makes c a unit whose callers have the engine run it.
func (c *code) refuse(why string) {
	*c = code{prog: c.prog, fn: c.fn, id: c.id, head: c.head, failed: true, why: why}
	// Others may have been lowered to calls of it already: one instruction that has the engine run it all.
	if c.head == nil {
		c.stub()
	}
}

// stub makes c one exit to its first block, with the parameters in the engine's registers.
func (c *code) stub() {
	x := exit{from: c.fn.Blocks[0], to: c.fn.Blocks[0]}
	var at place
	for _, v := range inputs(c.fn) {
		s := slot{place: at, shape: shapeOf(v.Type()), typ: c.prog.eng.Type(v.Type())}
		s.reg, _ = c.prog.eng.Register(c.fn, v)
		x.live = append(x.live, s)
		at.n += uint16(s.words)
		at.p += uint16(s.pointers)
	}
	c.ins, c.from = append(roomFor(1), instr{op: opExit}), []ssa.Instruction{nil}
	c.exits = []exit{x}
	c.nsize, c.psize = uint32(max(at.n, 1)), uint32(at.p)
	c.nneed, c.pneed = c.nsize+1, c.psize+1
}
