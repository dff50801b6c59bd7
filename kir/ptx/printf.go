package ptx

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A device prints by vprintf, which takes C's format and the operands as C passes them, packed in memory: integers of
// less than 32 bits as 32, floats as f64, each at a multiple of its size. So Print writes a function for each format
// that does this, and keeps kir's own format, which is Go's, beside it for the reader.
const printfPrefix = "arrayrepl_printf_"

const vprintf = ".extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 values);\n"

// wordSize is the size of a packed operand of a type.
func wordSize(t kir.Type) int {
	if t.IsFloat() {
		return 8
	}
	return max(4, t.Bytes())
}

// printf writes a call of the function for v's format.
func (p *printer) printf(v *kir.Value) {
	format := p.f.Strings[v.Imm]
	ts := make([]kir.Type, len(v.Args))
	for i, a := range v.Args {
		ts[i] = a.Type
	}
	key := fmt.Sprint(printfPrefix, format, ts)
	if p.printers[key] == "" {
		c, err := cFormat(format, ts)
		if err != nil {
			p.fail(v, "%v", err)
			return
		}
		p.printers[key] = p.printfFunction(format, c, ts)
	}
	var args []string
	for _, a := range v.Args {
		if a.Type != kir.Bool {
			args = append(args, p.register(a))
		}
	}
	for _, a := range v.Args { // last, so that the reader finds them together
		if a.Type == kir.Bool {
			args = append(args, p.number01(p.register(a)))
		}
	}
	p.emit("call %s, (%s)", p.printers[key], strings.Join(args, ", "))
}

// predicatesLast is the order in which a printing function takes operands: by their numbers, bools after all others.
func predicatesLast(ts []kir.Type) []int {
	order := make([]int, len(ts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return b2i(ts[a] == kir.Bool) - b2i(ts[b] == kir.Bool) })
	return order
}

// printfFunction writes the function that prints operands of some types, and returns its name.
func (m *module) printfFunction(format, c string, ts []kir.Type) string {
	if !m.helpers["vprintf"] {
		m.helpers["vprintf"] = true
		m.globals.WriteString(vprintf)
	}
	name := m.name(fmt.Sprintf("%s%d", printfPrefix, len(m.printers)))
	text := func(what, s string) {
		fmt.Fprintf(&m.globals, ".global .align 1 .b8 %s_%s[%d] = {%s};\n", name, what, len(s)+1, byteList(s+"\x00"))
	}
	text("go", format)
	text("c", c)
	var params, body []string
	place := make([]int, len(ts)) // of each operand in the buffer
	size := 0
	for i, t := range ts {
		w := wordSize(t)
		size = (size + w - 1) / w * w
		place[i] = size
		size += w
	}
	if slices.Contains(ts, kir.Bool) {
		fmt.Fprintf(&m.globals, ".global .align 1 .b8 %s_words[11] = {%s};\n", name, byteList("true\x00false\x00"))
	}
	add := func(format string, args ...any) { body = append(body, fmt.Sprintf("\t"+format+";\n", args...)) }
	for _, i := range predicatesLast(ts) {
		t := ts[i]
		param := fmt.Sprintf("%v_%d", t, i)
		switch {
		case t == kir.Bool:
			params = append(params, ".param .b32 "+param)
			add("ld.param.b32 %%r0, [%s]", param)
			add("setp.ne.u32 %%p0, %%r0, 0")
			add("mov.u64 %%rd0, %s_words", name)
			add("cvta.global.u64 %%rd0, %%rd0")
			add("add.u64 %%rd1, %%rd0, 5")
			add("selp.b64 %%rd0, %%rd0, %%rd1, %%p0")
			add("st.local.b64 [values+%d], %%rd0", place[i])
		case t.IsFloat():
			bits := types[t].bits
			params = append(params, fmt.Sprintf(".param .%s %s", bits, param))
			reg := map[kir.Type]string{kir.F16: "%h0", kir.F32: "%f0", kir.F64: "%fd0"}[t]
			add("ld.param.%s %s, [%s]", types[t].memory, reg, param)
			if t == kir.F16 {
				add("cvt.f32.f16 %%f0, %%h0")
			}
			if t != kir.F64 {
				add("cvt.f64.f32 %%fd0, %%f0")
			}
			add("st.local.f64 [values+%d], %%fd0", place[i])
		case t.Bytes() == 8:
			params = append(params, ".param .b64 "+param)
			add("ld.param.b64 %%rd0, [%s]", param)
			add("st.local.b64 [values+%d], %%rd0", place[i])
		case t.Bytes() == 4:
			params = append(params, ".param .b32 "+param)
			add("ld.param.b32 %%r0, [%s]", param)
			add("st.local.b32 [values+%d], %%r0", place[i])
		default: // extended to 32 bits, as it is in its register of 16
			params = append(params, ".param .b16 "+param)
			add("ld.param.b16 %%h0, [%s]", param)
			add("cvt.%s32.%s16 %%r0, %%h0", types[t].instr[:1], types[t].instr[:1])
			add("st.local.b32 [values+%d], %%r0", place[i])
		}
	}
	s := &m.globals
	fmt.Fprintf(s, ".func %s(%s)\n{\n", name, strings.Join(params, ", "))
	fmt.Fprintf(s, "\t.local .align 8 .b8 values[%d];\n", max(size, 8))
	s.WriteString("\t.reg .pred %p<1>;\n\t.reg .b16 %h<1>;\n\t.reg .b32 %r<2>;\n\t.reg .f32 %f<1>;\n\t.reg .f64 %fd<1>;\n\t.reg .b64 %rd<4>;\n")
	s.WriteString(strings.Join(body, ""))
	fmt.Fprintf(s, "\tmov.u64 %%rd2, %s_c;\n\tcvta.global.u64 %%rd2, %%rd2;\n", name)
	s.WriteString("\tmov.u64 %rd3, values;\n\tcvta.local.u64 %rd3, %rd3;\n\tcall (%r1), vprintf, (%rd2, %rd3);\n\tret;\n}\n")
	return name
}

// printed lowers a call of a function that printf wrote: the name, then the operands, bools last.
func printed(l *lowerer, in *inst) {
	name := in.args[0].name
	f, text := l.u.funcs[name], l.u.globals[name+"_go"]
	if f == nil || text == nil || len(f.params) != len(in.args)-1 {
		in.fail("%s is not a function that prints", name)
	}
	args := make([]*kir.Value, len(f.params))
	var bools []*kir.Value // the numbers that were made of them, the last first
	for k := len(f.params) - 1; k >= 0; k-- {
		var typ string
		var i int
		if n, _ := fmt.Sscanf(strings.Replace(f.params[k].name, "_", " ", 1), "%s %d", &typ, &i); n != 2 || i < 0 || i >= len(args) || args[i] != nil {
			in.fail("%s is not a function that prints", name)
		}
		if typ != "bool" {
			t, ok := typeNames[typ]
			if !ok {
				in.fail("%s is not a function that prints", name)
			}
			args[i] = l.value(in.args[k+1], t)
			continue
		}
		v := l.value(in.args[k+1], kir.U32)
		if v.Op == kir.OpConvert && v.Args[0].Type == kir.Bool {
			args[i] = v.Args[0]
			bools = append(bools, v)
		} else {
			args[i] = l.b.Convert(kir.Bool, v)
		}
	}
	for _, v := range bools {
		vs := l.cur.kb.Values
		if at := slices.Index(vs, v); at >= l.cur.first && l.mentions[l.nameOf(in, v)] == 2 {
			l.cur.kb.Values = slices.Delete(vs, at, at+1)
		}
	}
	l.b.Printf(cText(text.data), args...)
}

// nameOf returns the register of in's operands that holds v.
func (l *lowerer) nameOf(in *inst, v *kir.Value) string {
	for _, a := range in.args[1:] {
		if l.isRegister(a) && l.refOf(a).v == v {
			return a.name
		}
	}
	return ""
}

var typeNames = func() map[string]kir.Type {
	m := map[string]kir.Type{}
	for t := range types {
		m[t.String()] = t
	}
	return m
}()

// cText returns the string that ends at the first zero.
func cText(data []byte) string {
	s, _, _ := bytes.Cut(data, []byte{0})
	return string(s)
}

// vprintfCall lowers a call of vprintf, as compilers of C write it: the result, the format and where the operands
// stand, in the thread's memory. They are read from there in the types that the format has.
func vprintfCall(l *lowerer, in *inst) {
	in.arity(3)
	format, ok := l.constantText(l.value(in.args[1], kir.U64))
	if !ok {
		in.fail("the format must be a string that stands in the text")
	}
	at := l.value(in.args[2], kir.U64)
	b := l.b
	off := 0
	var args []*kir.Value
	goText, err := goFormat(format, func(t kir.Type, size int) (text string, err error) {
		off = (off + size - 1) / size * size
		place := off
		off += size
		if t == kir.Void { // of a string
			s, ok := l.storedText(at, place)
			if !ok {
				return "", fmt.Errorf("what %%s prints must be a string that stands in the text")
			}
			return s, nil
		}
		word := t // as it stands in memory
		if size == 4 && t.IsInteger() {
			word = map[bool]kir.Type{true: kir.I32, false: kir.U32}[t.IsSigned()]
		}
		v := b.Load(kir.Local, word, at)
		v.Imm = uint64(place)
		l.generic = append(l.generic, v)
		args = append(args, b.Convert(t, v))
		return "", nil
	})
	if err != nil {
		in.fail("%v", err)
	}
	b.Printf(goText, args...)
	l.set(in.args[0], b.Int(kir.U32, int64(len(args))))
}

// constantText returns the text at an address that is a table's.
func (l *lowerer) constantText(v *kir.Value) (string, bool) {
	base, off := addressOfArray(v)
	if base == nil || base.Op != kir.OpConstTable {
		return "", false
	}
	for name, a := range l.arrays {
		if a.op != kir.OpConstTable || a.num != int(base.Imm) {
			continue
		}
		g := l.u.globals[name]
		if g == nil || g.elem.Bytes() != 1 || off >= uint64(len(g.data)) {
			return "", false
		}
		return cText(g.data[off:]), true
	}
	return "", false
}

// storedText returns the text whose address was stored last in this block at an offset of the thread's memory.
func (l *lowerer) storedText(at *kir.Value, place int) (string, bool) {
	base, off := addressOfArray(at)
	if base == nil {
		return "", false
	}
	for _, v := range slices.Backward(l.cur.kb.Values) {
		if v.Op != kir.OpStore || v.Args[1].Type.Bytes() != 8 {
			continue
		}
		if b, o := addressOfArray(v.Args[0]); b != nil && b.Op == base.Op && b.Imm == base.Imm && o+v.Imm == off+uint64(place) {
			return l.constantText(v.Args[1])
		}
	}
	return "", false
}

// addressOfArray returns the array that an address is a constant number of bytes from, or nil.
func addressOfArray(v *kir.Value) (base *kir.Value, off uint64) {
	for {
		switch {
		case v.Op == kir.OpLocal || v.Op == kir.OpConstTable:
			return v, off
		case v.Op == kir.OpConvert && v.Type.Bytes() == 8 && v.Args[0].Type.Bytes() == 8:
			v = v.Args[0]
		case v.Op == kir.OpAdd && v.Args[1].Op == kir.OpConst:
			off += v.Args[1].Imm
			v = v.Args[0]
		default:
			return nil, 0
		}
	}
}
