package ptx

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
)

//go:generate go run ./gen

// elementaryText has the elementary functions as kernels that store their result at their last parameter.
//
//go:embed elementary.kir.gz
var elementaryText []byte

// Elementary returns the kernel that computes an elementary function, by its name: "exp_f64". Its parameters are the
// function's and, last, the address where the result goes. It is nil for what is not a function.
func Elementary(name string) *kir.Func { return elementaries()[name] }

// elementaries are the kernels of elementaryText by name.
var elementaries = sync.OnceValue(func() map[string]*kir.Func {
	m := map[string]*kir.Func{}
	r, err := gzip.NewReader(bytes.NewReader(elementaryText))
	if err != nil {
		panic(err) // the file is part of the program
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	for i, part := range strings.Split("\n"+string(text), "\nkernel ") {
		if i == 0 {
			continue
		}
		f, err := kir.Parse("kernel " + part)
		if err != nil {
			panic(err)
		}
		m[f.Name] = f
	}
	return m
})

const functionPrefix = "arrayrepl_"

// roundedForm ends the names of the functions of float32 that have the bits of those of float64: see kir.RoundedCall.
const roundedForm = "rounded"

// slowFloat64 reports whether a GPU of this compute capability has far less lanes for float64 than for float32: a 32nd
// or a 64th, where those for data centres have a half (CUDA C++ Programming Guide, throughput of arithmetic
// instructions).
func slowFloat64(target int) bool {
	return target != 60 && target != 70 && target != 80 && target != 90 && target != 100
}

// elementary writes a call of an elementary function.
func (p *printer) elementary(v *kir.Value) {
	p.callElementary(v, fmt.Sprintf("%v_%v", v.Op, v.Type), v.Args...)
}

// callElementary writes a call of one of the functions of Elementary, whose result is v, and before the kernels the
// function.
func (p *printer) callElementary(v *kir.Value, name string, args ...*kir.Value) {
	t := v.Type
	f := Elementary(name)
	if f == nil {
		p.fail(v, "%v of %v has no PTX yet", v.Op, t)
		return
	}
	if !p.helpers[name] {
		p.helpers[name] = true
		text, err := p.module.function(f, t)
		if err != nil && p.err == nil {
			p.err = err
		}
		p.globals.WriteString(text)
	}
	p.emit("call (%s), %s%s, (%s)", p.regs[v], functionPrefix, name, p.operands(args))
}

// function prints a kernel of elementaryText as a function.
func (m *module) function(f *kir.Func, t kir.Type) (string, error) {
	p := &printer{module: &module{names: map[string]bool{}, helpers: map[string]bool{}, files: map[string]int{}}, f: f, function: true,
		regs: map[*kir.Value]string{}, uses: map[string]int{}, skip: map[*kir.Value]bool{}}
	var params []string
	for _, prm := range f.Params[:len(f.Params)-1] {
		p.params = append(p.params, prm.Name)
		params = append(params, fmt.Sprintf(".param .%s %s", types[t].memory, prm.Name))
	}
	p.params = append(p.params, "result")
	names := p.declare(&strings.Builder{}, functionPrefix+f.Name, "const", f.Const)
	p.number()
	for _, blk := range f.Blocks {
		p.block(blk, nil, nil, names)
	}
	if p.err != nil {
		return "", p.err
	}
	var s strings.Builder
	s.WriteString(p.globals.String())
	fmt.Fprintf(&s, ".func (.param .%s result) %s%s(%s)\n{\n", types[t].memory, functionPrefix, f.Name, strings.Join(params, ", "))
	p.registers(&s)
	s.WriteString(p.out.String())
	s.WriteString("}\n")
	return s.String(), nil
}

// elementaryCall lowers a call of a function that Print writes for an elementary one.
func elementaryCall(l *lowerer, in *inst) {
	if in.op[2] == roundedForm {
		op := elementaryOps[in.op[1]]
		if in.op[1] == "rsqrt" {
			op = kir.OpSqrt
		}
		in.arity(op.NArgs() + 1)
		var args []*kir.Value
		for _, o := range in.args[1:] {
			x := l.value(o, kir.F32)
			if x.Op == kir.OpConst {
				args = append(args, l.b.Const(kir.F64, kir.FloatOf(kir.F32, x.Imm)))
			} else {
				args = append(args, l.b.Convert(kir.F64, x))
			}
		}
		y := l.b.Op(op, args...)
		if in.op[1] == "rsqrt" {
			y = l.b.Op(kir.OpDiv, l.b.Const(kir.F64, 1), y)
		}
		l.set(in.args[0], l.b.Convert(kir.F32, y))
		return
	}
	op := elementaryOps[in.op[1]]
	t := scalars[in.op[2]]
	in.arity(op.NArgs() + 1)
	var args []*kir.Value
	for _, o := range in.args[1:] {
		args = append(args, l.value(o, t))
	}
	l.set(in.args[0], l.b.Op(op, args...))
}

// elementaryOps gives the operations by name.
var elementaryOps = func() map[string]kir.Op {
	m := map[string]kir.Op{}
	for op := kir.OpExp; op <= kir.OpCbrt; op++ {
		m[op.String()] = op
	}
	return m
}()

// elementaryName splits "arrayrepl_exp_f64"; ok is false for other names.
func elementaryName(name string) (op, t string, ok bool) {
	rest, ok := strings.CutPrefix(name, functionPrefix)
	i := strings.LastIndexByte(rest, '_')
	if !ok || i < 0 {
		return "", "", false
	}
	op, t = rest[:i], rest[i+1:]
	_, known := elementaryOps[op]
	return op, t, known && (t == "f32" || t == "f64") || t == roundedForm && Elementary(op+"_"+t) != nil
}
