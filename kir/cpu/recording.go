package cpu

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Recording is a launch that is computed once and then timed on several machines. Machines that make the same program
// of the kernel have one Tape; where a machine's compiler makes another, with values in local memory say, the launch is
// computed again, on the same memory. It may be used by several goroutines.
type Recording struct {
	Func   *kir.Func // as it was launched
	Launch Launch    // its memory stays as it is
	Limit  int64     // bytes of a tape

	mu    sync.Mutex
	tapes map[recordingKey]*recordingTape
}

// recordingKey is what programs have in common that do the same.
type recordingKey struct {
	hash       [32]byte
	arithmetic Arithmetic
}

type recordingTape struct {
	once sync.Once
	tape *Tape
	err  error
}

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
	return &Recording{Func: f, Launch: l, Limit: limit, tapes: map[recordingKey]*recordingTape{}}, nil
}

// Tape returns what the launch does with the program p, which somebody has made of the kernel.
func (r *Recording) Tape(ctx context.Context, p *Program) (*Tape, error) {
	key := recordingKey{p.f.Hash(), p.arithmetic}
	for {
		r.mu.Lock()
		t := r.tapes[key]
		if t == nil {
			t = new(recordingTape)
			r.tapes[key] = t
		}
		r.mu.Unlock()
		t.once.Do(func() {
			l := r.Launch
			l.Memory = l.Memory.Copy()
			t.tape, t.err = p.NewTape(ctx, l, r.Limit)
		})
		if t.err == nil || !errors.Is(t.err, context.Canceled) && !errors.Is(t.err, context.DeadlineExceeded) {
			return t.tape, t.err
		}
		r.mu.Lock() // who ran it was interrupted
		if r.tapes[key] == t {
			delete(r.tapes, key)
		}
		r.mu.Unlock()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}
