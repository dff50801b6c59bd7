package ixgo

import (
	"iter"
	"sync/atomic"

	"github.com/goplus/ixgo"
	"github.com/visualfc/gid"
)

// callbacks are the functions that compiled code has called on a cell's goroutine, which pushes and pops, while others
// may look. A function value of an earlier cell, which another program has, is called in this way, too. Beyond the
// first ones they are only counted. Nil keeps none.
type callbacks struct {
	depth  atomic.Int32
	frames [32]atomic.Pointer[ixgo.Frame]
}

// entered returns those of the goroutine, nil where it is not a cell's own.
func (e *Engine) entered() *callbacks {
	if c, own := e.running.Load(gid.Get()); own {
		return &c.(*cellCode).entered
	}
	return nil
}

func (c *callbacks) push(fr *ixgo.Frame) {
	if c == nil {
		return
	}
	if d := c.depth.Add(1) - 1; int(d) < len(c.frames) {
		c.frames[d].Store(fr)
	}
}

func (c *callbacks) pop() {
	if c == nil {
		return
	}
	if d := c.depth.Add(-1); int(d) < len(c.frames) {
		c.frames[d].Store(nil)
	}
}

// outward yields the frames from the innermost to the outermost, but for so many of the innermost.
func (c *callbacks) outward(but int) iter.Seq[*ixgo.Frame] {
	return func(yield func(*ixgo.Frame) bool) {
		for d := min(int(c.depth.Load())-but, len(c.frames)) - 1; d >= 0; d-- {
			if fr := c.frames[d].Load(); fr != nil && !yield(fr) {
				return
			}
		}
	}
}
