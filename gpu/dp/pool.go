package dp

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
)

// Pool is processors that are taken and given back, many at a time: the memory of programs whose data are cells that
// point to others (processor-cons, section 3.5 of the paper).
type Pool struct {
	free  *np.Array // bools
	steps *Report   // of the last call
}

func (p *Pool) report() *Report { return p.steps }

// NewPool makes a pool of n processors, all free.
func NewPool(n int) *Pool {
	if n < 0 {
		check("dp.NewPool", fmt.Errorf("a pool of %d processors; give 0 or more", n))
	}
	return &Pool{free: np.Ones(n).AsType(np.Bool).Copy()}
}

// PoolOf makes a pool in which those processors are free for which free is true.
func PoolOf(free any) *Pool {
	f := flags("dp.PoolOf", free)
	if f.NDim() != 1 {
		check("dp.PoolOf", fmt.Errorf("the flags have shape %v; give one axis", f.Shape()))
	}
	return &Pool{free: f.Copy()}
}

// Free returns how many processors are free.
func (p *Pool) Free() int { return Count(p.free).Int() }

// IsFree returns which processors are free.
func (p *Pool) IsFree() *np.Array { return p.free.Copy() }

// Cons takes a processor for each true element of mask, and returns their numbers, in the order of both: at other
// places, and where no processor was left, -1. Those that ask and those that are free meet by number: the kth free one
// leaves its own number at place k, where the kth that asks finds it.
func (p *Pool) Cons(mask any) *np.Array {
	const name = "dp.Pool.Cons"
	ask := flags(name, mask)
	if ask.NDim() != 1 {
		check(name, fmt.Errorf("the mask has shape %v; give one axis", ask.Shape()))
	}
	n, have := ask.Size(), p.free.Size()
	l := steps(name, max(n, have), 2*pointerBits)
	need, places := Count(ask).Int(), np.NonZero(p.free)[0]
	avail := places.Size()
	l.reduce("how many ask", n, 1)
	l.context("select all", have)
	l.reduce("how many are free", have, 1)
	l.scan("number the free", have, pointerBits)
	l.send("leave the number", have, pointerBits, avail)
	l.scan("number those that ask", n, pointerBits)
	l.send("find the number", n, pointerBits, min(need, avail))
	p.steps = l.Report
	if avail == 0 || need == 0 {
		return l.of(np.Full(null, n).AsType(np.Int64).Copy())
	}
	r := Enumerate(ask)
	found := np.Where(ask.LogicalAnd(r.Less(avail)), Get(places, np.Minimum(r, avail-1)), null).AsType(np.Int64).Copy()
	np.Eval(found)
	if size := max(n, have); shows(size) {
		l.frames = met(size, places.Ints(), found.Ints())
	}
	p.set(places.At(np.To(min(need, avail))), false)
	return l.of(found)
}

// Release gives processors back; -1 stands for none. It panics with *np.Error where one is free already, or given
// twice.
func (p *Pool) Release(processors any) {
	const name = "dp.Pool.Release"
	at := pointers(name, processors, -1)
	at = Pack(at, at.NotEqual(null))
	l := steps(name, p.free.Size(), pointerBits)
	l.send("be free", p.free.Size(), 1, at.Size())
	p.steps = l.Report
	if at.Size() == 0 {
		return
	}
	inside(name, at, p.free.Size())
	if twice := p.free.At(at); twice.AnyTrue().Item().(bool) {
		check(name, fmt.Errorf("processor %d is free already", at.At(twice.ArgMax().Int()).Int()))
	}
	if many := np.BinCount(at).Greater(1); many.AnyTrue().Item().(bool) {
		check(name, fmt.Errorf("processor %d is given back twice", many.ArgMax().Int()))
	}
	p.set(at, true)
}

// set says of processors whether they are free.
func (p *Pool) set(at *np.Array, free bool) {
	deliver(p.free, at, np.Full(free, at.Size()).AsType(np.Bool).Copy())
	np.Eval(p.free)
}

// References returns how many of the pointers name each processor: a SEND of ones that are added. -1 names none.
func (p *Pool) References(pointers ...any) *np.Array {
	const name = "dp.Pool.References"
	n := p.free.Size()
	count := np.Zeros(n).AsType(np.Int64)
	l := steps(name, n, pointerBits)
	for _, x := range pointers {
		to := p.named(name, x)
		l.add(cm.Send, "count", n, pointerBits, to.Size(), to.Size())
		count = count.Add(Histogram(to, n))
	}
	p.steps = l.Report
	return l.of(count.Copy())
}

// named are the processors that pointers name.
func (p *Pool) named(name string, x any) *np.Array {
	to := pointers(name, x, -1)
	to = Pack(to, to.NotEqual(null))
	if to.Size() > 0 {
		inside(name, to, p.free.Size())
	}
	return to
}

// Collect gives back what cannot be reached from roots along the pointers, each an array of what a processor points to,
// or -1, and returns how many those are. Marks go along all pointers in each round, so that there are as many rounds as
// what is reached is deep.
func (p *Pool) Collect(roots any, pointers ...any) int {
	const name = "dp.Pool.Collect"
	n := p.free.Size()
	l := steps(name, n, 1+pointerBits*len(pointers))
	marked := np.Zeros(n).AsType(np.Bool).Copy()
	fresh := p.named(name, roots)
	along := make([]*np.Array, len(pointers))
	for i, x := range pointers {
		along[i] = array(name, x)
		if along[i].Size() != n {
			check(name, fmt.Errorf("there are %d pointers for %d processors; give one for each, or -1", along[i].Size(), n))
		}
		p.named(name, x)
	}
	for fresh.Size() > 0 {
		deliver(marked, fresh, np.Ones(fresh.Size()).AsType(np.Bool).Copy())
		np.Eval(marked)
		reached := np.Zeros(n).AsType(np.Int64)
		for _, x := range along {
			to := p.named(name, x.At(fresh))
			l.send("mark", n, 1, to.Size())
			reached = reached.Add(Histogram(to, n))
		}
		fresh = np.NonZero(reached.Greater(0).LogicalAnd(np.LogicalNot(marked)))[0]
	}
	garbage := np.NonZero(np.LogicalNot(marked).LogicalAnd(np.LogicalNot(p.free)))[0]
	p.steps = l.Report
	if garbage.Size() > 0 {
		p.set(garbage, true)
	}
	return garbage.Size()
}
