package supervise

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// describeTime is how long the Error or String method of a panic's value may take; a test sets it.
var describeTime = 500 * time.Millisecond

// panicError makes the error of a panic.
func (s *Supervisor) panicError(v any, trace []engine.Frame) *cellerror.Error {
	if r, ok := v.(budget.Refused); ok {
		v = r.Err
	}
	if fault := mmap.Reason(v); fault != nil { // on the cell's own goroutine
		v = fault
	}
	if e, ok := v.(*memoryError); ok {
		return &cellerror.Error{Kind: cellerror.MemoryLimit, Message: e.Error(), Trace: trace, Value: v}
	}
	return &cellerror.Error{Kind: cellerror.Panic, Message: display.Clip(s.panicMessage(v)), Trace: placesOf(v, trace), Value: v}
}

// longMessage is how many bytes a message has that is mostly data: names of packages are not looked for in it.
const longMessage = 1 << 16

// panicMessage is what Go would print of v. The methods that it calls may be the cell's own, and may panic, or never
// return, or call themselves: they run on a goroutine of their own, which is left behind when it takes too long.
func (s *Supervisor) panicMessage(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	r := s.NewRun()
	s.owners.add(r.tag.labels, r.first)
	defer func() { r.tag = tag{} }()
	text := make(chan string, 1)
	base := stackBytes()
	go func(t tag) {
		t.attach()
		why := "ended its goroutine"
		defer func() {
			if recover() != nil {
				why = "panicked"
			}
			if why != "" {
				text <- noText(v, why)
			}
		}()
		msg := panicText(v)
		why = ""
		text <- msg
	}(r.tag)
	tick := time.NewTicker(stackTick)
	defer tick.Stop()
	limit := time.After(describeTime)
	for why := ""; ; {
		select {
		case msg := <-text:
			if _, ok := v.(error); ok && s.opts.PackageNames != nil && len(msg) < longMessage { // such as that of a conversion
				return s.opts.PackageNames(msg)
			}
			return msg
		case <-limit:
			why = "does not return"
		case <-tick.C:
			if stackBytes()-base > stackLimit+stackEach*int64(runtime.NumGoroutine()) {
				why = "calls itself without an end"
			}
		}
		if why != "" {
			s.abandon(r)
			return noText(v, why)
		}
	}
}

func noText(v any, why string) string {
	return fmt.Sprintf("%T, whose text is not known: the method that makes it %s", v, why)
}

// panicText calls the methods of v. Strings and numbers are written as they are, those of named types and all other
// values with their type.
func panicText(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	if display.Endless(v) {
		return fmt.Sprintf("%T (a value that contains itself)", v)
	}
	rv, t := reflect.ValueOf(v), reflect.TypeOf(v)
	named := t.PkgPath() != ""
	switch k := t.Kind(); {
	case k == reflect.String && named:
		return t.String() + "(" + strconv.Quote(rv.String()) + ")"
	case k <= reflect.Complex128 && named:
		return fmt.Sprintf("%s(%v)", t, v)
	case k <= reflect.Complex128:
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%#v", v)
}
