package storage

import "context"

// Scatter writes many small parts of a source: those close to each other are put into a window of it, which is read
// first and written once.
type Scatter struct {
	ctx    context.Context
	to     *Source
	window []byte
	lo     int64 // where the window begins; it has bytes that were put there while it is not empty
	last   int64 // where the last part ended
}

const (
	windowBytes = 256 << 10
	largePart   = 64 << 10 // is written by itself
	farApart    = 16 << 10 // and so are parts that lie further apart
)

// NewScatter returns a Scatter that writes to a source, until ctx ends.
func NewScatter(ctx context.Context, to *Source) *Scatter { return &Scatter{ctx: ctx, to: to} }

// Put writes p at byte off, now or by Flush, which writes what was put also when ctx has ended.
func (s *Scatter) Put(p []byte, off int64) error {
	end := off + int64(len(p))
	if n := len(s.window); n > 0 && off >= s.lo && end <= s.lo+int64(n) {
		copy(s.window[off-s.lo:], p)
		s.last = end
		return nil
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if err := s.Flush(); err != nil {
		return err
	}
	far := off-s.last > farApart || s.last-off > farApart
	before := s.last > off // they come from the end
	s.last = end
	if far || len(p) >= largePart {
		return s.to.WriteAt(p, off)
	}
	lo := off
	if before {
		lo = max(end-windowBytes, 0)
	}
	n := int(min(windowBytes, s.to.size-lo))
	if cap(s.window) < windowBytes {
		s.window = make([]byte, windowBytes)
	}
	w := s.window[:n]
	if err := s.to.readRaw(w, lo); err != nil {
		s.window = w[:0]
		return err
	}
	copy(w[off-lo:], p)
	s.window, s.lo = w, lo
	return nil
}

// Flush writes what was put and is not written yet.
func (s *Scatter) Flush() error {
	if len(s.window) == 0 {
		return nil
	}
	w := s.window
	s.window = w[:0]
	return s.to.WriteAt(w, s.lo)
}

// Gather reads many small parts of a source: those close to each other are taken from a window of it.
type Gather struct {
	ctx    context.Context
	from   *Source
	window []byte
	lo     int64 // where the window begins
	last   int64 // where the last part ended
}

// NewGather returns a Gather of a source, which reads until ctx ends.
func NewGather(ctx context.Context, from *Source) *Gather { return &Gather{ctx: ctx, from: from} }

// Get reads p from byte off on: whole elements, where the source decodes them.
func (g *Gather) Get(p []byte, off int64) error {
	end := off + int64(len(p))
	if off >= g.lo && end <= g.lo+int64(len(g.window)) {
		copy(p, g.window[off-g.lo:])
		g.last = end
		return nil
	}
	if err := g.ctx.Err(); err != nil {
		return err
	}
	far := off-g.last > farApart || g.last-off > farApart
	before := g.last > off
	g.last = end
	if far || len(p) >= largePart {
		return g.from.ReadAt(p, off)
	}
	lo := off
	if before { // elements stay whole
		lo = off - min(off, windowBytes-int64(len(p)))/int64(len(p))*int64(len(p))
	}
	n := min(windowBytes/int64(len(p))*int64(len(p)), (g.from.size-lo)/int64(len(p))*int64(len(p)))
	if cap(g.window) < int(n) {
		g.window = make([]byte, windowBytes)
	}
	g.window, g.lo = g.window[:n], lo
	if err := g.from.ReadAt(g.window, lo); err != nil {
		g.window = g.window[:0]
		return err
	}
	copy(p, g.window[off-lo:])
	return nil
}
