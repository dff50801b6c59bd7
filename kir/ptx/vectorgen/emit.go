package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

// suffix is that of instructions on floats of v's size.
func (w *writer) suffix(v *value) string {
	if w.elementBytes(v) == 4 {
		return "S"
	}
	return "D"
}

// letter is that of instructions on ints of v's size.
func (w *writer) letter(v *value) string {
	if w.elementBytes(v) == 4 {
		return "D"
	}
	return "Q"
}

var (
	floatInstructions = map[string]string{"addf": "VADDP", "subf": "VSUBP", "mulf": "VMULP", "divf": "VDIVP", "minf": "VMINP", "maxf": "VMAXP"}
	intInstructions   = map[string]string{"addi": "VPADD", "subi": "VPSUB", "shlv": "VPSLLV", "shrv": "VPSRLV"}
	bitInstructions   = map[string]string{"and": "VPAND", "or": "VPOR", "xor": "VPXOR", "andnot": "VPANDN"}
	maskInstructions  = map[string]string{"and": "KAND", "or": "KOR", "xor": "KXOR", "andnot": "KANDN"}
	shiftInstructions = map[string]string{"shl": "VPSLL", "shr": "VPSRL", "sar": "VPSRA"}
	commutative       = map[string]bool{"addf": true, "mulf": true, "addi": true, "and": true, "or": true, "xor": true}
	roundings         = map[string]string{"floor": "$9", "ceil": "$10", "trunc": "$11", "rint": "$8"}
)

// emit writes an operation. The names are those that line.go gives them: an f or i at the end is for floats and ints,
// "andnot" is what is not in the first and in the second operand, "sar32" an arithmetic shift of halves, "cvt" a
// conversion to what follows.
func (w *writer) emit(op *operation) {
	x, v := op.args, op.result
	if len(x) == 2 && commutative[op.name] && w.inMemory(x[0]) {
		x = []*value{x[1], x[0]}
	}
	two := func(name string) { // the second operand may be in memory
		first := w.register(x[0])
		second := w.operand(x[1])
		w.put(name, append(second, first, w.result(op))...)
	}
	one := func(name string, before ...string) {
		r := w.register(x[0])
		w.put(name, append(before, r, w.result(op))...)
	}
	imm := fmt.Sprintf("$%d", op.imm)
	switch {
	case op.name == "load":
		w.put("VMOVUP"+w.suffix(v), w.element([]string{"SI", "DX"}[op.imm], op.round), w.result(op))
	case op.name == "not" && w.masks:
		one("KNOT" + w.maskLetter())
	case op.name == "not":
		x = []*value{x[0], w.ones()}
		two("VPXOR")
	case w.isMask(v) && maskInstructions[op.name] != "":
		first, second := w.register(x[0]), w.register(x[1])
		w.put(maskInstructions[op.name]+w.maskLetter(), second, first, w.result(op))
	case bitInstructions[op.name] != "" && w.masks:
		two(bitInstructions[op.name] + w.letter(v))
	case bitInstructions[op.name] != "":
		two(bitInstructions[op.name])
	case floatInstructions[op.name] != "":
		two(floatInstructions[op.name] + w.suffix(v))
	case intInstructions[op.name] != "":
		two(intInstructions[op.name] + w.letter(v))
	case shiftInstructions[op.name] != "":
		one(shiftInstructions[op.name]+w.letter(v), imm)
	case op.name == "sar32":
		one("VPSRAD", imm)
	case op.name == "merge":
		w.merge(op)
	case op.name == "scalef":
		two("VSCALEFP" + w.suffix(v))
	case op.name == "sqrt":
		one("VSQRTP" + w.suffix(v))
	case roundings[op.name] != "" && w.masks:
		one("VRNDSCALEP"+w.suffix(v), roundings[op.name])
	case roundings[op.name] != "":
		one("VROUNDP"+w.suffix(v), roundings[op.name])
	case op.name == "fma":
		w.fuse(op)
	case op.name == "cmpf":
		w.compared(op, "VCMPP"+w.suffix(x[0]), imm)
	case op.name == "cmpi":
		w.compared(op, "VPCMP"+w.letter(x[0]), imm)
	case op.name == "cmpu":
		w.compared(op, "VPCMPU"+w.letter(x[0]), imm)
	case op.name == "eqi":
		two("VPCMPEQ" + w.letter(x[0]))
	case op.name == "gti":
		two("VPCMPGT" + w.letter(x[0]))
	case op.name == "blend":
		c, no := w.register(x[0]), w.register(x[2])
		yes := w.operand(x[1])
		if w.masks {
			w.put("VBLENDMP"+w.suffix(v), append(yes, no, c, w.result(op))...)
		} else {
			w.put("VBLENDVP"+w.suffix(v), append([]string{c}, append(yes, no, w.result(op))...)...)
		}
	case op.name == "cvtf64":
		one("VCVTPS2PD")
	case op.name == "cvtf32" && w.masks:
		one("VCVTPD2PS")
	case op.name == "cvtf32":
		one("VCVTPD2PSY")
	case op.name == "cvti32":
		one("VCVTDQ2PS")
	case op.name == "cvti64":
		one("VCVTQQ2PD")
	case op.name == "cvtf64i64":
		one("VCVTTPD2QQ")
	default:
		panic("no instruction for " + op.name)
	}
}

// merge writes from&mask | to&^mask. The instruction replaces its first operand.
func (w *writer) merge(op *operation) {
	from, to, mask := op.args[0], op.args[1], op.args[2]
	first, second := w.register(from), w.register(to)
	third := w.operand(mask)
	r := ""
	if w.dies(from) && from != to && !from.known {
		r = w.become(from, op.result)
	} else {
		r = w.name(op.result, w.take(op.result))
		w.put("VMOVAP"+w.suffix(op.result), first, r)
	}
	if third[0] == memorySuffix {
		w.put("VPTERNLOGQ"+memorySuffix, "$0xe4", third[1], second, r)
	} else {
		w.put("VPTERNLOGQ", "$0xe4", third[0], second, r)
	}
}

func (w *writer) maskLetter() string {
	if w.lanes == 8 {
		return "B"
	}
	return "W"
}

// ones is the mask in which all is true, where masks are vectors.
func (w *writer) ones() *value { return w.constant(kir.U64, ^uint64(0)) }

func (w *writer) compared(op *operation, name, predicate string) {
	first := w.register(op.args[0])
	second := w.operand(op.args[1])
	operands := append(second, first, w.result(op))
	if operands[0] == memorySuffix {
		name, operands = name+memorySuffix, operands[1:]
	}
	w.put(name, append([]string{predicate}, operands...)...)
}

// fuse writes a fused multiply-add. The instruction replaces one of its operands, which is one that dies here, a
// constant read for it, or a copy; another one may be in memory.
func (w *writer) fuse(op *operation) {
	a, b, c := op.args[0], op.args[1], op.args[2]
	name := func(order string) string {
		s := []string{"VFMADD", "VFNMADD", "VFMSUB", "VFNMSUB"}[op.imm]
		return s + order + "P" + w.suffix(op.result)
	}
	if w.inMemory(a) || !w.inMemory(b) && w.find(b) >= 0 && w.dies(b) {
		a, b = b, a
	}
	ra := w.register(a)
	ends := func(v *value, others ...*value) bool { // its register can be the result's
		for _, o := range others {
			if o == v {
				return false
			}
		}
		return w.find(v) >= 0 && w.dies(v)
	}
	switch {
	case ends(c, a, b):
		w.register(c)
		second := w.operand(b)
		w.put(name("231"), append(second, ra, w.become(c, op.result))...)
	case ends(a, c) && w.inMemory(c): // a*b + c with c in memory
		rb := ra
		if b != a {
			rb = w.register(b)
		}
		w.put(name("213"), append(w.operand(c), rb, w.become(a, op.result))...)
	case ends(a, c, b):
		rc := w.register(c)
		w.put(name("132"), append(w.operand(b), rc, w.become(a, op.result))...)
	case w.inMemory(c):
		second := w.operand(b)
		r := w.name(op.result, w.take(op.result))
		if w.masks {
			w.put(map[int]string{4: "VBROADCASTSS", 8: "VBROADCASTSD"}[w.elementBytes(c)], w.pool.place(w.elementBytes(c), c.bits), r)
		} else {
			w.put("VMOVUP"+w.suffix(c), w.pool.place(w.elementBytes(c), c.bits), r)
		}
		w.put(name("231"), append(second, ra, r)...)
	default:
		rc := w.register(c)
		second := w.operand(b)
		r := w.name(op.result, w.take(op.result))
		w.put("VMOVAP"+w.suffix(c), rc, r)
		w.put(name("231"), append(second, ra, r)...)
	}
}
