package lazy

import (
	"context"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// What needs all elements of an array is computed otherwise where they are in a file, or made of one, and are more than
// the budget: routines with kernels that can be cut go through the CPU in pieces where no device takes them, and those
// below read the elements block by block. An expression between goes by way of a temporary file.

// filesOpened is whether any file has been opened: nobody looks for large ones before.
var filesOpened atomic.Bool

// outOfCore computes a node from its first argument's elements, in C order, which are too many for memory.
type outOfCore struct {
	dir  string // for temporary files
	puts bool   // the result is as large, and goes to a file unless it is asked for
	run  func(in blocks, out *sequence) error
}

// othersAreSmall says of the arguments beside the first whether all are known, or small enough to be computed before.
func (n *node) othersAreSmall() bool {
	budget := runtime().HostBudget()
	for _, a := range n.args[1:] {
		if a.node.kind != kindConst && (!a.isWhole() || int64(sizeBytes(a.node)) > budget/4) {
			return false
		}
	}
	return true
}

// blocks are elements that are read piece by piece.
type blocks struct {
	ctx    context.Context
	dtype  arrays.DType
	first  int // of the elements that are meant
	n      int // elements
	dir    string
	others []*arrays.Array // the arguments beside them; nil of operations element by element
	memory []byte          // where they are in memory after all
	source *disk.Source    // otherwise
}

// room is how much memory the blocks of one pass may take.
func room() int { return int(max(runtime().HostBudget()/4, 1<<16)) }

// read reads elements from number at on to b.
func (in blocks) read(b []byte, at int) error {
	const most = 8 << 20 // between two looks at whether anyone still waits
	off := int64(in.first+at) * int64(in.dtype.Size())
	for len(b) > 0 {
		if err := in.ctx.Err(); err != nil {
			return err
		}
		n := min(len(b), most)
		if in.memory != nil {
			copy(b[:n], in.memory[off:])
		} else if err := in.source.ReadAt(b[:n], off); err != nil {
			return err
		}
		b, off = b[n:], off+int64(n)
	}
	return nil
}

// each calls f for all elements, block by block: an array that is another one's afterwards, and the place of its first.
func (in blocks) each(f func(block *arrays.Array, at int) error) error {
	size := in.dtype.Size()
	b := make([]byte, min(room()/size, max(in.n, 1))*size)
	for at := 0; at < in.n; {
		n := min(len(b)/size, in.n-at)
		if err := in.read(b[:n*size], at); err != nil {
			return err
		}
		if err := f(arrays.FromBytes(in.dtype, []int{n}, b[:n*size]), at); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// sequence is what is written from its beginning on: to memory, or to a file.
type sequence struct {
	bytes  []byte
	source *disk.Source
	at     int64
}

func (s *sequence) put(b []byte) error {
	if s.source == nil {
		copy(s.bytes[s.at:], b)
	} else if err := s.source.WriteAt(b, s.at); err != nil {
		return err
	}
	s.at += int64(len(b))
	return nil
}

// oversized says of the nodes that wait, each after its arguments, in which directory the file is of which they are
// made, where they are too large for memory as it is; "" of others.
func oversized(order []*node) func(n *node) string {
	of := largeFile(order)
	return func(n *node) string {
		if path := of(n); path != "" {
			return filepath.Dir(path)
		}
		return ""
	}
}

// largeFile is as oversized, and says which file.
func largeFile(order []*node) func(n *node) string {
	budget := runtime().HostBudget()
	files := map[*node]string{}
	of := func(n *node) string {
		if n.value == nil || !n.done() {
			return files[n]
		}
		if s := n.value.Source(); s != nil && s.File() != nil && !n.value.OnHost() && int64(sizeBytes(n)) > budget {
			return s.Path()
		}
		return ""
	}
	for _, n := range order {
		if int64(sizeBytes(n)) <= budget {
			continue
		}
		for _, a := range n.args {
			if file := of(a.node); file != "" {
				files[n] = file
				break
			}
		}
	}
	return of
}

// placeOutOfCore decides of the nodes that wait which are computed out of core.
func placeOutOfCore(order []*node) (of func(n *node) string) {
	if !filesOpened.Load() {
		return func(*node) string { return "" }
	}
	of = oversized(order)
	for _, n := range order {
		if n.rare != &ordinary {
			n.outOfCore, n.spills = nil, ""
		}
		if dir := of(n); dir != "" {
			n.own().spills = dir
		}
		if len(n.args) == 0 || n.fusable() {
			continue
		}
		dir := of(n.args[0].node)
		if dir == "" {
			continue
		}
		run, puts := n.outOfCoreForm()
		if run == nil {
			continue
		}
		a := n.args[0]
		if !a.isWhole() {
			a = all(newNode(kindCast, a.node.dtype, contiguous(a.layout.Shape), &ordinary, a))
			a.node.part = true
			n.args[0] = a
		}
		if !a.node.done() {
			a.node.own().spills = dir
		}
		n.own().outOfCore = &outOfCore{dir: dir, puts: puts, run: run}
	}
	return of
}

// outOfCoreForm is how n is computed block by block, and whether its result is as large as what it is made of; nil
// where it is not.
func (n *node) outOfCoreForm() (run func(in blocks, out *sequence) error, puts bool) {
	a := n.args[0]
	switch n.kind {
	case kindUfunc, kindCast:
		return n.elementByElement(), true
	case kindHost:
	case kindReduce:
		if l, ok := resultsOfLines(n); ok && n.reduce.Reduction.IsIndex() && !a.node.dtype.IsComplex() {
			return l.run, l.puts()
		}
		return nil, false
	default:
		return nil, false
	}
	if n.host.fn != nil {
		return nil, false
	}
	if name := n.host.ann.Name; name == "sort" || name == "argsort" {
		if !sortsInRuns(a.node.dtype) {
			return nil, false
		}
		lines, length, inner := linesOf(a.layout.Shape, lastAxis(n.host.axis))
		run := sortInRuns
		if name == "argsort" {
			run = placesInRuns
		}
		if lines == 1 {
			return run, true
		}
		together := length // lines that lie beside each other are not cut apart
		if inner > 1 {
			together *= inner
		}
		if together*max(a.node.dtype.Size(), n.dtype.Size()) <= room()/4 { // lines are cut off by the device
			return nil, false
		}
		return linesInRuns(run, length, inner, n.dtype.Size()), true
	}
	l, ok := resultsOfLines(n)
	if !ok || n.host.sorted == nil || l.whole() == nil || !l.fits() || !n.othersAreSmall() {
		return nil, false
	}
	if size := a.node.dtype.Size(); l.length*size > room() && !sortsInRuns(a.node.dtype) {
		return nil, false
	}
	return l.run, l.puts()
}

// elementByElement is how an operation without a kernel is done of an array and constants; nil where it is of more.
func (n *node) elementByElement() func(in blocks, out *sequence) error {
	if !slices.Equal(n.args[0].layout.Shape, n.layout.Shape) || hasTexts(n.dtype) {
		return nil
	}
	operands := make([]*arrays.Array, len(n.args))
	for i, a := range n.args[1:] {
		if a.node.kind != kindConst {
			return nil
		}
		operands[i+1] = a.node.scalar
	}
	return func(in blocks, out *sequence) error {
		return in.each(func(b *arrays.Array, _ int) error {
			operands[0] = b
			if n.kind == kindCast {
				return out.put(b.AsType(n.dtype).Copy().Bytes())
			}
			return out.put(n.ufunc.ApplyAs(n.compute, n.dtype, operands...).Copy().Bytes())
		})
	}
}

func lastAxis(axis []int) []int {
	if len(axis) == 0 {
		return []int{-1}
	}
	return axis
}

// outOfCoreTask is the task of a group whose root is computed block by block.
func (g *group) outOfCoreTask() *offload.Task {
	n := g.root
	v, value, how := n.args[0].node.value, n.value, n.outOfCore
	t := &offload.Task{
		Name: g.name(), In: []*offload.Value{v}, Out: []*offload.Value{value},
		OnDemand: map[*offload.Value]bool{v: false}, Puts: how.puts,
	}
	others := make([]*arrays.Array, 0, len(n.args)) // nil where they are among the task's inputs
	if n.kind == kindHost {
		for _, a := range n.args[1:] {
			others = append(others, a.node.scalar)
			if a.node.kind != kindConst {
				t.In = append(t.In, a.node.bytes())
			}
		}
	}
	t.Ops = g.ops(among(t.In))
	in := blocks{ctx: runtime().CellContext(), dtype: n.args[0].node.dtype, n: elementsIn(n.args[0].layout.Shape), dir: how.dir}
	t.CPU = func(out, bytes [][]byte) error {
		return n.placing(func() error {
			in, to := in, &sequence{bytes: out[0]}
			if in.memory = bytes[0]; in.memory == nil {
				in.source = v.Source()
			}
			if out[0] == nil {
				to.source = value.Sink()
			}
			in.others = slices.Clone(others)
			next := 1
			for i, a := range n.args[1:] {
				if i < len(others) && others[i] == nil {
					in.others[i] = arrays.FromBytes(a.node.dtype, a.layout.Shape, bytes[next])
					next++
				}
			}
			return how.run(in, to)
		})
	}
	return t
}

// temporary lets v be in a file of its own, in a directory.
func temporary(v *offload.Value, dir string) {
	bytes := int64(v.Bytes())
	v.SetSpill(func() (*disk.Source, error) { return disk.Temporary(dir, bytes) })
}

// hostDevice returns the CPU as a device.
func hostDevice(rt *offload.Runtime) device.Device {
	d, err := rt.Named("host")
	if err != nil {
		return nil
	}
	return d[0]
}
