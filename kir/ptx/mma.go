package ptx

import (
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// mma prints a product of matrices: the values of it that stand together are one instruction. Registers for those that
// nobody wants are written all the same.
func (p *printer) mma(v *kir.Value, rest []*kir.Value) {
	var d [4]string
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
	of := "f16"
	if _, brain := kir.MMAOf(v.Imm); brain {
		of = "bf16"
	}
	shape, a, b := "m16n8k16", v.Args[:4], v.Args[4:6]
	if kir.MMAShort(v) {
		shape, a, b = "m16n8k8", a[:2], b[:1]
	}
	p.emit("mma.sync.aligned.%s.row.col.f32.%s.%s.f32 {%s}, %s, %s, %s", shape, of, of, strings.Join(d[:], ", "), list(a), list(b), list(v.Args[6:10]))
}

// mma lowers the two forms of it that Print writes.
func mma(l *lowerer, in *inst) {
	in.arity(4)
	short := in.has("m16n8k8")
	if !in.has("m16n8k16") && !short || !in.has("row") || !in.has("col") || !in.has("sync") || in.op[len(in.op)-1] != "f32" {
		unsupported(l, in)
	}
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
	if !in.has("bf16") && !in.has("f16") {
		unsupported(l, in)
	}
	c := of(3, 4, kir.F32)
	var a, b []*kir.Value
	if zero := l.b.Int(kir.U32, 0); short {
		a, b = append(of(1, 2, kir.U32), zero, zero), append(of(2, 1, kir.U32), zero)
	} else {
		a, b = of(1, 4, kir.U32), of(2, 2, kir.U32)
	}
	out := l.b.MMA([4]*kir.Value(a), [2]*kir.Value(b), [4]*kir.Value(c), in.has("bf16"))
	for i, o := range in.args[0].list {
		l.set(o, out[i])
	}
}
