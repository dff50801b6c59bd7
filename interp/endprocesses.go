package interp

import (
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/procs"
)

// processGrace is how long processes that a cell has started may take to end after an interrupt, before they are killed.
const processGrace = time.Second

// ageUnit is how exactly the age of a process is known.
const ageUnit = 20 * time.Millisecond

// interruptProcesses interrupts what r has started, as Ctrl-C in a terminal does: the processes that its code has started and
// all below them, and what libraries have started for it in the process group of the session. What an earlier cell has left
// running is another job. It returns when all have ended or were killed: their output is no later cell's.
func (s *Session) interruptProcesses(r *run) {
	of := map[int]*run{}
	s.opened.each(func(o *opened) {
		if o.process != 0 {
			of[o.process] = o.by.run
		}
	})
	r.mu.Lock()
	for _, pid := range r.started { // also of those that have ended: others may be left of their group
		of[pid] = r
	}
	r.mu.Unlock()
	table := procs.List()
	group, leads := procs.Own()
	if leads || len(procs.Below(table, os.Getpid())) > 0 {
		procs.End(processesOf(table, of, r, group, leads), processGrace)
	}
}

// processesOf returns the processes of the table that r has started, where of says whose are those that are known. Others are
// taken for those of the running cell when they are of the session's process group and younger than the cell.
func processesOf(table []procs.Process, of map[int]*run, r *run, group int, leads bool) (all []procs.Process) {
	self := os.Getpid()
	byPID := map[int]procs.Process{}
	for _, p := range table {
		byPID[p.PID] = p
	}
	for _, p := range table {
		var by *run
		mine := leads && p.Session == self // also those whose parents have ended
		for at, ok, steps := p, true, 0; ok && steps < len(table); at, ok = byPID[at.Parent] {
			if by == nil {
				by = of[at.PID]
			}
			if at.PID == self {
				mine = true
				break
			}
			steps++
		}
		if by == nil && p.Group != p.PID {
			by = of[p.Group]
		}
		if by == nil && p.Group == group && p.Age > 0 && p.Age < time.Since(r.begun)+ageUnit {
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

// ownGroup gives c a process group of its own until restore, in a session that leads its processes: what belongs to it is known
// by that, also when it has ended. In a terminal the group is the terminal's, or the process could not read from it.
func ownGroup(c *exec.Cmd) (restore func()) {
	was := c.SysProcAttr
	if _, leads := procs.Own(); leads {
		c.SysProcAttr = withGroup(was)
	}
	return func() { c.SysProcAttr = was }
}
