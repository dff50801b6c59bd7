package cpu

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Recording is a launch that is computed once and then timed on several machines. Machines that make the same program
// of the kernel have one Tape; where a machine's compiler makes another, with values in local memory say, the launch is
// computed again, on the same memory. It may be used by several goroutines.
type Recording struct {
	Func   *kir.Func // as it was launched
	Launch Launch    // its memory stays as it is
	Limit  int64     // bytes of a tape

	tapes   madeOnce[recordingKey, *Tape]
	derived madeOnce[string, any]
}

// recordingKey is what programs have in common that do the same.
type recordingKey struct {
	hash       [32]byte
	arithmetic Arithmetic
}

// mostDerived bounds how much is kept of what is made of a recording: each may take as much memory as a tape.
const mostDerived = 4

// NewRecording prepares a launch for recording. Its error says why what the kernel does cannot be repeated.
func NewRecording(f *kir.Func, l Launch, limit int64) (*Recording, error) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			what := ""
			switch {
			case v.Op == kir.OpPrintf:
				what = "prints"
			case v.Op == kir.OpSpecial && (kir.Special(v.Imm) == kir.Clock64 || kir.Special(v.Imm) == kir.GlobalTimer):
				what = "reads a clock"
			case v.Op == kir.OpSpecial && kir.Special(v.Imm) == kir.SMID:
				what = "asks for its multiprocessor"
			}
			if what != "" {
				at := ""
				if v.Pos != (kir.Pos{}) {
					at = v.Pos.String() + ": "
				}
				return nil, fmt.Errorf("%skernel %s %s, which is another thing on each machine: it cannot be recorded once for all; launch it on each", at, f.Name, what)
			}
		}
	}
	if l.Memory != nil {
		_, paged := l.Memory.pieces()
		l.Memory.release()
		if paged {
			return nil, fmt.Errorf("kernel %s reads a file on demand, and a recording is computed on copies: load the array with np.Load first", f.Name)
		}
	}
	l.Record, l.Output, l.Order = nil, nil, nil
	return &Recording{Func: f, Launch: l, Limit: limit, derived: madeOnce[string, any]{most: mostDerived}}, nil
}

// Tape returns what the launch does with the program p, which somebody has made of the kernel.
func (r *Recording) Tape(ctx context.Context, p *Program) (*Tape, error) {
	return r.tapes.get(ctx, recordingKey{p.f.Hash(), p.arithmetic}, func() (*Tape, error) {
		l := r.Launch
		l.Memory = l.Memory.Copy()
		return p.NewTape(ctx, l, r.Limit)
	})
}

// Derived returns what create makes of the recording for all who have the same key: once, but for keys that others have
// been asked for since. Nobody may change it.
func (r *Recording) Derived(ctx context.Context, key string, create func() (any, error)) (any, error) {
	return r.derived.get(ctx, key, create)
}
