package simgpu

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// mnemonics are the names of machine instructions, those of the float and integer forms where they differ. An operation
// without a row has its own name.
var mnemonics = map[kir.Op][2]string{
	kir.OpAdd: {"FADD", "IADD"}, kir.OpSub: {"FADD", "ISUB"}, kir.OpMul: {"FMUL", "IMUL"}, kir.OpFma: {"FMAD", "IMAD"},
	kir.OpMin: {"FMIN", "IMIN"}, kir.OpMax: {"FMAX", "IMAX"}, kir.OpSqrt: {"RSQ+RCP", ""}, kir.OpDiv: {"RCP+FMUL", "IDIV"},
	kir.OpAnd: {"", "AND"}, kir.OpOr: {"", "OR"}, kir.OpXor: {"", "XOR"}, kir.OpShl: {"", "SHL"}, kir.OpShr: {"", "SHR"},
	kir.OpEq: {"FSET.EQ", "ISET.EQ"}, kir.OpNe: {"FSET.NE", "ISET.NE"}, kir.OpLt: {"FSET.LT", "ISET.LT"}, kir.OpLe: {"FSET.LE", "ISET.LE"},
	kir.OpGt: {"FSET.GT", "ISET.GT"}, kir.OpGe: {"FSET.GE", "ISET.GE"}, kir.OpSelect: {"SEL", "SEL"}, kir.OpConvert: {"F2F", "I2I"},
	kir.OpApproxRcp: {"RCP", ""}, kir.OpApproxRsqrt: {"RSQ", ""}, kir.OpApproxSqrt: {"RSQ+RCP", ""}, kir.OpApproxExp2: {"EX2", ""}, kir.OpApproxLog2: {"LG2", ""},
	kir.OpApproxSin: {"SIN", ""}, kir.OpApproxCos: {"COS", ""}, kir.OpBarrier: {"BAR", "BAR"}, kir.OpCheck: {"TRAP", "TRAP"},
}

// spaceLetters are what memory instructions begin with.
var spaceLetters = [kir.NumSpaces]string{kir.Global: "G", kir.Shared: "S", kir.Local: "L", kir.Const: "C"}

// mnemonic returns what a machine calls the instruction of v.
func mnemonic(v *kir.Value) string {
	switch {
	case v.Op == kir.OpLoad:
		return spaceLetters[v.Space] + "LD"
	case v.Op == kir.OpStore:
		return spaceLetters[v.Space] + "ST"
	case v.Op.IsAtomic():
		return spaceLetters[v.Space] + "ATOM"
	}
	t := v.Type
	if len(v.Args) > 0 {
		t = v.Args[0].Type
	}
	form := 1
	if t == kir.F32 || t == kir.F64 || t == kir.F16 {
		form = 0
	}
	name := mnemonics[v.Op][form]
	if name == "" {
		return strings.ToUpper(v.Op.String())
	}
	if t == kir.F64 && strings.HasPrefix(name, "F") {
		name = "D" + name[1:]
	}
	return name
}

// Footprint implements device.Lister: what a thread takes where nothing is known of the launch. One that leaves
// registers free may have a version with more.
func (g *GPU) Footprint(f *kir.Func) (registers, local int, err error) {
	loaded, err := g.Load(f)
	if err != nil {
		return 0, 0, err
	}
	k := loaded.(*kernel)
	return k.plain.registers, k.plain.code.local, nil
}

// Listing returns f as the machine executes it, an instruction a line: how many there are, the unit, for how many
// clocks of the lanes an SM's unit takes no other warp, how many pass until what needs the result can issue, and where
// it comes from. Instructions are in the order in which the kernel is written; a launch may have another.
func (g *GPU) Listing(f *kir.Func) (string, error) {
	loaded, err := g.Load(f)
	if err != nil {
		return "", err
	}
	k := loaded.(*kernel)
	p, c := &g.preset, k.plain.code
	var s strings.Builder
	fmt.Fprintf(&s, "kernel %s on %s: %d registers a thread, %d bytes of shared and %d of constant memory\n", k.name, p.Title, k.plain.registers, c.f.SharedBytes(), c.f.ConstBytes())
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\tunit\tclocks\tlatency\toperation\t")
	for i := range c.blocks {
		fmt.Fprintf(w, "b%d:\t\t\t\t\t\n", i)
		for j := range c.blocks[i].instrs {
			in := &c.blocks[i].instrs[j]
			name, text := "BRA", c.lines[in.line].Text
			switch {
			case in.kind != kindEnd:
				name = mnemonic(c.f.Blocks[i].Values[in.value])
			case c.blocks[i].returns:
				name = "EXIT"
			}
			if in.count > 1 {
				name = fmt.Sprintf("%s ×%d", name, in.count)
			}
			unit, busy := "none", in.busy
			if port, b := in.unit(0); port < NumUnits {
				unit, busy = issueUnits[port].String(), b
			}
			if in.memory {
				unit = trace.IssueMemory.String()
			}
			latency := ""
			if in.time > 0 && in.dst >= 0 && !in.memory { // what memory takes follows from where it is
				latency = fmt.Sprint(p.LaneClock.Of(in.time))
			}
			fmt.Fprintf(w, "  %s\t%s\t%d\t%s\t%s\t\n", name, unit, p.LaneClock.Of(max(busy, 1)), latency, text)
		}
	}
	w.Flush()
	return strings.TrimRight(s.String(), "\n"), nil
}
