package kir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// String returns the kernel's text form, which Parse reads: a line for each value, with its type, operands and note.
//
//	kernel saxpy(n i64, a f32, x u64, y u64)
//	b0 entry:
//		v0 i64 = param 0 // n
//		…
//		branch v9, b1, b2(v3)
//
// Parameters and arrays are followed by @ and their byte where that is not the next aligned one.
func (f *Func) String() string {
	var s strings.Builder
	var params []string
	end := 0
	for _, p := range f.Params {
		text := nameText(p.Name) + " " + p.Type.String()
		if p.Type == Void {
			text = fmt.Sprintf("%s [%d]bytes", nameText(p.Name), p.Size)
		}
		text += placeText(p.Offset, end, p.Type.Bytes())
		if p.Least != 0 || p.Most != 0 {
			text += fmt.Sprintf(" from %d to %d", p.Least, p.Most)
		}
		params = append(params, text)
		end = p.Offset + p.Bytes()
	}
	fmt.Fprintf(&s, "kernel %s(%s)%v\n", nameText(f.Name), strings.Join(params, ", "), f.Bounds)
	for _, list := range f.arrayLists() {
		end := 0
		for _, a := range *list.arrays {
			fmt.Fprintf(&s, "%s %s [%d]%v%s", list.space, nameText(a.Name), a.Len, a.Elem, placeText(a.Offset, end, a.Elem.Bytes()))
			if a.From > 0 {
				fmt.Fprintf(&s, " from %d", a.From-1)
			}
			if a.Data != nil {
				fmt.Fprintf(&s, " = %x", a.Data)
			}
			s.WriteString("\n")
			end = a.Offset + a.Bytes()
		}
	}
	for _, text := range f.Strings {
		fmt.Fprintf(&s, "string %q\n", text)
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

// arrayLists returns the kernel's arrays by the word that begins their lines in the text form.
func (f *Func) arrayLists() []arrayList {
	return []arrayList{{"shared", &f.Shared}, {"local", &f.Local}, {"const", &f.Const}}
}

type arrayList struct {
	space  string
	arrays *[]Array
}

// nameText quotes names that are not a word.
func nameText(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !isWord(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// isWord reports whether r stands in names without quotes.
func isWord(r rune) bool {
	return r == '_' || r == '.' || r == '$' || r == '\'' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func placeText(offset, end, align int) string {
	if offset == roundUp(end, max(align, 1)) {
		return ""
	}
	return fmt.Sprintf(" @%d", offset)
}

// String returns "kernels.go:12:3", or "cell 7, line 12, column 3" as sessions name the places of cells, less what is
// not known.
func (p Pos) String() string {
	line, column := ":", ":"
	if strings.HasPrefix(p.File, "cell ") {
		line, column = ", line ", ", column "
	}
	s := p.File
	if p.Line > 0 {
		s = strings.TrimPrefix(fmt.Sprint(s, line, p.Line), ":")
		if p.Col > 0 {
			s += fmt.Sprint(column, p.Col)
		}
	}
	return s
}

func blockName(blk *Block) string {
	if blk.Name == "" {
		return fmt.Sprintf("b%d", blk.ID)
	}
	return fmt.Sprintf("b%d %s", blk.ID, nameText(blk.Name))
}

// Text returns the value's line of the text form, without its note: "v7 f64 = sin v5". The texts of checks and formats
// are with the kernel and not there.
func (v *Value) Text() string {
	var s strings.Builder
	if v.Type != Void {
		fmt.Fprintf(&s, "v%d %v = ", v.ID, v.Type)
	}
	s.WriteString(v.Op.String())
	word := func(list []string) {
		if v.Imm < uint64(len(list)) {
			s.WriteString(" " + list[v.Imm])
		} else {
			fmt.Fprintf(&s, " %d", v.Imm)
		}
	}
	switch {
	case v.Op == OpConst:
		s.WriteString(" " + constText(v.Type, v.Imm))
	case v.Op == OpParam:
		n, off := v.ParamRef()
		fmt.Fprintf(&s, " %d", n)
		if off != 0 {
			fmt.Fprintf(&s, "+%d", off)
		}
	case v.Op == OpShared || v.Op == OpLocal || v.Op == OpConstTable || v.Op == OpArg:
		fmt.Fprintf(&s, " %d", v.Imm)
	case v.Op == OpSpecial:
		word(specialNames[:])
	case v.Op == OpFence:
		word(scopeNames[:])
	case v.Op == OpShuffle:
		sh := ShuffleOf(v.Imm)
		fmt.Fprintf(&s, " %v:%d:%d", sh.Mode, sh.Clamp, sh.Segment)
	case v.Op == OpMMA || v.Op == OpCopyWait:
		fmt.Fprintf(&s, " %d", v.Imm)
	case v.Op == OpWarpReduce:
		word(reductionNames[:])
	case v.Op == OpCheck:
		kind := CheckKind(v.Imm & 0xff)
		if kind < numChecks {
			s.WriteString(" " + kind.String())
		}
		if n := v.Imm >> 8; n > 0 {
			fmt.Fprintf(&s, ":%d", n-1)
		}
	case v.Op == OpPrintf:
		fmt.Fprintf(&s, " %d", v.Imm)
	case v.Op.IsMemory():
		if v.Vec != 0 {
			fmt.Fprintf(&s, ".v%d", v.Vec)
		}
		if v.Access != Ordinary {
			s.WriteString(" " + v.Access.String())
		}
		s.WriteString(" " + v.Space.String())
		if v.Imm != 0 && len(v.Args) > 0 {
			return s.String() + valueList(" ", v.Args[:1]) + fmt.Sprintf("%+d", int64(v.Imm)) + valueList(", ", v.Args[1:])
		}
	}
	return s.String() + valueList(" ", v.Args)
}

// Text returns the line of the text form that ends a block: "branch v9, b1, b2(v3)", "branch any v9, b1, b2(v3)".
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
		name := "branch"
		if t.Any {
			name += " any"
		}
		return name + valueList(" ", []*Value{t.Cond}) + ", " + edge(t.To[0]) + ", " + edge(t.To[1])
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
	switch f := FloatOf(t, bits); {
	case t.IsFloat() && math.IsNaN(f):
		return fmt.Sprintf("%#x", bits)
	case t == F32:
		return fmt.Sprint(float32(f))
	case t == F64 || t == F16:
		return fmt.Sprint(f)
	case t.IsSigned():
		return fmt.Sprint(SignExtend(t, bits))
	}
	return fmt.Sprint(bits)
}

// FloatOf returns the value of the bits of a float of type t.
func FloatOf(t Type, bits uint64) float64 {
	switch t {
	case F16:
		return HalfValue(uint16(bits))
	case F32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// SignExtend returns the low bits of an integer of t's width as a signed number.
func SignExtend(t Type, bits uint64) int64 {
	shift := 64 - 8*t.Bytes()
	return int64(bits<<shift) >> shift
}
