package trace

import "math"

// Graph is what one evaluation had to do: tasks, each after those whose values it reads. A task of several operations
// was fused into one kernel.
type Graph struct {
	Tasks   []Task
	Values  []Value
	Dropped int // tasks that are not in the graph, for there were too many
}

// Task makes values from values in one place.
type Task struct {
	Name    string
	Device  string // that it ran on
	Ops     []Op   // in the order of execution; may be empty when they are not known
	In, Out []int  // numbers of values
}

// Op is one operation of a task.
type Op struct {
	Name string
	Args []int // an operation of the task by its number; input k of the task as ^k; or Constant
}

// Constant stands for an operand that is a number of the kernel.
const Constant = math.MinInt

// Value is some bytes that tasks make or read.
type Value struct {
	Bytes  int64
	From   string // where it was when the run began: "host", a device; "" when a task makes it
	Wanted bool   // it was brought to the host at the end
}

// SetGraph says what l's evaluation had to do. g must not change afterwards.
func (l *Log) SetGraph(g *Graph) {
	l.mu.Lock()
	l.graph = g
	l.mu.Unlock()
}

// Graph returns what the evaluation had to do, or nil when that is not known. Do not change it.
func (l *Log) Graph() *Graph {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.graph
}
