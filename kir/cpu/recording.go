package cpu

import (
	"context"
	"fmt"
	"slices"
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

	tapes   madeOnce[recordingKey, *Tape]
	derived madeOnce[string, Sized]

	mu   sync.Mutex
	kept []keptOf // of derived, the last asked for at the end
}

// recordingKey is what programs have in common that do the same.
type recordingKey struct {
	hash       [32]byte
	arithmetic Arithmetic
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
	return &Recording{Func: f, Launch: l, Limit: limit}, nil
}

// Tape returns what the launch does with the program p, which somebody has made of the kernel.
func (r *Recording) Tape(ctx context.Context, p *Program) (*Tape, error) {
	key := recordingKey{p.f.Hash(), p.arithmetic}
	if !floats32(p.f) {
		key.arithmetic = IEEE
	}
	return r.tapes.get(ctx, key, func() (*Tape, error) {
		l := r.Launch
		l.Memory = l.Memory.Copy()
		return p.NewTape(ctx, l, r.Limit)
	})
}

// floats32 reports whether any value of f has 32 bits as a float: of others all arithmetics make the same.
func floats32(f *kir.Func) bool {
	for _, b := range f.Blocks {
		for _, v := range slices.Concat(b.Params, b.Values) {
			if v.Type == kir.F32 || v.Type == kir.F16 {
				return true
			}
		}
	}
	return false
}
