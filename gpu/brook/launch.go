package brook

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// blockSize is how many threads a block has, as those of other kernels that are made here.
const blockSize = 256

// passKey tells kernels of one function apart: what is constant, and which of the results they store.
type passKey struct {
	constants string
	outputs   string
}

// launched runs the kernel as launches of its own: one, or one for each group of outputs.
func (c *call) launched(size int) []*np.Array {
	dtypes := c.resultDTypes()
	out := make([]*np.Array, len(dtypes))
	for k, d := range dtypes {
		out[k] = np.New(d, c.domain...)
	}
	args := c.launchArgs(size)
	groups := c.groups()
	columns, names := c.outputs()
	model := c.settings.model(c, len(groups))
	for i, group := range groups {
		name := c.s.Name
		if len(groups) > 1 {
			name = fmt.Sprintf("%s %d/%d", name, i+1, len(groups))
		}
		call := kernelcall.Call[np.Array]{
			Name: name, Func: c.pass(group), Grid: kir.D1((size + blockSize - 1) / blockSize), Block: kir.D1(blockSize), On: c.settings.devices(),
			Args: append([]kernelcall.Arg[np.Array]{{Bits: uint64(size)}}, args...), Model: model,
		}
		to := make([]*np.Array, len(out)) // what the pass writes
		for _, k := range c.columnsOf(group) {
			if to[k] = out[k]; c.settings.copies {
				to[k] = np.New(dtypes[k], c.domain...)
			}
			call.Args = append(call.Args, kernelcall.Arg[np.Array]{Array: to[k], Writes: true, Fresh: c.settings.mask == nil})
		}
		var outputs []kernelcall.Setup
		for _, o := range group {
			outputs = append(outputs, kernelcall.Setup{Name: pushOutput, Of: names[o], Bytes: bytesOf(pick(out, columns[o]))})
		}
		call.Setup = c.setup(name, outputs...)
		np.Wiring{}.Launch(call)
		for _, o := range group {
			if c.settings.copies {
				var types []kir.Type
				for _, k := range columns[o] {
					types = append(types, c.resultTypes()[k])
				}
				c.settings.copyOut(name+" "+names[o], pick(to, columns[o]), pick(out, columns[o]), types)
			}
		}
	}
	return out
}

// devices are those that launches are made on; nil for those in use.
func (s *Settings) devices() []string {
	switch s.on {
	case "":
		return nil
	case automatic:
		return []string{"host", s.compared()}
	}
	return []string{s.on}
}

// launchArgs are what the kernel's parameters get, after the number of elements.
func (c *call) launchArgs(size int) (out []kernelcall.Arg[np.Array]) {
	if size > math.MaxInt32*blockSize {
		c.fail("%d elements are more than one launch has threads", size)
	}
	for _, a := range c.args {
		switch {
		case a.stream == nil:
			for k, v := range a.parts {
				if array, ok := v.(*np.Array); ok {
					v = array.Item()
				}
				bits, err := gosrc.ScalarBits(a.value.Parts[k], v)
				if err != nil {
					c.fail("parameter %s: %v", a.value.Name, err)
				}
				out = append(out, kernelcall.Arg[np.Array]{Bits: bits})
			}
		case a.value.Gather:
			for _, column := range a.stream.columns {
				out = append(out, kernelcall.Arg[np.Array]{Array: column})
			}
			out = append(out, kernelcall.Arg[np.Array]{Bits: uint64(a.stream.Len())})
			for _, n := range padded(a.stream.shape, maxAxes) {
				out = append(out, kernelcall.Arg[np.Array]{Bits: uint64(n)})
			}
		default:
			for _, column := range c.over(a) {
				out = append(out, kernelcall.Arg[np.Array]{Array: column})
			}
		}
	}
	if m := c.settings.mask; m != nil {
		repeat, step, err := fits(m.Shape(), c.domain)
		if err != nil {
			c.fail("the mask: %v", err)
		}
		out = append(out, kernelcall.Arg[np.Array]{Array: filled(m, repeat, step, c.domain)})
	}
	for _, n := range c.placeArgs() {
		out = append(out, kernelcall.Arg[np.Array]{Bits: uint64(n)})
	}
	return out
}

// pass is the kernel that computes all elements, and stores those outputs: a copy of the function each, of which
// devices leave out what no output needs.
func (c *call) pass(group []int) *kir.Func {
	return c.s.Keep(c.passKey(group), func() any { return c.newPass(c.columnsOf(group), nil) }).(*kir.Func)
}

func (c *call) passKey(group []int) passKey {
	key := passKey{outputs: fmt.Sprint(group, c.settings.mask != nil, c.settings.bypass)}
	for _, a := range c.args {
		key.constants += fmt.Sprint(a.stream == nil, " ")
	}
	return key
}

// newPass makes the kernel of [call.pass]; vectors are those of [gosrc.StreamHooks], and may be nil.
func (c *call) newPass(outputs []int, vectors func(made []*kir.Value)) *kir.Func {
	var types []kir.Type
	var names []string
	for i, r := range c.results {
		for k, t := range c.s.Results[i].Parts {
			types, names = append(types, t), append(names, partName(c.s.Results[i].Name, r.names[k]))
		}
	}
	var to []*kir.Value
	return c.build(func(b *kir.Builder) {
		for _, k := range outputs {
			name := names[k]
			if name == "" {
				name = "out"
			}
			to = append(to, b.Param(name, kir.U64))
		}
	}, func(b *kir.Builder, i *kir.Value, args []*kir.Value, index func(param int) [4]*kir.Value) {
		results, err := c.s.Emit(b, args, gosrc.StreamHooks{Vectors: vectors, Index: index})
		check(c.op, err) // it has been compiled before
		for j, k := range outputs {
			b.Store(kir.Global, b.Index(to[j], i, types[k]), results[k])
		}
	})
}

// build makes a kernel with a thread for each element, of which body has the number, the function's arguments and
// their places; more adds parameters behind those.
func (c *call) build(more func(b *kir.Builder), body func(b *kir.Builder, i *kir.Value, args []*kir.Value, index func(param int) [4]*kir.Value)) *kir.Func {
	b := kir.NewBuilder(identifier(c.s.Name))
	n := b.Param("n", kir.I64)
	type param struct {
		v *kir.Value
		t kir.Type // of the element to load; Void of what is passed itself
	}
	var in []param
	for _, a := range c.args {
		p := a.value
		for k, t := range p.Parts {
			name := partName(p.Name, a.form.names[k])
			switch {
			case p.Gather:
				in = append(in, param{b.Param(name, kir.U64), kir.Void})
			case a.stream == nil:
				in = append(in, param{b.Param(name, t), kir.Void})
			default:
				in = append(in, param{b.Param(name, kir.U64), t})
			}
		}
		if p.Gather {
			for k := range gosrc.GatherSizes {
				in = append(in, param{b.Param(fmt.Sprintf("size%d(%s)", k, p.Name), kir.I64), kir.Void})
			}
		}
	}
	var mask *kir.Value
	if c.settings.mask != nil {
		mask = b.Param("mask", kir.U64)
	}
	places := c.placeParams(b)
	more(b)
	inside, end := b.NewBlock("body"), b.NewBlock("end")
	i := b.GlobalIDX()
	b.Branch(b.Op(kir.OpLt, i, n), inside, end)
	b.SetBlock(inside)
	if mask != nil {
		on := b.NewBlock("on")
		b.Branch(c.settings.element(b, mask, i, kir.Bool), on, end)
		b.SetBlock(on)
	}
	args := make([]*kir.Value, len(in))
	for k, p := range in {
		if args[k] = p.v; p.t != kir.Void {
			args[k] = c.settings.element(b, p.v, i, p.t)
		}
	}
	body(b, i, args, places(i))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	check(c.op, err)
	f.Bounds.MaxThreads = blockSize
	return f
}

// streamNote ends the notes of loads of streams; what is gathered has the text of a call.
const streamNote = "[i]"

// element loads element i of a stream's column.
func (s *Settings) element(b *kir.Builder, column, i *kir.Value, t kir.Type) *kir.Value {
	v := b.Load(kir.Global, t, b.Index(column, i, t))
	if v.Note = column.Note + streamNote; s.bypass {
		v.Access = kir.Bypass
	}
	return v
}

// partName is the name of a number of a parameter.
func partName(of, part string) string {
	if part == "" || part[0] == '[' {
		return of + part
	}
	return of + "." + part
}

// identifier is a name as kernels have them.
func identifier(name string) string {
	out := []byte(name)
	for i, ch := range out {
		if ch != '_' && (ch < 'a' || ch > 'z') && (ch < 'A' || ch > 'Z') && (ch < '0' || ch > '9') {
			out[i] = '_'
		}
	}
	return string(out)
}
