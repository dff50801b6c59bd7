package offload

import (
	"fmt"
	"runtime"
	"runtime/metrics"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// This file holds what is computed of files to the host's budget: what would need more is an error before anything is
// read, and what pieces leave behind is collected soon.

// besidesBudget is how much memory beyond the budget what lies between two steps may take.
const besidesBudget = 32 << 20

// needsAll is the error of t, or of who asks for elements where there is no task, which needs so many bytes at once of
// what a file has, or of what is made of it.
func (t *Task) needsAll(path string, bytes, budget int64) *NotStreamed {
	e := &NotStreamed{Path: path, Need: bytes, Budget: budget, Why: "its elements were asked for all at once"}
	if t == nil {
		return e
	}
	if e.Task, e.Why = t.Name, "it is computed by a function of the CPU, which takes arrays whole"; t.Launches != nil {
		e.Why = t.uncut()
	}
	return e
}

// checkBudget returns the error of the first task of p that needs more of the host's memory than there may be for what
// comes from files: all of a file or of what was made of one, or room for what is not wanted itself. It goes through p
// as execute does, without running anything.
func (rt *Runtime) checkBudget(p Program, l liveness, on places) error {
	c := &budgetCheck{rt: rt, p: p, l: l, on: on, budget: rt.HostBudget()}
	if !c.large() {
		return nil
	}
	for i := 0; i < len(p.Tasks); {
		n, err := c.next(i)
		if err != nil {
			return err
		}
		i += n
	}
	return nil
}

// budgetCheck is how far checkBudget is.
type budgetCheck struct {
	rt     *Runtime
	p      Program
	l      liveness
	on     places
	budget int64

	paths   map[*Value]string // of the files that values are made of
	onDisk  map[*Value]bool   // those of them that the host has not in memory
	between map[*Value]bool   // those that it has there, and nobody has asked for
	held    int64             // bytes of these
}

// large finds what is in files. It reports whether any of it is more than the budget.
func (c *budgetCheck) large() (large bool) {
	for _, t := range c.p.Tasks {
		for _, v := range t.reads() {
			if v.source != nil && v.host == nil && v.source.File() != nil {
				if c.paths == nil {
					c.paths, c.onDisk, c.between = make(map[*Value]string), make(map[*Value]bool), make(map[*Value]bool)
				}
				c.paths[v], c.onDisk[v] = v.source.Path(), true
				large = large || int64(v.size) > c.budget
			}
		}
	}
	return large
}

// next goes through the tasks from number i on that run together, and returns how many they are.
func (c *budgetCheck) next(i int) (int, error) {
	t := c.p.Tasks[i]
	n, reads := 0, t.reads()
	for _, v := range t.In {
		if c.onDisk[v] && t.Launches != nil && c.on.tiles(i) == nil {
			var fixed []*Value
			if n, fixed = c.rt.inPieces(c.on.of(i), c.p.Tasks, i, c.l); n > 0 {
				reads = fixed
			}
			break
		}
	}
	for _, v := range reads {
		most := c.budget
		if v.source == nil || v.source.IsTemporary() {
			most += besidesBudget
		}
		there := t.Launches != nil && (len(v.copies.on) > 0 || v.copies.split) // a device has it
		_, asks := t.OnDemand[v]
		brings := t.brings(v) || asks && v.source == nil // it will be in a temporary file
		if c.onDisk[v] && !brings && !there && int64(v.size) > most {
			return 0, fmt.Errorf("%s: %w", t.Name, t.needsAll(c.paths[v], int64(v.size), c.budget))
		}
	}
	end := i + max(n, 1)
	for k := i; k < end; k++ {
		if err := c.makes(k, end, n > 0); err != nil {
			return 0, err
		}
	}
	return end - i, nil
}

// makes sees to what task number i makes, which runs together with those before number end, in pieces or not.
func (c *budgetCheck) makes(i, end int, pieces bool) error {
	t, path := c.p.Tasks[i], ""
	for _, v := range t.reads() {
		if c.paths[v] != "" {
			path = c.paths[v]
		}
	}
	for k, v := range t.Out {
		if path == "" || !c.l.kept(v, end) {
			continue
		}
		c.paths[v] = path
		begins := k < len(t.From) && t.From[k] != nil // with another's elements, in memory
		if c.onDisk[v] = (v.spill != nil || v.sink != nil) && (pieces && !begins || t.Puts); c.onDisk[v] {
			continue
		}
		dies := c.l.last[v]
		if dies >= len(c.p.Tasks) || c.l.kept(v, dies+1) && v.spill == nil { // somebody has asked for it
			continue
		}
		c.between[v] = true
		if c.held += int64(v.size); c.held > c.budget+besidesBudget && int64(v.size) > c.budget {
			e := t.needsAll(path, int64(v.size), c.budget)
			e.Why = fmt.Sprintf("%s needs all of the %s that it makes", c.p.Tasks[dies].Name, device.Bytes(int64(v.size)))
			return fmt.Errorf("%s: %w", t.Name, e)
		}
	}
	for v := range c.between {
		if c.l.last[v] == i {
			c.held -= int64(v.size)
			delete(c.between, v)
		}
	}
	return nil
}

// inPieces is how many tasks of a program from number i on would run in pieces on d, and what each piece needs whole;
// as of [Runtime.page].
func (rt *Runtime) inPieces(d device.Device, tasks []*Task, i int, l liveness) (n int, fixed []*Value) {
	best := rt.fastest(chains(rt.together(tasks[i:])), d, d, min(rt.memory.pool(d).Size(), rt.streamingRoom()), i, l)
	if best == nil {
		return 0, nil
	}
	for _, u := range best.uses {
		whole := u.box(0, best.rows).Len()*u.bytes == u.v.size // or it is read range by range
		if u.fixed && !u.made && !u.there && whole {
			fixed = append(fixed, u.v)
		}
	}
	return len(best.tasks), fixed
}

// mostLeft is how much garbage pieces of files may leave before it is collected. The collector by itself lets the heap
// grow to twice what is in use, which is tens of megabytes where a device is modelled.
const mostLeft = 12 << 20

// leaveLittle collects garbage where there is much.
func leaveLittle() {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Uint64() > s[1].Value.Uint64()+mostLeft {
		runtime.GC()
	}
}
