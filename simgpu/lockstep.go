package simgpu

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/check"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// This file finds kernels that rely on the lanes of a warp going together, where a policy lets them go apart. That
// memory is as it should be all the same is no proof: results are those of the functional pass, and under such a policy
// right by luck. So the race checker hears what blocks do, of the launch itself or of its tape. What it says does not
// depend on the order in which threads came.

// Bounds of what is looked at, so that it takes some tenths of a second at most, at 50 ns for an access.
const (
	lockstepBlocks   = 32      // evenly over the launch, the first and the last among them
	lockstepAccesses = 1 << 17 // of threads, in each of these
)

// inStep reports whether lanes of a warp go together under d wherever their ways are the same: also under TF, where no
// lanes go on while others may still come to where they are.
func inStep(d Divergence) bool {
	switch d.(type) {
	case PDOM, TF:
		return true
	}
	return false
}

// lockstepWatch looks for lanes that rely on going together. A nil one looks at nothing.
type lockstepWatch struct {
	program *cpu.Program
	launch  cpu.Launch
	chosen  map[int]bool

	mu    sync.Mutex
	block int // of found
	found *check.Finding
}

// watchLockstep returns what looks at a launch, or nil where lanes go in step.
func (k *kernel) watchLockstep(l *cpu.Launch) *lockstepWatch {
	if inStep(k.gpu.policies.divergence) {
		return nil
	}
	w := &lockstepWatch{program: k.program, launch: *l, chosen: map[int]bool{}}
	blocks := l.Grid.Count()
	n := min(lockstepBlocks, blocks)
	for i := range n {
		w.chosen[i*(blocks-1)/max(n-1, 1)] = true
	}
	return w
}

// beside returns the recorders of record, to whom w listens; of record nil, w alone.
func (w *lockstepWatch) beside(record func(cta int) cpu.Recorder) func(cta int) cpu.Recorder {
	if w == nil {
		return record
	}
	return func(cta int) cpu.Recorder {
		var other cpu.Recorder
		if record != nil {
			other = record(cta)
		}
		if !w.chosen[cta] {
			return other
		}
		of := check.NewListener(w.program, &w.launch, check.Options{Warps: true, Max: 1})
		return &lockstepBlock{Recorder: of.Block(cta), of: of, watch: w, cta: cta, other: other}
	}
}

// lockstepBlock listens to a block, beside another recorder.
type lockstepBlock struct {
	cpu.Recorder
	of       *check.Listener
	watch    *lockstepWatch
	cta      int
	accesses int
	other    cpu.Recorder // or nil
}

func (b *lockstepBlock) Step(blk *kir.Block, threads []int32) {
	if b.accesses < lockstepAccesses {
		b.Recorder.Step(blk, threads)
	}
	if b.other != nil {
		b.other.Step(blk, threads)
	}
}

func (b *lockstepBlock) Access(v *kir.Value, threads []int32, at cpu.Addresses) {
	if b.accesses < lockstepAccesses {
		b.Recorder.Access(v, threads, at)
		b.accesses += len(threads)
	}
	if b.other != nil {
		b.other.Access(v, threads, at)
	}
}

func (b *lockstepBlock) End() {
	if found := b.of.Findings(); len(found) > 0 {
		w := b.watch
		w.mu.Lock()
		if w.found == nil || b.cta < w.block { // the same whoever ends first
			w.block, w.found = b.cta, &found[0]
		}
		w.mu.Unlock()
	}
	if b.other != nil {
		b.other.End()
	}
}

// Bytes implements cpu.Sized.
func (w *lockstepWatch) Bytes() int64 { return int64(64 + 16*len(w.chosen)) }

// result returns how many blocks of a launch of k w has listened to, and the launch's error.
func (w *lockstepWatch) result(k *kernel) (blocks int, err error) {
	if w == nil {
		return 0, nil
	}
	if w.found != nil {
		err = k.lockstepError(w.found)
	}
	return len(w.chosen), err
}

func (k *kernel) lockstepError(f *check.Finding) error {
	e := k.orderError(f.Value.Pos, "")
	e.Block, e.Thread = f.Block, f.Thread
	_, what, _ := strings.Cut(f.String(), "kernel "+k.name+": ")
	e.What = what + "\nwhich is right where the lanes of a warp go together, as under PDOM, and wrong under a policy that lets them go apart: put gpu.SyncWarp() between the two"
	return e
}

// lockstepOf is result of a launch that was recorded, as of the launch itself. It looks at the tape once
// for all machines.
func (k *kernel) lockstepOf(ctx context.Context, rec *cpu.Recording, l cpu.Launch) (blocks int, err error) {
	w := k.watchLockstep(&l)
	if w == nil {
		return 0, nil
	}
	made, err := rec.Derived(ctx, fmt.Sprintf("lockstep %x %v", k.program.Func().Hash(), k.gpu.arithmetic), func() (cpu.Sized, error) {
		tape, err := rec.Tape(ctx, k.program)
		if err != nil {
			return nil, err
		}
		return w, tape.Play(ctx, k.program, nil, w.beside(nil))
	})
	if err != nil {
		return 0, err
	}
	return made.(*lockstepWatch).result(k)
}
