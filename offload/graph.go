package offload

import (
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxGraph bounds the tasks of a trace's graph.
const maxGraph = 500

// graphOf returns what p has to do, and on which devices, before it is done.
func graphOf(p Program, places places) *trace.Graph {
	g := &trace.Graph{}
	tasks := p.Tasks
	if len(tasks) > maxGraph {
		g.Dropped = len(tasks) - maxGraph
		tasks = tasks[:maxGraph]
	}
	most := 0 // that tasks read and make, each as often as they do
	for _, t := range tasks {
		most += len(t.In) + len(t.From) + len(t.Out)
	}
	number := make(map[*Value]int)
	all := make([]int, 0, most)
	g.Values = make([]trace.Value, 0, most)
	numbers := func(vs []*Value) []int {
		k := len(all)
		all = all[:k+len(vs)]
		out := all[k:len(all):len(all)]
		for i, v := range vs {
			n, ok := number[v]
			if !ok {
				n = len(g.Values)
				number[v] = n
				g.Values = append(g.Values, trace.Value{Bytes: int64(v.size), From: v.place()})
			}
			out[i] = n
		}
		return out
	}
	g.Tasks = make([]trace.Task, len(tasks))
	for i, t := range tasks {
		on := "host"
		if t.Launches != nil {
			on = places.of(i).ID()
		}
		g.Tasks[i] = trace.Task{Name: t.Name, Device: on, Ops: t.Ops, In: numbers(t.reads()), Out: numbers(t.Out)}
	}
	for _, v := range p.Want {
		if n, ok := number[v]; ok {
			g.Values[n].Wanted = true
		}
	}
	return g
}

// place returns where v has a valid copy: a device before the host.
func (v *Value) place() string {
	for r := range v.copies.each {
		return r.dev.ID()
	}
	if v.stays() {
		return "host"
	}
	return ""
}
