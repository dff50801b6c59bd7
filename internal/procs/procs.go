// Package procs is the table of the system's processes: who has started whom, and how to end them. A leaf.
//
// It is there for those who must end what a cell has started, also through programs of others. Which fields are known
// depends on the system; on some the table is empty.
package procs

import (
	"os"
	"slices"
	"time"
)

// Process is a process at the time of [List].
type Process struct {
	PID, Parent int
	Group       int           // process group, 0 where there are none
	Session     int           // of processes, 0 where there are none
	Age         time.Duration // since its start; 0 where it is not known
	Zombie      bool          // it has ended, and its parent has not asked how

	start uint64 // tells processes apart that have one number after the other
}

// Same reports whether p and o are one process.
func (p Process) Same(o Process) bool { return p.PID == o.PID && p.start == o.start }

// Below returns the processes that pid has started, and that those have started, without zombies.
func Below(table []Process, pid int) (all []Process) {
	found := map[int]bool{pid: true}
	for more := true; more; {
		more = false
		for _, p := range table {
			if found[p.Parent] && !found[p.PID] {
				found[p.PID] = true
				more = true
				if !p.Zombie {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// Left returns those of the processes that have not ended.
func Left(of []Process) (left []Process) {
	if len(of) == 0 {
		return nil
	}
	table := List()
	for _, p := range of {
		if slices.ContainsFunc(table, func(o Process) bool { return p.Same(o) && !o.Zombie }) {
			left = append(left, p)
		}
	}
	return left
}

// End interrupts processes, as Ctrl-C does, and kills those that have not ended after grace.
func End(of []Process, grace time.Duration) {
	for _, p := range of {
		interrupt(p.PID)
	}
	until := time.Now().Add(grace)
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		if of = Left(of); len(of) == 0 {
			return
		}
		if time.Now().After(until) {
			break
		}
		time.Sleep(wait)
	}
	Kill(of)
}

// Kill kills processes at once.
func Kill(of []Process) {
	for _, p := range of {
		if q, err := os.FindProcess(p.PID); err == nil {
			q.Kill()
			q.Release()
		}
	}
}

// KillFamily kills all processes below the calling one, and the others of a session of processes (0: none), as often as
// they start new ones.
func KillFamily(session int) {
	for range 20 {
		table := List()
		of := Below(table, os.Getpid())
		for _, p := range table {
			if session != 0 && p.Session == session && p.PID != os.Getpid() && !p.Zombie && !slices.ContainsFunc(of, p.Same) {
				of = append(of, p)
			}
		}
		if len(of) == 0 {
			return
		}
		Kill(of)
		time.Sleep(time.Millisecond)
	}
}
