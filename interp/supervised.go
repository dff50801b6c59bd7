package interp

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp/supervise"
)

// Job is something that a cell has left running: goroutines that one statement has started, a listener or a connection,
// a timer, a process.
type Job = supervise.Job

// Place is a place of cells' code: what packages that put work off keep, so that errors found later name who wrote it.
type Place = supervise.Place

// CellNumber returns the number of the cell whose context ctx is, 0 of none.
func CellNumber(ctx context.Context) int { return supervise.CellNumber(ctx) }

// Jobs returns what the cells that are over have left running, by numbers. It takes a profile of all goroutines.
func (s *Session) Jobs() []Job { return s.supervisor.Jobs() }

// EndJobs ends the jobs with these numbers, all without any: goroutines end where they poll, sleep, or wait for a
// channel or a lock, listeners and connections are closed, timers are stopped, processes are killed. It returns soon,
// with those that go on: a goroutine in compiled code ends when that returns to it. A number that no job has is an
// error, and then nothing is ended.
func (s *Session) EndJobs(ctx context.Context, numbers ...int) ([]Job, error) {
	return s.supervisor.EndJobs(ctx, numbers...)
}

// EndProcesses does for a process that was started for a cell at begun, and all that this has started, what an
// interrupt does for the processes of the cell's code.
func (s *Session) EndProcesses(pid int, begun time.Time) { s.supervisor.EndProcesses(pid, begun) }

// SetMemoryLimit sets how many bytes of the heap cells may take, all together; 0 lifts the limit. A cell that goes
// beyond it ends with an error of kind MemoryLimit, and what it has made is kept as far as variables hold it: make and
// append before they do it, the loop that makes many small things soon after. Garbage is collected harder near the
// limit, for the whole process.
func (s *Session) SetMemoryLimit(bytes int64) { s.supervisor.SetMemoryLimit(bytes) }

// MemoryLimit returns the limit, 0 when there is none, and what is in use now, with garbage that is not collected yet.
func (s *Session) MemoryLimit() (limit, used int64) { return s.supervisor.MemoryLimit() }

// CheckMemory returns an error when the limit does not allow to make something of so many bytes: for compiled code that
// makes what is large on behalf of a cell. What names it, as "an array".
func (s *Session) CheckMemory(what string, bytes int64) error {
	return s.supervisor.CheckMemory(what, bytes)
}

// Here returns the place that the calling goroutine executes, nil where it is not a cell's. Of goroutines that a cell
// has started it is the go statement's. It takes well below a microsecond.
func (s *Session) Here() *Place { return s.supervisor.Here() }

// Reading returns the contexts of the cells, also of ended ones, with a goroutine that waits in a read of a file, such
// as os.Stdin; as those of Context they have the values of what Run got. It takes a profile of all goroutines: ask for
// it when somebody is known to wait.
func (s *Session) Reading() []context.Context { return s.supervisor.Reading() }

// Redirect makes write get what cells write to a standard stream, "stdout" or "stderr", through fmt, log, print and
// println and the methods of os.Stdout and os.Stderr, with the context of the cell whose goroutine writes: also of one
// that is over. What else writes to the file descriptors, such as compiled code that was given os.Stdout, is not seen.
func (s *Session) Redirect(write func(ctx context.Context, stream string, text []byte) error) {
	s.supervisor.Redirect(write)
}

// Stream returns where a cell that runs with ctx writes to a standard stream: for what works on a cell's behalf beside
// its code. It is a file where nothing is redirected.
func (s *Session) Stream(ctx context.Context, name string) io.Writer {
	return s.supervisor.Stream(ctx, name)
}

// Call runs f as a cell runs: it can be interrupted, its panic becomes an [*Error], and what it writes is written with
// ctx. It is for functions of cells that others call, such as the callback of a widget.
func (s *Session) Call(ctx context.Context, f func()) error { return s.supervisor.Call(ctx, f) }

// Context returns the context of the cell whose goroutine calls: what compiled code that polls, such as the evaluation
// of arrays, should watch. It has the values of the context that [Session.Run] was given, and ends when the cell is
// halted; it does not end with a healthy cell, whose goroutines may go on. Where the goroutine is not a cell's, it is
// the context of the cell that began last of those that run, or context.Background().
func (s *Session) Context() context.Context { return s.supervisor.Context() }

// OnExit makes os.Exit call f, which must end the process, rather than end the cell: for a session whose only cell is a
// program.
func (s *Session) OnExit(f func(code int)) {
	s.program = f != nil
	s.supervisor.OnExit(f)
}

// GuardTest returns f so that its panic fails the test.
func (s *Session) GuardTest(f func(*testing.T)) func(*testing.T) { return s.supervisor.GuardTest(f) }

// GuardBenchmark returns f so that its panic fails the benchmark.
func (s *Session) GuardBenchmark(f func(*testing.B)) func(*testing.B) {
	return s.supervisor.GuardBenchmark(f)
}
