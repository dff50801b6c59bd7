package supervise

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// jobNumbers gives jobs their numbers.
type jobNumbers struct {
	mu      sync.Mutex
	highest int64 // 0 while there is no job
}

// Job is something that a cell has left running: goroutines that one statement has started, a listener or a connection,
// a timer, a process.
type Job struct {
	Number int    // stays the same until the job has ended
	Cell   int    // that has left it, 0 for a callback of a widget or another caller
	Where  string // the cell and, where it is known, the line: "cell 3, line 5"
	What   string // as "2 goroutines, sleeping"
	Killed bool   // it was told to end, and has not yet
}

// job is a Job with what ends it.
type job struct {
	Job
	number func() int64
	give   func(int64)
	at     engine.Frame
	end    func()
}

// jobGrace is how long EndJobs waits for what it has told to end.
const jobGrace = 600 * time.Millisecond

// Jobs returns what the cells that are over have left running, by numbers. It takes a profile of all goroutines.
func (s *Supervisor) Jobs() []Job {
	var out []Job
	for _, j := range s.jobs() {
		out = append(out, j.Job)
	}
	return out
}

// EndJobs ends the jobs with these numbers, all without any: goroutines end where they poll, sleep, or wait for a
// channel or a lock, listeners and connections are closed, timers are stopped, processes are killed. It returns soon,
// with those that go on: a goroutine in compiled code ends when that returns to it. A number that no job has is an
// error, and then nothing is ended.
func (s *Supervisor) EndJobs(ctx context.Context, numbers ...int) ([]Job, error) {
	all := s.jobs()
	var chosen []job
	for _, n := range numbers {
		i := slices.IndexFunc(all, func(j job) bool { return j.Number == n })
		if i < 0 {
			return nil, fmt.Errorf("there is no job %d", n)
		}
		chosen = append(chosen, all[i])
	}
	if len(numbers) == 0 {
		chosen = all
		http.DefaultClient.CloseIdleConnections()
	}
	ended := map[int]bool{}
	for _, j := range chosen { // goroutines first: their code goes on no more when what they wait at is closed
		ended[j.Number] = true
		j.end()
	}
	var left []Job
	for wait, until := time.Millisecond, time.Now().Add(jobGrace); ; wait *= 2 {
		left = slices.DeleteFunc(s.Jobs(), func(j Job) bool { return !ended[j.Number] })
		if len(left) == 0 || time.Now().Add(wait).After(until) || ctx.Err() != nil {
			break
		}
		if len(numbers) == 0 && wait == pipeGrace {
			s.closePipes()
		}
		time.Sleep(wait)
	}
	s.sweepWhenIdle()
	return left, nil
}

// pipeGrace is how long what EndJobs has told to end may take, in a power of two of milliseconds, before pipes are
// closed.
const pipeGrace = 16 * time.Millisecond

// closePipes closes the pipes of cells that are over: a goroutine may wait at one.
func (s *Supervisor) closePipes() {
	s.opened.each(func(o *opened) {
		if o.pipe && !o.by.run.goesOn() {
			o.end()
		}
	})
}

// sweepWhenIdle is sweep when no cell runs: the next one does it otherwise.
func (s *Supervisor) sweepWhenIdle() {
	s.mu.Lock()
	idle := len(s.running) == 0
	s.mu.Unlock()
	if idle {
		s.sweep()
	}
}

// jobs returns the jobs, with numbers.
func (s *Supervisor) jobs() (all []job) {
	s.jobNumbers.mu.Lock()
	defer s.jobNumbers.mu.Unlock()
	live := liveCrews()
	seen := map[*crew]bool{}
	s.owners.each(func(c *crew) {
		a := live[c.name]
		if a == nil || seen[c] || c.run.goesOn() || a.serves() {
			return
		}
		seen[c] = true
		all = append(all, job{
			Job: Job{Cell: c.run.cell, What: a.String(), Killed: c.abandoned.Load()}, at: c.at,
			number: c.job.Load, give: c.job.Store, end: func() { s.abandonCrew(c) },
		})
	})
	s.opened.each(func(o *opened) {
		if o.pipe || o.by.run.goesOn() {
			return
		}
		text := o.text
		if sv, _ := o.server.Load().(*server); sv != nil {
			text = sv.what + " on " + strings.TrimPrefix(text, "listener on ")
		}
		all = append(all, job{
			Job: Job{Cell: o.by.run.cell, What: text, Killed: o.closed.Load()}, at: o.at,
			number: o.job.Load, give: o.job.Store, end: o.end,
		})
	})
	if len(all) == 0 {
		s.jobNumbers.highest = 0
		return nil
	}
	slices.SortStableFunc(all, func(a, b job) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.at.Cell, b.at.Cell), cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.What, b.What))
	})
	for i := range all {
		j := &all[i]
		if j.number() == 0 {
			s.jobNumbers.highest++
			j.give(s.jobNumbers.highest)
		}
		j.Number = int(j.number())
		j.Where = whereText(j.Cell, j.at)
	}
	slices.SortFunc(all, func(a, b job) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// whereText is a line of code that a cell has run.
func whereText(cell int, at engine.Frame) string {
	text := fmt.Sprintf("cell %d", cell)
	switch {
	case cell == 0:
		text = "a callback"
	case at.Cell == cell:
		return at.String()
	}
	if at.Line > 0 {
		text += ", in " + at.String()
	}
	return text
}

// goesOn reports whether r is not over: an interrupt ends it.
func (r *Run) goesOn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.over
}

// serving is what a goroutine does that does nothing but serve a listener, which is a job of its own.
const serving = "serving"

func (a *alive) serves() bool { return len(a.doing) == 1 && a.doing[serving] > 0 }

// String says what the goroutines of a crew do.
func (a *alive) String() string {
	n := 0
	var parts []string
	for what, count := range a.doing {
		n += count
		parts = append(parts, fmt.Sprintf("%d %s", count, what))
	}
	text := "goroutine"
	if n > 1 {
		text = fmt.Sprintf("%d goroutines", n)
	}
	if len(parts) == 1 {
		_, what, _ := strings.Cut(parts[0], " ")
		return text + ", " + what
	}
	slices.Sort(parts)
	return text + ": " + strings.Join(parts, ", ")
}
