package supervise

import (
	"errors"
	"slices"

	"github.com/visualfc/gid"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Place is a place of cells' code: what packages that put work off keep, so that errors found later name who wrote it.
type Place struct{ frames []engine.Frame }

// String names the innermost line: "cell 2, line 5".
func (p *Place) String() string {
	if len(p.frames) == 0 {
		return ""
	}
	return p.frames[0].String()
}

// trace is where p is, nil of none.
func (p *Place) trace() []engine.Frame {
	if p == nil {
		return nil
	}
	return p.frames
}

// asks is what is noted of the place whose elements were asked for when an operation of another place failed.
const asks = "which asks for the result"

// Here returns the place that the calling goroutine executes, nil where it is not a cell's. Of goroutines that a cell
// has started it is the go statement's. It takes well below a microsecond.
func (s *Supervisor) Here() *Place {
	c := s.owners.of(golabel.Current())
	if c == nil {
		return nil
	}
	r := c.run
	if r.id.Load() != gid.Get() {
		if c.at == (engine.Frame{}) {
			return nil
		}
		return &Place{[]engine.Frame{c.at}}
	}
	frames := r.where()
	if r.here == nil || !slices.Equal(r.here.frames, frames) { // loops are many times at one place
		r.here = &Place{frames}
	}
	return r.here
}

// placesOf completes the trace of a panic with v, whose operation was written somewhere else than where its result was
// asked for: the place of the operation stands before that.
func placesOf(v any, trace []engine.Frame) []engine.Frame {
	err, _ := v.(error)
	var of interface{ Places() (written, shown any) }
	if !errors.As(err, &of) {
		return trace
	}
	at, by := of.Places()
	written, _ := at.(*Place)
	shown, _ := by.(*Place)
	if written == nil || len(written.frames) == 0 {
		return trace
	}
	var asked []engine.Frame
	if shown != nil {
		asked = shown.frames
	}
	if slices.Equal(asked, written.frames) {
		return trace
	}
	inner, outer := trace, asked // of functions that the operation calls, and of who asks
	if n := len(trace) - len(asked); n >= 0 && slices.Equal(trace[n:], asked) {
		inner = trace[:n]
	} else if len(trace) > 0 && len(asked) > 0 && trace[0] == asked[0] {
		inner, outer = nil, trace
	} else if len(asked) == 0 {
		inner, outer = nil, trace
	}
	out := slices.Concat(inner, written.frames, outer)
	if len(outer) > 0 {
		out[len(inner)+len(written.frames)].Note = asks
	}
	return out[:min(len(out), engine.MaxTrace)]
}
