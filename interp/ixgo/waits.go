package ixgo

import (
	"go/token"
	"net"
	"reflect"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/sockets"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// Where a goroutine of a cell starts another, and where it waits for a channel or a connection, the session is asked:
// it tells the goroutines of a statement from others, and can end those that wait.

// mendWait returns an instruction that does so, nil for others.
func (e *Engine) mendWait(f compiled, instr ssa.Instruction, run instruction) instruction {
	switch in := instr.(type) {
	case *ssa.Go:
		if other := e.mendGoBuiltin(f, in); other != nil {
			run = other
		}
		return e.mendGo(run)
	case *ssa.UnOp:
		if in.Op == token.ARROW && f.holds(in.X) {
			return e.mendReceive(f, in)
		}
	case *ssa.Send:
		if f.holds(in.Chan) {
			return e.mendSend(f, in)
		}
	case *ssa.Select:
		if in.Blocking {
			return e.mendSelect(f, in)
		}
	case *ssa.Call:
		if in.Call.IsInvoke() && in.Call.Method.Name() == "Accept" && in.Call.Signature().Params().Len() == 0 && in.Call.Signature().Results().Len() == 2 {
			return e.mendAccept(f, in, run)
		}
	}
	return nil
}

// holds reports whether the value is in a register of the frame.
func (f compiled) holds(v ssa.Value) bool {
	if _, ok := v.(*ssa.Global); ok {
		return false
	}
	_, ok := (*unexported.At[map[ssa.Value]uint32](f.p, funcIndex))[v]
	return ok
}

// mendGo gives the new goroutine the labels of its statement. Those of the last one that ran are kept, as a loop starts
// many: but only as long as a goroutine has them, see owners.
func (e *Engine) mendGo(run instruction) instruction {
	var last atomic.Pointer[spawned]
	return func(fr *ixgo.Frame) {
		e.parallel.Store(true)
		before := golabel.Current()
		defer golabel.Set(before)
		if l := last.Load(); l != nil && l.from == uintptr(before) {
			if to := l.to.Value(); to != nil {
				golabel.Set(unsafe.Pointer(to))
				run(fr)
				return
			}
		}
		to := e.hooks.Go(before, func() []engine.Frame { return framesOf(fr, e.ctx.FileSet) })
		if to != before {
			if golabel.Origin(before) == before { // marked ones are another evaluation's the next time
				last.Store(&spawned{uintptr(before), weak.Make((*byte)(to))})
			}
			golabel.Set(to)
		}
		run(fr)
	}
}

// spawned is the labels of a goroutine and those of one that it has started.
type spawned struct {
	from uintptr
	to   weak.Pointer[byte]
}

// waiter lets goroutines of cells wait for channels until they are told to end.
type waiter struct{ hooks *engine.Hooks }

// quit is where a waiting goroutine is woken to end, nil when it is not a cell's.
func (w *waiter) quit() (q reflect.Value, ok bool) {
	ch := w.hooks.Quit()
	return reflect.ValueOf(ch), ch != nil
}

// receive waits until something is received from the channel in a register; ended is true when the goroutine must end
// instead. Last is for elementOf.
func (w *waiter) receive(from *any, last *atomic.Pointer[element]) (v any, ok, ended bool) {
	if e := elementOf(from, last); e.receive != nil {
		return e.receive(w, pointerOf(from))
	}
	ch := reflect.ValueOf(*from)
	got, ok := ch.TryRecv()
	if quit, may := w.quit(); !got.IsValid() && may {
		var n int
		n, got, ok = reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: ch}, {Dir: reflect.SelectRecv, Chan: quit}})
		if n == 1 {
			return nil, false, true
		}
	} else if !got.IsValid() {
		got, ok = ch.Recv()
	}
	if !ok {
		got = reflect.Zero(ch.Type().Elem())
	}
	return got.Interface(), ok, false
}

// send waits until v is sent to the channel in a register; it returns true when the goroutine must end instead.
func (w *waiter) send(to, v *any, last *atomic.Pointer[element]) (ended bool) {
	if e := elementOf(to, last); e.send != nil {
		return e.send(w, pointerOf(to), v)
	}
	ch := reflect.ValueOf(*to)
	x := valueOf(*v, ch.Type().Elem())
	if ch.TrySend(x) {
		return false
	}
	quit, may := w.quit()
	if !may {
		ch.Send(x)
		return false
	}
	n, _, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: ch, Send: x}, {Dir: reflect.SelectRecv, Chan: quit}})
	return n == 1
}

// choose waits for one of cases, and returns ended when the goroutine must end instead.
func (w *waiter) choose(cases []reflect.SelectCase) (n int, v reflect.Value, ok, ended bool) {
	if quit, may := w.quit(); may {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: quit})
		n, v, ok = reflect.Select(cases)
		return n, v, ok, n == len(cases)-1
	}
	n, v, ok = reflect.Select(cases)
	return n, v, ok, false
}

// leave ends the goroutine of fr.
func (e *Engine) leave(fr *ixgo.Frame) {
	e.hooks.Leave(func() []engine.Frame { return framesOf(fr, e.ctx.FileSet) })
}

func (e *Engine) mendReceive(f compiled, in *ssa.UnOp) instruction {
	w := &waiter{&e.hooks}
	ch, result := f.register(in.X), f.register(in)
	var last atomic.Pointer[element]
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		v, ok, ended := w.receive(&r[ch], &last)
		switch {
		case ended:
			e.leave(fr)
		case in.CommaOk:
			r[result] = ixgo.Tuple{v, ok}
		default:
			r[result] = v
		}
	}
}

func (e *Engine) mendSend(f compiled, in *ssa.Send) instruction {
	w := &waiter{&e.hooks}
	ch, x := f.register(in.Chan), f.register(in.X)
	var last atomic.Pointer[element]
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		if w.send(&r[ch], &r[x], &last) {
			e.leave(fr)
		}
	}
}

func (e *Engine) mendSelect(f compiled, in *ssa.Select) instruction {
	w := &waiter{&e.hooks}
	result := f.register(in)
	chans, sent := make([]int, len(in.States)), make([]int, len(in.States))
	for i, st := range in.States {
		chans[i] = f.register(st.Chan)
		if st.Send != nil {
			sent[i] = f.register(st.Send)
		}
	}
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		cases := make([]reflect.SelectCase, 0, len(in.States)+1)
		for i, st := range in.States {
			c := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r[chans[i]])}
			if st.Send != nil {
				c.Dir, c.Send = reflect.SelectSend, valueOf(r[sent[i]], c.Chan.Type().Elem())
			}
			cases = append(cases, c)
		}
		chosen, v, ok, ended := w.choose(cases)
		if ended {
			e.leave(fr)
			return
		}
		out := ixgo.Tuple{chosen, ok}
		for i, st := range in.States {
			if st.Send == nil {
				if i != chosen || !ok {
					v := reflect.Zero(cases[i].Chan.Type().Elem())
					out = append(out, v.Interface())
					continue
				}
				out = append(out, v.Interface())
			}
		}
		r[result] = out
	}
}

// mendAccept lets the session know of connections that are accepted by listeners of the system.
func (e *Engine) mendAccept(f compiled, in *ssa.Call, run instruction) instruction {
	l, result := f.register(in.Call.Value), f.register(in)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		from, ok := r[l].(net.Listener)
		if !ok || sockets.Raw(from) == nil {
			run(fr)
			return
		}
		c, err := e.hooks.Accept(from)
		r[result] = ixgo.Tuple{c, err}
	}
}
