package lazy

import (
	"slices"
	"strconv"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
)

// kernelTask makes the task of a group that has a kernel.
func (g *group) kernelTask() (*offload.Task, error) {
	f, err := newFused(g)
	if err != nil {
		return nil, err
	}
	switch g.root.kind {
	case kindReduce:
		return f.reduceTask()
	case kindPatch:
		return f.patchTask()
	}
	return f.mapTask()
}

// everyAxis chooses all axes.
func everyAxis(int) bool { return true }

// mapTask: one thread computes one element of each of the outputs.
func (f *fused) mapTask() (*offload.Task, error) {
	r, launches, err := f.mapLaunches()
	if err != nil {
		return nil, err
	}
	task := f.task(r, launches, nil)
	task.Parts = mapParts{f}
	return task, nil
}

func (f *fused) mapLaunches() (*groupPlan, []offload.Launch, error) {
	n := elementsIn(f.domain)
	sizeAt := f.param("n", kir.I64, offload.Int(n))
	to := len(f.args)
	for k, out := range f.g.outs {
		name := "out"
		if len(f.g.outs) > 1 {
			name = "out" + strconv.Itoa(k)
		}
		f.param(name, kir.U64, offload.Pointer(out.value))
	}
	dims := dimsOf(f.domain, f.layouts(), everyAxis)
	r, err := f.planned(formMap, dims, nil, func(r *groupPlan) error {
		return r.add(f.kernel(r.name, func(e *emitter) { e.mapBody(sizeAt, to, dims) }))
	})
	if err != nil {
		return nil, nil, err
	}
	return r, []offload.Launch{f.launch(r, 0, kir.D1((n+blockSize-1)/blockSize))}, nil
}

func (e *emitter) mapBody(sizeAt, to int, dims []dim) {
	b := e.b
	i := b.GlobalIDX()
	body, end := b.NewBlock("body"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, e.p[sizeAt]), body, end)

	b.SetBlock(body)
	at := offsets(b, dims, len(e.inputs), i, nil)
	memo := make(map[*node]*kir.Value, len(e.g.nodes))
	results := make([]*kir.Value, len(e.g.outs))
	for k, out := range e.g.outs {
		results[k] = e.expr(view{node: out}, at, memo)
	}
	// Stored last: after a store, which may have changed what an operand is, it would be loaded again.
	for k, out := range e.g.outs {
		b.Store(kir.Global, b.Index(e.p[to+k], i, kirTypes[out.dtype]), results[k])
	}
	b.Jump(end)

	b.SetBlock(end)
	b.Return()
}

// patchTask: one thread computes one of the elements that are assigned, and stores it where they are in the result,
// which begins as what was there before.
func (f *fused) patchTask() (*offload.Task, error) {
	from := f.g.root.args[0].node.bytes()
	f.from = slices.Index(f.reads, from)
	r, launches, err := f.patchLaunches()
	if err != nil {
		return nil, err
	}
	task := f.task(r, launches, nil)
	task.From, task.Afresh = []*offload.Value{from}, f.g.root.afresh
	task.Parts = patchParts{f}
	return task, nil
}

func (f *fused) patchLaunches() (*groupPlan, []offload.Launch, error) {
	root, n := f.g.root, f.into.Size()
	sizeAt := f.param("n", kir.I64, offload.Int(n))
	f.param("out", kir.U64, offload.PointerAt(root.value, f.into.Offset*root.dtype.Size()))
	dims := dimsOf(f.domain, append(f.layouts(), f.into), everyAxis)
	r, err := f.planned(formPatch, dims, nil, func(r *groupPlan) error {
		return r.add(f.kernel(r.name, func(e *emitter) { e.patchBody(sizeAt, dims) }))
	})
	if err != nil {
		return nil, nil, err
	}
	return r, []offload.Launch{f.launch(r, 0, kir.D1((n+blockSize-1)/blockSize))}, nil
}

func (e *emitter) patchBody(sizeAt int, dims []dim) {
	b, root := e.b, e.g.root
	t, to := kirTypes[root.dtype], e.p[sizeAt+1]
	i := b.GlobalIDX()
	body, end := b.NewBlock("body"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, e.p[sizeAt]), body, end)

	b.SetBlock(body)
	at := offsets(b, dims, len(e.inputs)+1, i, nil)
	if last := at[len(at)-1]; last != nil {
		to = b.Index(to, last, t)
	}
	b.Store(kir.Global, to, b.Cast(t, e.expr(root.args[1], at, make(map[*node]*kir.Value))))
	b.Jump(end)

	b.SetBlock(end)
	b.Return()
}
