package ixgo

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// What a test logs begins with the place of the call. Package testing looks for it on the stack, where it finds the
// engine's code: so logging calls of cells are done here, with the line of the cell or of its package's file.

// testLog is a method of tests that logs.
type testLog struct {
	text func(args []any) string
	then func(testing.TB)
}

func logged(args []any) string  { return fmt.Sprintln(args[0].([]any)...) }
func loggedf(args []any) string { return fmt.Sprintf(args[0].(string), args[1].([]any)...) }

var testLogs = map[string]testLog{
	"Log": {logged, func(testing.TB) {}}, "Logf": {loggedf, func(testing.TB) {}},
	"Error": {logged, testing.TB.Fail}, "Errorf": {loggedf, testing.TB.Fail},
	"Fatal": {logged, testing.TB.FailNow}, "Fatalf": {loggedf, testing.TB.FailNow},
	"Skip": {logged, testing.TB.SkipNow}, "Skipf": {loggedf, testing.TB.SkipNow},
}

// testHelpers are the functions that have called Helper in a test: a log is of the function that calls them.
type testHelpers struct {
	mu  sync.Mutex
	all map[testing.TB]map[*ssa.Function]bool
}

func (h *testHelpers) add(tb testing.TB, fn *ssa.Function) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[testing.TB]map[*ssa.Function]bool{}
	}
	if h.all[tb] == nil {
		h.all[tb] = map[*ssa.Function]bool{}
		tb.Cleanup(func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			delete(h.all, tb)
		})
	}
	h.all[tb][fn] = true
}

func (h *testHelpers) has(tb testing.TB, fn *ssa.Function) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all[tb][fn]
}

// mendTestLog gives what tests log the place where a cell calls the method, or starts it on a goroutine, or leaves the
// function that has deferred the call.
func (e *Engine) mendTestLog(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	name, recv, args := methodCall(in.Common())
	log, ok := testLogs[name]
	if !ok && name != "Helper" || ok && len(args) != 1+strings.Count(name[1:], "f") {
		return nil
	}
	x := f.register(recv)
	var regs []int
	for _, a := range args {
		regs = append(regs, f.register(a))
	}
	write := func(r []any) func(tb testing.TB, place string) {
		values := make([]any, len(args))
		for i, k := range regs {
			values[i] = r[k]
		}
		return func(tb testing.TB, place string) {
			text := strings.TrimSuffix(log.text(values), "\n")
			fmt.Fprintf(tb.Output(), "%s: %s\n", place, strings.ReplaceAll(text, "\n", "\n    "))
			log.then(tb)
		}
	}
	switch in := in.(type) {
	case *ssa.Go:
		place := e.placeOf(in.Pos())
		if log.text == nil || place == "" {
			return nil
		}
		return func(fr *ixgo.Frame) {
			if tb, ok := theTest(registers(fr)[x]); ok {
				go write(registers(fr))(tb, place)
			} else {
				run(fr)
			}
		}
	case *ssa.Defer:
		if log.text == nil || in.DeferStack != nil {
			return nil
		}
		return func(fr *ixgo.Frame) {
			run(fr)
			if tb, ok := theTest(registers(fr)[x]); ok {
				*unexported.At[any](*unexported.At[unsafe.Pointer](unsafe.Pointer(fr), frameDefers), deferFn) = &deferredLog{e, tb, write(registers(fr))}
			}
		}
	}
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		tb, ok := theTest(r[x])
		place := ""
		if ok && log.text != nil {
			place = e.placeOfLog(tb, fr)
		}
		switch {
		case ok && log.text == nil:
			e.helpers.add(tb, functionOf(fr))
		case place != "":
			write(r)(tb, place)
		default:
			run(fr)
		}
	}
}

// deferredLog is a deferred call of a test's method that logs.
type deferredLog struct {
	e     *Engine
	tb    testing.TB
	write func(tb testing.TB, place string)
}

// call makes the call, at the place where fr is left.
func (l *deferredLog) call(fr *ixgo.Frame) {
	place := l.e.placeOfLog(l.tb, fr)
	if place == "" {
		place = l.e.placeOf(functionOf(fr).Pos())
	}
	l.write(l.tb, place)
}

// theTest is v as a test, when it is one of package testing's own types: a type of a cell has methods of its own.
func theTest(v any) (testing.TB, bool) {
	switch tb := v.(type) {
	case *testing.T:
		return tb, tb != nil
	case *testing.B:
		return tb, tb != nil
	}
	return nil, false
}

// methodCall takes a call of a method apart. The name is "" where there is no receiver.
func methodCall(call *ssa.CallCommon) (name string, recv ssa.Value, args []ssa.Value) {
	if call.IsInvoke() {
		return call.Method.Name(), call.Value, call.Args
	}
	fn := call.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil || len(call.Args) == 0 {
		return "", nil, nil
	}
	return fn.Name(), call.Args[0], call.Args[1:]
}

func functionOf(fr *ixgo.Frame) *ssa.Function {
	return *unexported.At[*ssa.Function](*unexported.At[unsafe.Pointer](unsafe.Pointer(fr), frameFunc), funcFn)
}

// placeOfLog is where the log of a test is from, "cell 1:3", "" where that is not known.
func (e *Engine) placeOfLog(tb testing.TB, fr *ixgo.Frame) string {
	for range engine.MaxTrace {
		p := unsafe.Pointer(fr)
		next := *unexported.At[*ixgo.Frame](p, frameCaller)
		if next == nil || *unexported.At[unsafe.Pointer](unsafe.Pointer(next), frameFunc) == nil || functionOf(fr).Synthetic == "" && !e.helpers.has(tb, functionOf(fr)) {
			break
		}
		fr = next
	}
	instrs := *unexported.At[[]ssa.Instruction](*unexported.At[unsafe.Pointer](unsafe.Pointer(fr), frameFunc), funcInstrs)
	next := nextOf(fr)
	if next <= 0 || next > len(instrs) {
		return ""
	}
	pos := instrs[next-1].Pos()
	if _, leaves := instrs[next-1].(*ssa.RunDefers); leaves {
		pos = leftAt(functionOf(fr), instrs[next:])
	}
	return e.placeOf(pos)
}

// leftAt is where a function is left whose deferred calls run before instrs: at its return statement, or at its end.
func leftAt(fn *ssa.Function, instrs []ssa.Instruction) token.Pos {
	for _, in := range instrs {
		if ret, ok := in.(*ssa.Return); ok {
			if ret.Pos().IsValid() {
				return ret.Pos()
			}
			break
		}
	}
	if fn.Syntax() == nil {
		return token.NoPos
	}
	return fn.Syntax().End() - 1
}

// placeOf is pos as a test's log writes it, "" where it is not known.
func (e *Engine) placeOf(p token.Pos) string {
	pos := e.ctx.FileSet.Position(p)
	if !pos.IsValid() {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line)
}
