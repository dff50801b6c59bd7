// Package check runs kernels of package kir and reports what is wrong with them though they may give the right result
// today: races in shared and global memory, reads of shared memory that nobody has written, threads of a warp that hear
// of each other through memory without a warp barrier between, and, as every run does, accesses out of bounds, threads
// of a block that wait at different barriers, and lanes that wait for each other in vain. Threads that have ended are
// not waited for, but a barrier that some have ended without reaching is reported, and a shuffle from a lane that has
// ended.
//
// Start with [Run]. It runs the kernel once, on the CPU engine, block after block, and listens to it: what it finds
// does not depend on which thread came first in that run, but on whether anything orders the two.
package check

import (
	"context"
	"errors"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// Kind says what a Finding is.
type Kind uint8

// The kinds of findings.
const (
	Race             Kind = iota // two threads access an address, one writes, and nothing orders them
	MissingWarpSync              // the same between threads of one warp, in different instructions
	Uninitialized                // a thread reads shared memory that no thread of its block has written
	OutOfBounds                  // an access outside of memory, or a failed check: Err is a *kir.Trap
	DivergentBarrier             // threads of a block wait at different barriers: Err is a *kir.BarrierError
	MissingLane                  // lanes of a warp wait for others that never come: Err is a *kir.WarpError
	MissedBarrier                // some threads of a block had ended when the others waited at a barrier
	NoLane                       // a shuffle reads from a lane whose thread has ended, or which the block does not have
	AbsentBlock                  // shared memory is used of a block of the cluster that may not have begun, or has ended
	UnfinishedCopy               // shared memory is read while an asynchronous copy to it may be on its way
	numKinds
)

var kindNames = [numKinds]string{"race", "missing warp sync", "uninitialized shared memory", "out of bounds", "divergent barrier", "missing lane", "missed barrier", "no lane", "absent block", "unfinished copy"}

// String returns the kind in words.
func (k Kind) String() string { return kindNames[k] }

// Options say what counts as wrong.
type Options struct {
	// Lockstep says that the lanes of a warp execute every instruction together, as devices before compute capability
	// 7.0 do: what one wrote in an earlier instruction another may read without a warp barrier.
	Lockstep bool
	// Warps says that nothing but MissingWarpSync is looked for.
	Warps bool
	// Max is the most findings that a report holds; 0 means 20. Findings at the same two lines are one.
	Max int
}

// Run runs p with launch l, whose Record it does not use and whose Workers it takes as 1, and returns what it found, in
// the order in which the run came to it. A nil slice means that nothing is wrong in this run: with other input the
// kernel may go other ways. The error is about the launch or of ctx; an error of the kernel itself is the last finding.
//
// Run takes time linear in the accesses, some 50 ns for each, and 60 bytes of memory for each word of 4 bytes that the
// kernel touches. A word remembers its last write and two reads by different threads: of accesses to different bytes of
// one word by several threads it may miss a race, and it finds none that is not there. Blocks are ordered by their
// atomics on one address where the kernel has a fence of the device, whichever threads of the blocks those were of. A
// load of the address that a compare-and-swap changes counts as atomic, as in the loops that make other atomics of it.
func Run(ctx context.Context, p *cpu.Program, l cpu.Launch, o Options) ([]Finding, error) {
	listener := NewListener(p, &l, o)
	c := listener.c
	l.Workers, l.Record = 1, listener.Block
	_, err := p.Run(ctx, l)
	var trap *kir.Trap
	var barrier *kir.BarrierError
	var warp *kir.WarpError
	switch {
	case errors.As(err, &trap):
		c.findings = append(c.findings, c.failure(OutOfBounds, err, trap.Value, trap.Block, trap.Thread, trap.Addr))
	case errors.As(err, &barrier):
		f := c.failure(DivergentBarrier, err, barrier.Barrier[0], barrier.Block, barrier.Thread[0], 0)
		f.With = Access{Value: barrier.Barrier[1], Block: barrier.Block, Thread: barrier.Thread[1]}
		c.findings = append(c.findings, f)
	case errors.As(err, &warp):
		c.findings = append(c.findings, c.failure(MissingLane, err, warp.Value, warp.Block, warp.Thread, 0))
	case err != nil:
		return c.findings, err
	}
	return c.findings, nil
}

// Listener finds what Run does in a run of somebody else's, or in a tape that is played: but for what ends a run with
// an error, and reads from lanes that are not there.
type Listener struct{ c *checker }

// NewListener returns one for the launch l of p.
func NewListener(p *cpu.Program, l *cpu.Launch, o Options) *Listener {
	if o.Max == 0 {
		o.Max = 20
	}
	return &Listener{newChecker(p, l, o)}
}

// Block returns the recorder of a block. The recorders of one Listener are called one after the other.
func (l *Listener) Block(cta int) cpu.Recorder { return l.c.block(cta) }

// Findings returns what has been found so far.
func (l *Listener) Findings() []Finding { return l.c.findings }
