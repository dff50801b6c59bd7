package kir

import (
	"fmt"
	"math"
	"strings"
)

// String returns the kernel's text form: a line for each value, with its type, operands and note.
//
//	kernel saxpy(n i64, a f32, x u64, y u64)
//	b0 entry:
//		v0 i64 = param 0 // n
//		…
//		branch v9, b1, b2(v3)
func (f *Func) String() string {
	var s strings.Builder
	var params []string
	for _, p := range f.Params {
		params = append(params, p.Name+" "+p.Type.String())
	}
	fmt.Fprintf(&s, "kernel %s(%s)\n", f.Name, strings.Join(params, ", "))
	for _, a := range f.Shared {
		fmt.Fprintf(&s, "shared %s [%d]%v\n", a.Name, a.Len, a.Elem)
	}
	for _, blk := range f.Blocks {
		var params []string
		for _, p := range blk.Params {
			params = append(params, fmt.Sprintf("v%d %v", p.ID, p.Type))
		}
		s.WriteString(blockName(blk))
		if params != nil {
			fmt.Fprintf(&s, "(%s)", strings.Join(params, ", "))
		}
		s.WriteString(":\n")
		for _, v := range blk.Values {
			s.WriteString("\t" + v.Text())
			if v.Note != "" && v.Op != OpSpecial {
				s.WriteString(" // " + strings.ReplaceAll(v.Note, "\n", " "))
			}
			s.WriteString("\n")
		}
		s.WriteString("\t" + blk.Term.Text() + "\n")
	}
	return s.String()
}

// NumValues returns a number that every value's ID is less than.
func (f *Func) NumValues() int { return f.nextID }

// String returns "file:12:3", less what is not known.
func (p Pos) String() string {
	s := p.File
	if p.Line > 0 {
		s = strings.TrimPrefix(fmt.Sprintf("%s:%d", s, p.Line), ":")
		if p.Col > 0 {
			s += fmt.Sprintf(":%d", p.Col)
		}
	}
	return s
}

func blockName(blk *Block) string {
	return strings.TrimSpace(fmt.Sprintf("b%d %s", blk.ID, blk.Name))
}

// Text returns the value's line of the text form, without its note: "v7 f64 = sin v5".
func (v *Value) Text() string {
	var s strings.Builder
	if v.Type != Void {
		fmt.Fprintf(&s, "v%d %v = ", v.ID, v.Type)
	}
	s.WriteString(v.Op.String())
	switch v.Op {
	case OpConst:
		s.WriteString(" " + constText(v.Type, v.Imm))
	case OpParam, OpShared, OpArg:
		fmt.Fprintf(&s, " %d", v.Imm)
	case OpSpecial:
		if v.Imm < uint64(NumSpecials) {
			s.WriteString(" " + Special(v.Imm).String())
		}
	case OpLoad, OpStore:
		s.WriteString(" " + v.Space.String())
	}
	return s.String() + valueList(" ", v.Args)
}

// Text returns the line of the text form that ends a block: "branch v9, b1, b2(v3)".
func (t *Term) Text() string {
	edge := func(e Edge) string {
		if e.To == nil {
			return "b?"
		}
		s := fmt.Sprintf("b%d", e.To.ID)
		if len(e.Args) > 0 {
			s += "(" + valueList("", e.Args) + ")"
		}
		return s
	}
	switch t.Kind {
	case TermJump:
		return "jump " + edge(t.To[0])
	case TermBranch:
		return "branch" + valueList(" ", []*Value{t.Cond}) + ", " + edge(t.To[0]) + ", " + edge(t.To[1])
	case TermReturn:
		return "return"
	}
	return "(no end)"
}

func valueList(prefix string, vs []*Value) string {
	var out []string
	for _, v := range vs {
		if v == nil {
			out = append(out, "v?")
			continue
		}
		out = append(out, fmt.Sprintf("v%d", v.ID))
	}
	if out == nil {
		return ""
	}
	return prefix + strings.Join(out, ", ")
}

// constText writes floats by value where that says all, and by their bits where it does not (NaNs).
func constText(t Type, bits uint64) string {
	switch f := floatOf(t, bits); {
	case t.IsFloat() && math.IsNaN(f):
		return fmt.Sprintf("%#x", bits)
	case t == F32:
		return fmt.Sprint(float32(f))
	case t == F64:
		return fmt.Sprint(f)
	case t.IsSigned():
		return fmt.Sprint(signExtend(t, bits))
	}
	return fmt.Sprint(bits)
}

func floatOf(t Type, bits uint64) float64 {
	if t == F32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// signExtend returns the low bits of an integer of t's width as a signed number.
func signExtend(t Type, bits uint64) int64 {
	shift := 64 - 8*t.Bytes()
	return int64(bits<<shift) >> shift
}
