package ptx

import (
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// idiom is a sequence of instructions that Print writes for one operation of kir. In a pattern, words that begin with $
// stand for operands and T, S, M for types or other modifiers, each the same wherever it stands. Registers named $t…
// must not be used elsewhere.
type idiom struct {
	lines []string
	lower func(l *lowerer, m *match)
}

type match struct {
	in   *inst
	args map[string]operand
	mods map[string]string
}

const loadBool = "ld.S.u8 $ta, $at"

var idioms = []idiom{
	{[]string{"setp.ne.T $tq, $y, 0", "div.T $tz, $x, $y", "selp.T $tw, $tz, 0, $tq", "cvt.T.N $d, $tw"}, func(l *lowerer, m *match) {
		t := scalars[m.mods["N"]]
		l.set(m.args["$d"], l.b.Op(kir.OpDiv, l.value(m.args["$x"], t), l.value(m.args["$y"], t)))
	}},
	{[]string{"setp.ne.T $tq, $y, 0", "O.T $tz, $x, $y", "selp.S $d, $tz, 0, $tq"}, func(l *lowerer, m *match) {
		l.binary(m.in, map[string]kir.Op{"div": kir.OpDiv, "rem": kir.OpRem}[m.mods["O"]], scalars[m.mods["T"]], m.args["$d"], m.args["$x"], m.args["$y"])
	}},
	{[]string{"O.T $tz, $x, $y", "setp.nan.T $tq, $x, $y", "selp.T $d, $nan, $tz, $tq"}, func(l *lowerer, m *match) {
		l.binary(m.in, map[string]kir.Op{"min": kir.OpMin, "max": kir.OpMax}[m.mods["O"]], scalars[m.mods["T"]], m.args["$d"], m.args["$x"], m.args["$y"])
	}},
	{[]string{"cvt.rzi.T.S $tz, $x", "setp.nan.S $tq, $x, $x", "selp.M $d, 0, $tz, $tq"}, func(l *lowerer, m *match) {
		l.set(m.args["$d"], l.b.Convert(scalars[m.mods["T"]], l.value(m.args["$x"], scalars[m.mods["S"]])))
	}},
	{[]string{"selp.u32 $ta, 1, 0, $x", "selp.u32 $tb, 1, 0, $y", "selp.u32 $tc, $ta, $tb, $p", "setp.ne.u32 $d, $tc, 0"}, func(l *lowerer, m *match) {
		l.set(m.args["$d"], l.b.Op(kir.OpSelect, l.bool(m.args["$p"]), l.bool(m.args["$x"]), l.bool(m.args["$y"])))
	}},
	{[]string{"selp.u32 $ta, 1, 0, $x", "selp.u32 $tb, 1, 0, $y", "setp.O.u32 $d, $ta, $tb"}, func(l *lowerer, m *match) {
		l.set(m.args["$d"], l.b.Op(map[string]kir.Op{"eq": kir.OpEq, "ne": kir.OpNe}[m.mods["O"]], l.bool(m.args["$x"]), l.bool(m.args["$y"])))
	}},
	{[]string{loadBool, "setp.ne.u16 $d, $ta, 0"}, func(l *lowerer, m *match) {
		l.load(m.in, kir.Bool, m.mods["S"], []operand{m.args["$d"]}, m.args["$at"])
	}},
	{[]string{"selp.u16 $ta, 1, 0, $p", "st.S.u8 $at, $ta"}, func(l *lowerer, m *match) {
		l.store(m.in, kir.Bool, m.mods["S"], m.args["$at"], []operand{m.args["$p"]})
	}},
	{[]string{"selp.M $ta, 1, 0, $p", "cvt.M.S $d, $ta"}, func(l *lowerer, m *match) {
		l.set(m.args["$d"], l.b.Convert(scalars[m.mods["S"]], l.bool(m.args["$p"])))
	}},
	{[]string{"cvt.f32.f16 $ta, $x", "setp.neu.f32 $d, $ta, 0f00000000"}, func(l *lowerer, m *match) {
		l.set(m.args["$d"], l.b.Convert(kir.Bool, l.value(m.args["$x"], kir.F16)))
	}},
}

// idiom lowers the idiom that begins at instruction i, if one does, and returns how many instructions it has.
func (l *lowerer) idiom(code []*inst, i int) int {
	for _, id := range idioms {
		if i+len(id.lines) > len(code) {
			continue
		}
		m := &match{in: code[i], args: map[string]operand{}, mods: map[string]string{}}
		ok := true
		for j, line := range id.lines {
			if !m.line(line, code[i+j]) {
				ok = false
				break
			}
		}
		if !ok || !m.sane(id) {
			continue
		}
		for name, o := range m.args {
			if strings.HasPrefix(name, "$t") {
				want := 0
				for _, line := range id.lines {
					want += strings.Count(line+",", name+",")
				}
				ok = ok && l.mentions[o.name] == want
			}
		}
		if ok {
			id.lower(l, m)
			return len(id.lines)
		}
	}
	return 0
}

// sane checks what the patterns leave open: the operations that stand behind O, and NaN.
func (m *match) sane(id idiom) bool {
	first := id.lines[0]
	switch {
	case m.mods["N"] != "": // of operands that are 8 bits wide
		return m.mods["T"]+m.mods["N"] == "u16u8" || m.mods["T"]+m.mods["N"] == "s16s8"
	case strings.HasPrefix(first, "setp.ne.T"):
		return m.mods["O"] == "div" || m.mods["O"] == "rem"
	case strings.HasPrefix(first, "O.T"):
		t := scalars[m.mods["T"]]
		return (m.mods["O"] == "min" || m.mods["O"] == "max") && m.args["$nan"].String() == nan[t]
	case strings.HasPrefix(first, "selp.M"):
		return m.mods["M"]+m.mods["S"] == "u16u8" || m.mods["M"]+m.mods["S"] == "s16s8"
	case strings.HasPrefix(first, "ld.S") || strings.HasPrefix(id.lines[1], "st.S"):
		_, ok := spaceNames[m.mods["S"]]
		return ok || m.mods["S"] == "param"
	case strings.HasPrefix(id.lines[len(id.lines)-1], "setp.O"):
		return m.mods["O"] == "eq" || m.mods["O"] == "ne"
	}
	return true
}

func (m *match) line(pattern string, in *inst) bool {
	name, args, _ := strings.Cut(pattern, " ")
	if in.guard != nil || in.label != "" {
		return false
	}
	words := strings.Split(name, ".")
	if len(words) != len(in.op) {
		return false
	}
	for i, w := range words {
		if len(w) > 1 || w[0] < 'A' || w[0] > 'Z' {
			if w != in.op[i] {
				return false
			}
			continue
		}
		if old, ok := m.mods[w]; ok && old != in.op[i] {
			return false
		}
		m.mods[w] = in.op[i]
	}
	list := strings.Split(args, ", ")
	if len(list) != len(in.args) {
		return false
	}
	for i, w := range list {
		a := in.args[i]
		if !strings.HasPrefix(w, "$") {
			if w != a.String() {
				return false
			}
			continue
		}
		if old, ok := m.args[w]; ok && old.String() != a.String() || a.not {
			return false
		}
		m.args[w] = a
	}
	return true
}
