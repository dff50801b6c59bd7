package supervise

import (
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/procs"
)

// processGrace is how long processes that a cell has started may take to end after an interrupt, before they are
// killed.
const processGrace = time.Second

// processRounds is how often an interrupt looks for processes that were started while others ended.
const processRounds = 20

// ageUnit is how exactly the age of a process is known.
const ageUnit = 20 * time.Millisecond

// interruptProcesses interrupts what r has started, as Ctrl-C in a terminal does: the processes that its code has
// started and all below them, what libraries have started for it, and what has left its parents (setsid, two forks)
// where the system tells that (procs.Adopting). What an earlier cell has left running is another job. It returns when
// all have ended or were killed: their output is not a later cell's.
func (s *Supervisor) interruptProcesses(r *Run) {
	r.mu.Lock()
	started := slices.Clone(r.started) // also of those that have ended: others may be left of their group
	r.mu.Unlock()
	s.endStarted(r, started)
}

// EndProcesses does for a process that was started for a cell at begun, and all that this has started, what an
// interrupt does for the processes of the cell's code.
func (s *Supervisor) EndProcesses(pid int, begun time.Time) {
	s.endStarted(&Run{begun: begun}, []int{pid})
}

// endStarted ends what r has started.
func (s *Supervisor) endStarted(r *Run, started []int) {
	of := map[int]*Run{}
	s.opened.each(func(o *opened) {
		if o.process != 0 {
			of[o.process] = o.by.run
		}
	})
	for _, pid := range started {
		of[pid] = r
	}
	for round := range processRounds {
		table := procs.List()
		_, alone := procs.Own()
		if !alone && len(procs.Below(table, os.Getpid())) == 0 {
			return
		}
		all := processesOf(table, of, r)
		switch {
		case len(all) == 0:
			return
		case round == 0:
			procs.End(all, processGrace)
		default: // started since then
			procs.Kill(all)
			time.Sleep(time.Millisecond)
		}
	}
}

// processesOf returns the processes of the table that r has started, where of says whose are those that are known.
// Others below the session are taken for those of the running cell when they are younger than the cell, and no process
// of the program's own.
func processesOf(table []procs.Process, of map[int]*Run, r *Run) (all []procs.Process) {
	self := os.Getpid()
	byPID := map[int]procs.Process{}
	for _, p := range table {
		byPID[p.PID] = p
	}
	for _, p := range table {
		var by *Run
		mine, kept := p.Session == self, false // also those whose parents have ended
		for at, ok, steps := p, true, 0; ok && steps < len(table); at, ok = byPID[at.Parent] {
			if by == nil {
				by = of[at.PID]
			}
			kept = kept || procs.Kept(at.PID)
			if at.PID == self {
				mine = true
				break
			}
			steps++
		}
		if by == nil && p.Group != p.PID {
			by = of[p.Group]
		}
		if by == nil && !kept && p.Age > 0 && p.Age < time.Since(r.begun)+ageUnit {
			by = r
		}
		if mine && by == r && p.PID != self && !p.Zombie {
			all = append(all, p)
		}
	}
	return all
}

// killProcess kills a process and all below it, and what is left of its process group when it leads one.
func killProcess(p *os.Process) {
	table := procs.List()
	of := procs.Below(table, p.Pid)
	for _, o := range table {
		if o.Group == p.Pid && !slices.ContainsFunc(of, o.Same) {
			of = append(of, o)
		}
	}
	p.Kill()
	procs.Kill(slices.DeleteFunc(of, func(o procs.Process) bool { return o.PID == p.Pid || o.Zombie }))
}

// ownGroup gives c a process group of its own until restore, away from terminals: what belongs to it is known by that,
// also when it has ended. In a terminal the group is the terminal's, or the process could not read from it.
func ownGroup(c *exec.Cmd) (restore func()) {
	was := c.SysProcAttr
	if _, alone := procs.Own(); alone {
		c.SysProcAttr = withGroup(was)
	}
	return func() { c.SysProcAttr = was }
}
