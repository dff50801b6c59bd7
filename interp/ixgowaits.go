package interp

import (
	"go/token"
	"net"
	"reflect"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// Where a goroutine of a cell starts another, and where it waits for a channel or a connection, the session is asked: it
// tells the goroutines of a statement from others, and can end those that wait.

// mendWait returns an instruction that does so, nil for others.
func (e *ixgoEngine) mendWait(f compiled, instr ssa.Instruction, run instruction) instruction {
	switch in := instr.(type) {
	case *ssa.Go:
		return e.mendGo(run)
	case *ssa.UnOp:
		if in.Op == token.ARROW && isRegister(in.X) {
			return e.mendReceive(f, in)
		}
	case *ssa.Send:
		if isRegister(in.Chan) {
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

// isRegister reports whether the value is in a register of the frame.
func isRegister(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Global, *ssa.Const:
		return false
	}
	return true
}

// mendGo gives the new goroutine the labels of its statement. Those of the last one that ran are kept, as a loop starts
// many: but only as long as a goroutine has them, see owners.
func (e *ixgoEngine) mendGo(run instruction) instruction {
	var last atomic.Pointer[spawned]
	return func(fr *ixgo.Frame) {
		before := currentLabels()
		defer setLabels(before)
		if l := last.Load(); l != nil && l.from == uintptr(before) {
			if to := l.to.Value(); to != nil {
				setLabels(unsafe.Pointer(to))
				run(fr)
				return
			}
		}
		to := e.hooks.Go(before, func() []Frame { return framesOf(fr, e.ctx.FileSet) })
		if to != before {
			last.Store(&spawned{uintptr(before), weak.Make((*byte)(to))})
			setLabels(to)
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
type waiter struct{ hooks *Hooks }

// quit is where a waiting goroutine is woken to end, nil when it is not a cell's.
func (w *waiter) quit() (q reflect.Value, ok bool) {
	ch := w.hooks.Quit()
	return reflect.ValueOf(ch), ch != nil
}

// receive waits until something is received from ch; ended is true when the goroutine must end instead.
func (w *waiter) receive(ch reflect.Value) (v reflect.Value, ok, ended bool) {
	if v, ok = ch.TryRecv(); v.IsValid() {
		return v, ok, false
	}
	quit, may := w.quit()
	if !may {
		v, ok = ch.Recv()
		return v, ok, false
	}
	n, v, ok := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: ch}, {Dir: reflect.SelectRecv, Chan: quit}})
	return v, ok, n == 1
}

// send waits until v is sent to ch; it returns true when the goroutine must end instead.
func (w *waiter) send(ch, v reflect.Value) (ended bool) {
	if ch.TrySend(v) {
		return false
	}
	quit, may := w.quit()
	if !may {
		ch.Send(v)
		return false
	}
	n, _, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: ch, Send: v}, {Dir: reflect.SelectRecv, Chan: quit}})
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
func (e *ixgoEngine) leave(fr *ixgo.Frame) {
	e.hooks.Leave(func() []Frame { return framesOf(fr, e.ctx.FileSet) })
}

func (e *ixgoEngine) mendReceive(f compiled, in *ssa.UnOp) instruction {
	w := &waiter{&e.hooks}
	ch, result := f.register(in.X), f.register(in)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		v, ok, ended := w.receive(reflect.ValueOf(r[ch]))
		switch {
		case ended:
			e.leave(fr)
		case in.CommaOk:
			r[result] = ixgo.Tuple{v.Interface(), ok}
		default:
			r[result] = v.Interface()
		}
	}
}

func (e *ixgoEngine) mendSend(f compiled, in *ssa.Send) instruction {
	w := &waiter{&e.hooks}
	ch, x := f.register(in.Chan), f.register(in.X)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		to := reflect.ValueOf(r[ch])
		if w.send(to, valueOf(r[x], to.Type().Elem())) {
			e.leave(fr)
		}
	}
}

func (e *ixgoEngine) mendSelect(f compiled, in *ssa.Select) instruction {
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
func (e *ixgoEngine) mendAccept(f compiled, in *ssa.Call, run instruction) instruction {
	l, result := f.register(in.Call.Value), f.register(in)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		from, ok := r[l].(net.Listener)
		if !ok || rawSocket(from) == nil {
			run(fr)
			return
		}
		c, err := e.hooks.Accept(from)
		r[result] = ixgo.Tuple{c, err}
	}
}
