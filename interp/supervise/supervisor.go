package supervise

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/parking"
)

// Options say what a supervisor works with. Those of the same name in interp.Options say more.
type Options struct {
	Engine       engine.Engine           // runs the code
	Evaluate     func(v any)             // is called with what cells print; may be nil
	Underway     func() string           // names what cannot be asked to stop; may be nil
	Background   func(*cellerror.Error)  // gets panics of goroutines that outlived their cell; nil prints them
	PackageNames func(msg string) string // writes the packages in a message as cells name them; nil leaves it
}

// Supervisor runs the cells of one session, and knows all that goes on for them. Its methods may be called from any
// goroutine.
type Supervisor struct {
	opts   Options
	onExit func(code int)

	mu      sync.Mutex  // guards running
	running []*Run      // the cells that run, in the order of their start
	woken   atomic.Bool // cells have made what can wake a goroutine from outside

	tagPrefix  string // begins the names of its tags
	owners     owners
	parked     parking.Lot
	conds      condWaits
	opened     openedThings
	jobNumbers jobNumbers
	output     atomic.Pointer[func(context.Context, string, []byte) error] // see Redirect
	memory     memory
	watcher    watcher
	left       leftCrews
}

// New returns a supervisor of no cells. It raises the process's limit for stacks: see stackLimit.
func New(opts Options) *Supervisor {
	s := &Supervisor{opts: opts}
	s.tagPrefix = fmt.Sprintf("%p r", s)
	debug.SetMaxStack(maxStack)
	return s
}

// OnExit makes os.Exit call f, which must end the process, rather than end the cell.
func (s *Supervisor) OnExit(f func(code int)) { s.onExit = f }

// Close closes what cells have opened. Nothing of them may run afterwards.
func (s *Supervisor) Close() { s.closeOpened(func(*Run) bool { return true }) }

// Idle reports whether no cell runs.
func (s *Supervisor) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running) == 0
}

// WhileIdle calls f and returns true; while a cell runs it calls nothing and returns false. No cell begins before f has
// returned, which must call nothing of the supervisor.
func (s *Supervisor) WhileIdle(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.running) > 0 {
		return false
	}
	f()
	return true
}

// Running returns the cells that run, in the order of their start.
func (s *Supervisor) Running() []*Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.running)
}

// Context returns the context of the cell whose goroutine calls. It has the values of the context that the run was
// launched with, and ends when the cell is halted; it does not end with a healthy cell, whose goroutines may go on.
// Where the goroutine is not a cell's, it is the context of the cell that began last of those that run, or
// context.Background().
func (s *Supervisor) Context() context.Context {
	if r := s.mine(); r != nil {
		return r.ctx
	}
	return context.Background()
}

// numberKey is of a cell's number in its context.
type numberKey struct{}

// WithCell returns ctx as the context of the cell with that number.
func WithCell(ctx context.Context, cell int) context.Context {
	return context.WithValue(ctx, numberKey{}, cell)
}

// CellNumber returns the number of the cell whose context ctx is, 0 of none.
func CellNumber(ctx context.Context) int {
	n, _ := ctx.Value(numberKey{}).(int)
	return n
}
