package ptx

import (
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// mma prints a product of matrices: the values of it that stand together are one instruction. Registers for those that
// nobody wants are written all the same.
func (p *printer) mma(v *kir.Value, rest []*kir.Value) {
	_, s := kir.MMAOf(v.Imm)
	f := s.Form()
	d := make([]string, f.C)
	for _, x := range rest[:kir.MMATogether(rest)] {
		i, _ := kir.MMAOf(x.Imm)
		if d[i] != "" {
			break
		}
		d[i] = p.regs[x]
		if x != v {
			p.skip[x] = true
		}
	}
	for i := range d {
		if d[i] == "" {
			d[i] = p.newReg(kir.F32)
		}
	}
	list := func(args []*kir.Value) string {
		var s []string
		for _, a := range args {
			s = append(s, p.register(a))
		}
		return "{" + strings.Join(s, ", ") + "}"
	}
	shape, a, b := f.Name, v.Args[:f.A], v.Args[f.A:f.A+f.B]
	if kir.MMAShort(v) {
		shape, a, b = f.Short, a[:f.A/2], b[:f.B/2]
	}
	sum := v.Args[f.A+f.B : f.A+f.B+f.C]
	p.emit("mma.sync.aligned.%s.row.col.f32.%s.%s.f32 {%s}, %s, %s, %s", shape, f.Elem, f.Elem, strings.Join(d, ", "), list(a), list(b), list(sum))
}

// mma lowers the forms of it that Print writes.
func mma(l *lowerer, in *inst) {
	in.arity(4)
	if !in.has("row") || !in.has("col") || !in.has("sync") || in.op[len(in.op)-1] != "f32" {
		unsupported(l, in)
	}
	for s := range kir.NumMMAShapes {
		f := s.Form()
		if short := f.Short != "" && in.has(f.Short); in.has(f.Elem) && (in.has(f.Name) || short) {
			mmaOf(l, in, s, short)
			return
		}
	}
	unsupported(l, in)
}

// mmaOf lowers a product of a shape, or of its short form.
func mmaOf(l *lowerer, in *inst, s kir.MMAShape, short bool) {
	of := func(arg, n int, t kir.Type) (out []*kir.Value) {
		list := in.args[arg].list
		if len(list) != n {
			in.fail("operand %d has %d registers, not %d", arg+1, len(list), n)
		}
		for _, o := range list {
			out = append(out, l.value(o, t))
		}
		return out
	}
	f := s.Form()
	c := of(3, f.C, kir.F32)
	if n := len(in.args[0].list); n != f.C {
		in.fail("operand 1 has %d registers, not %d", n, f.C)
	}
	var a, b []*kir.Value
	if zero := l.b.Int(kir.U32, 0); short {
		a, b = append(of(1, 2, kir.U32), zero, zero), append(of(2, 1, kir.U32), zero)
	} else {
		a, b = of(1, f.A, kir.U32), of(2, f.B, kir.U32)
	}
	for i, v := range l.b.MMA(s, a, b, c) {
		l.set(in.args[0].list[i], v)
	}
}
