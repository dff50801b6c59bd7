package main

import (
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"slices"
	"strings"
)

// tapeLanes is how many elements an operation of a tape takes at a time; vector.TapeLanes says it to the users.
const tapeLanes = 128

// tapeWriter writes the operations of tapes, each a piece of code that goes on with the next one's: see vector.Tape.
// While they run, SI is where the operation is, R8 the table of places and R9 how far each goes on, of which R10 is the
// number, and R11 the number of rounds that are left, each of which begins at R12. Z31 has all bits, Z30 and Z29 are
// the signs of float32 and float64, and Z28 has bytes 1.
type tapeWriter struct {
	text  strings.Builder
	names []string // of the pieces
	keys  []string // by which a user finds them
}

func (t *tapeWriter) line(format string, args ...any) {
	fmt.Fprintf(&t.text, "\t"+format+"\n", args...)
}

// place are the registers of an operation's places: of the result, and of the operands.
var place = []string{"DI", "AX", "BX", "CX", "DX", "R13", "R14"}

// begin starts the piece of an operation and loads its places; end goes on with the next one.
func (t *tapeWriter) begin(key string, operands int) {
	name := "tape" + fmt.Sprint(len(t.names)) + "<>"
	t.names, t.keys = append(t.names, name), append(t.keys, key)
	fmt.Fprintf(&t.text, "\n// %s\nTEXT %s(SB), NOSPLIT|NOFRAME, $0-0\n", key, name)
	for i, r := range place[:operands+1] {
		t.line("MOVWQZX %d(SI), %s", 8+2*i, r)
	}
	for _, r := range place[:operands+1] {
		t.line("MOVQ (R8)(%s*1), %s", r, r)
	}
}

func (t *tapeWriter) end() {
	t.line("ADDQ $24, SI")
	t.line("MOVQ (SI), R15")
	t.line("JMP R15")
}

// tapeType is a type of elements, of which a vector register holds lanes.
type tapeType struct {
	name         string
	size         int
	move         string // loads and stores a register
	suffix       string // of floats' instructions
	sign         string // the register of signs
	signed       bool
	add, sub     string
	mul          string
	and, or, xor string
	min, max     string
	cmp          string
}

func (s tapeType) lanes() int     { return 64 / s.size }
func (s tapeType) registers() int { return tapeLanes / s.lanes() }
func (s tapeType) float() bool    { return s.suffix != "" }

var tapeTypes = []tapeType{
	{"f32", 4, "VMOVUPS", "PS", "Z30", true, "VADDPS", "VSUBPS", "VMULPS", "VPANDD", "VPORD", "VPXORD", "VMINPS", "VMAXPS", "VCMPPS"},
	{"f64", 8, "VMOVUPD", "PD", "Z29", true, "VADDPD", "VSUBPD", "VMULPD", "VPANDQ", "VPORQ", "VPXORQ", "VMINPD", "VMAXPD", "VCMPPD"},
	{"i32", 4, "VMOVDQU32", "", "", true, "VPADDD", "VPSUBD", "VPMULLD", "VPANDD", "VPORD", "VPXORD", "VPMINSD", "VPMAXSD", "VPCMPD"},
	{"u32", 4, "VMOVDQU32", "", "", false, "VPADDD", "VPSUBD", "VPMULLD", "VPANDD", "VPORD", "VPXORD", "VPMINUD", "VPMAXUD", "VPCMPUD"},
	{"i64", 8, "VMOVDQU64", "", "", true, "VPADDQ", "VPSUBQ", "VPMULLQ", "VPANDQ", "VPORQ", "VPXORQ", "VPMINSQ", "VPMAXSQ", "VPCMPQ"},
	{"u64", 8, "VMOVDQU64", "", "", false, "VPADDQ", "VPSUBQ", "VPMULLQ", "VPANDQ", "VPORQ", "VPXORQ", "VPMINUQ", "VPMAXUQ", "VPCMPUQ"},
}

// binary is an operation of one instruction.
func (t *tapeWriter) binary(key string, s tapeType, instruction string) {
	t.begin(key, 2)
	for i := range s.registers() {
		t.line("%s %d(AX), Z%d", s.move, 64*i, i)
		t.line("%s %d(BX), Z%d, Z%d", instruction, 64*i, i, i)
		t.line("%s Z%d, %d(DI)", s.move, i, 64*i)
	}
	t.end()
}

// unary is an operation of a few instructions on the operand in memory, with %[1]s, to a register, %[2]s.
func (t *tapeWriter) unary(key string, s tapeType, instructions ...string) {
	t.begin(key, 1)
	for i := range s.registers() {
		for _, format := range instructions {
			t.line("%s", fmt.Sprintf(format, fmt.Sprintf("%d(AX)", 64*i), fmt.Sprintf("Z%d", i)))
		}
		t.line("%s Z%d, %d(DI)", s.move, i, 64*i)
	}
	t.end()
}

// pairs are two operations, or three: the names are those of vector.Loop, and of vector.TapeCode.
func (t *tapeWriter) pairs(s tapeType) {
	for _, first := range []struct{ name, instruction string }{{"mul", s.mul}, {"add", s.add}, {"sub", s.sub}} {
		for _, second := range []struct {
			name, instruction string
			from              bool
		}{{"+add", s.add, false}, {"+sub", s.sub, false}, {"-sub", s.sub, true}, {"+mul", s.mul, false}} {
			t.begin(first.name+second.name+" "+s.name, 3)
			for i := range s.registers() {
				at, r, q := 64*i, 2*(i%8), 2*(i%8)+1
				t.line("%s %d(AX), Z%d", s.move, at, r)
				t.line("%s %d(BX), Z%d, Z%d", first.instruction, at, r, r)
				if second.from {
					t.line("%s %d(CX), Z%d", s.move, at, q)
					t.line("%s Z%d, Z%d, Z%d", second.instruction, r, q, r)
				} else {
					t.line("%s %d(CX), Z%d, Z%d", second.instruction, at, r, r)
				}
				t.line("%s Z%d, %d(DI)", s.move, r, at)
			}
			t.end()
		}
	}
	for _, last := range []struct {
		name, instruction string
		operands          int
	}{{"add", s.add, 4}, {"sub", s.sub, 4}, {"mul", s.add, 6}} {
		t.begin("mul+mul+"+last.name+" "+s.name, last.operands)
		for i := range s.registers() {
			at, r, q := 64*i, 2*(i%8), 2*(i%8)+1
			for k := 0; k < last.operands; k += 2 {
				to := r
				if k > 0 {
					to = q
				}
				t.line("%s %d(%s), Z%d", s.move, at, place[k+1], to)
				t.line("%s %d(%s), Z%d, Z%d", s.mul, at, place[k+2], to, to)
				if k > 0 {
					t.line("%s Z%d, Z%d, Z%d", last.instruction, q, r, r)
				}
			}
			t.line("%s Z%d, %d(DI)", s.move, r, at)
		}
		t.end()
	}
}

// compares writes comparisons, whose results are bytes 0 and 1.
func (t *tapeWriter) compares(s tapeType) {
	predicates := []int{0, 4, 1, 2, 6, 5}
	if s.float() { // less than and its like are false for NaN
		predicates = []int{0, 4, 1, 2, 14, 13}
	}
	for k, op := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		t.begin(op+" "+s.name, 2)
		per := 64 / s.lanes() // registers whose results are a register of bytes
		for half := range tapeLanes / 64 {
			for i := range per {
				at := 64 * (half*per + i)
				t.line("%s %d(AX), Z%d", s.move, at, i)
				t.line("%s $%d, %d(BX), Z%d, K%d", s.cmp, predicates[k], at, i, 1+i%4)
				if per == 8 && i%4 == 3 {
					t.line("KUNPCKBW K1, K2, K1")
					t.line("KUNPCKBW K3, K4, K3")
					t.line("KUNPCKWD K1, K3, K%d", 5+i/4)
				}
			}
			if per == 8 {
				t.line("KUNPCKDQ K5, K6, K1")
			} else {
				t.line("KUNPCKWD K1, K2, K1")
				t.line("KUNPCKWD K3, K4, K3")
				t.line("KUNPCKDQ K1, K3, K1")
			}
			t.line("VMOVDQU8.Z Z28, K1, Z0")
			t.line("VMOVDQU8 Z0, %d(DI)", 64*half)
		}
		t.end()
	}
}

// selects writes selections by bytes.
func (t *tapeWriter) selects(s tapeType, names ...string) {
	t.begin("select "+names[0], 3)
	for _, n := range names[1:] {
		t.names, t.keys = append(t.names, t.names[len(t.names)-1]), append(t.keys, "select "+n)
	}
	per := 64 / s.lanes()
	for half := range tapeLanes / 64 {
		t.line("VMOVDQU8 %d(AX), Z0", 64*half)
		t.line("VPTESTMB Z0, Z0, K1")
		for i := range per {
			at := 64 * (half*per + i)
			k := 1
			if i > 0 {
				k = 2 + i%4
				t.line("KSHIFTRQ $%d, K1, K%d", i*s.lanes(), k)
			}
			t.line("%s %d(CX), Z%d", s.move, at, i+1)
			t.line("%s %d(BX), K%d, Z%d", s.move, at, k, i+1)
			t.line("%s Z%d, %d(DI)", s.move, i+1, at)
		}
	}
	t.end()
}

// limits writes minima and maxima of floats: see minimum and maximum.
func (t *tapeWriter) limits(s tapeType) {
	for _, op := range []string{"min", "max"} {
		t.begin(op+" "+s.name, 2)
		for i := range s.registers() {
			at, x, y, p := 64*i, 3*(i%4), 3*(i%4)+1, 3*(i%4)+2
			t.line("%s %d(AX), Z%d", s.move, at, x)
			t.line("%s %d(BX), Z%d", s.move, at, y)
			if op == "min" {
				t.line("%s Z%d, Z%d, Z%d", s.min, y, x, p)
				t.line("%s Z%d, Z%d, Z%d", s.min, x, y, x)
				t.line("%s Z%d, Z%d, Z%d", s.or, x, p, p)
			} else {
				t.line("%s $3, Z%d, Z%d, K1", s.cmp, y, x)
				t.line("%s Z%d, Z%d, Z%d", s.max, y, x, p)
				t.line("%s Z%d, Z%d, Z%d", s.max, x, y, x)
				t.line("%s Z%d, Z%d, Z%d", s.and, x, p, p)
				t.line("%s Z31, K1, Z%d", s.move, p)
			}
			t.line("%s Z%d, %d(DI)", s.move, p, at)
		}
		t.end()
	}
}

// fma writes products that are added to, and rounded once.
func (t *tapeWriter) fma(s tapeType) {
	t.begin("fma "+s.name, 3)
	for i := range s.registers() {
		at, x, y := 64*i, 2*(i%8), 2*(i%8)+1
		t.line("%s %d(AX), Z%d", s.move, at, x)
		t.line("%s %d(BX), Z%d", s.move, at, y)
		t.line("VFMADD213%s %d(CX), Z%d, Z%d", s.suffix, at, y, x)
		t.line("%s Z%d, %d(DI)", s.move, x, at)
	}
	t.end()
}

// convert writes a conversion of one instruction from elements of one size to those of another.
func (t *tapeWriter) convert(key, instruction string, from, to int) {
	t.begin(key, 1)
	wide := max(from, to)
	for i := range tapeLanes * wide / 64 {
		source, result := fmt.Sprintf("%d(AX)", i*from*64/wide), "Z"
		if to < from {
			result = "Y"
			t.line("VMOVDQU64 %s, Z0", source)
			source = "Z0"
		}
		t.line("%s %s, %s%d", instruction, source, result, 1+i%8)
		store := "VMOVDQU64"
		if to < from {
			store = "VMOVDQU"
		}
		t.line("%s %s%d, %d(DI)", store, result, 1+i%8, i*to*64/wide)
	}
	t.end()
}

// shifts writes shifts, whose counts are u32.
func (t *tapeWriter) shifts(s tapeType) {
	letter := "D"
	if s.size == 8 {
		letter = "Q"
	}
	right := "VPSRLV"
	if s.signed {
		right = "VPSRAV"
	}
	for _, op := range []struct{ name, instruction string }{{"shl", "VPSLLV" + letter}, {"shr", right + letter}} {
		t.begin(op.name+" "+s.name, 2)
		for i := range s.registers() {
			t.line("%s %d(AX), Z%d", s.move, 64*i, 2*(i%8))
			if s.size == 8 {
				t.line("VPMOVZXDQ %d(BX), Z%d", 32*i, 2*(i%8)+1)
				t.line("%s Z%d, Z%d, Z%d", op.instruction, 2*(i%8)+1, 2*(i%8), 2*(i%8))
			} else {
				t.line("%s %d(BX), Z%d, Z%d", op.instruction, 64*i, 2*(i%8), 2*(i%8))
			}
			t.line("%s Z%d, %d(DI)", s.move, 2*(i%8), 64*i)
		}
		t.end()
	}
}

// once writes what a tape begins and ends with, and what is the same for all lanes.
func (t *tapeWriter) once() {
	for _, b := range []struct {
		name, instruction string
		bytes             int
	}{{"uniform 1", "VPBROADCASTB", tapeLanes}, {"uniform 4", "VPBROADCASTD", 4 * tapeLanes}, {"uniform 8", "VPBROADCASTQ", 8 * tapeLanes}} {
		t.begin(b.name, 1)
		t.line("%s (AX), Z0", b.instruction)
		for i := range b.bytes / 64 {
			t.line("VMOVDQU64 Z0, %d(DI)", 64*i)
		}
		t.end()
	}
	t.begin("rounds", -1)
	t.line("ADDQ $24, SI")
	t.line("MOVQ SI, R12")
	t.line("MOVQ (SI), R15")
	t.line("JMP R15")
	t.begin("next", -1)
	t.line("DECQ R11")
	t.line("JZ done")
	t.line("XORQ AX, AX")
	fmt.Fprintln(&t.text, "on:")
	t.line("VMOVDQU64 (R8)(AX*8), Z0")
	t.line("VPADDQ (R9)(AX*8), Z0, Z0")
	t.line("VMOVDQU64 Z0, (R8)(AX*8)")
	t.line("ADDQ $8, AX")
	t.line("CMPQ AX, R10")
	t.line("JL on")
	t.line("MOVQ R12, SI")
	t.line("MOVQ (SI), R15")
	t.line("JMP R15")
	fmt.Fprintln(&t.text, "done:")
	t.line("VZEROUPPER")
	t.line("RET")
}

func (t *tapeWriter) all() {
	t.once()
	for _, s := range tapeTypes {
		if s.name[0] != 'u' { // those of signed numbers do for the others
			for _, op := range []struct{ name, instruction string }{{"add", s.add}, {"sub", s.sub}, {"mul", s.mul}} {
				t.binary(op.name+" "+s.name, s, op.instruction)
			}
		}
		switch {
		case s.float():
			t.binary("div "+s.name, s, "VDIV"+s.suffix)
			t.unary("sqrt "+s.name, s, "VSQRT"+s.suffix+" %[1]s, %[2]s")
			t.unary("neg "+s.name, s, s.xor+" %[1]s, "+s.sign+", %[2]s")
			t.unary("abs "+s.name, s, strings.Replace(s.and, "AND", "ANDN", 1)+" %[1]s, "+s.sign+", %[2]s")
			t.limits(s)
			t.fma(s)
			t.pairs(s)
		default:
			t.binary("min "+s.name, s, s.min)
			t.binary("max "+s.name, s, s.max)
			t.shifts(s)
		}
		t.compares(s)
	}
	u8 := tapeType{name: "bool", size: 1, move: "VMOVDQU8"}
	for _, op := range []struct{ name, instruction string }{{"and", "VPANDD"}, {"or", "VPORD"}, {"xor", "VPXORD"}} {
		t.binary(op.name+" i32", tapeTypes[2], op.instruction)
		t.binary(op.name+" i64", tapeTypes[4], op.instruction)
		t.binary(op.name+" bool", u8, op.instruction)
	}
	t.unary("not bool", u8, "VPXORD %[1]s, Z28, %[2]s")
	t.selects(tapeTypes[2], "f32", "i32", "u32")
	t.selects(tapeTypes[4], "f64", "i64", "u64")
	t.convert("convert i32 f32", "VCVTDQ2PS", 4, 4)
	t.convert("convert u32 f32", "VCVTUDQ2PS", 4, 4)
	t.convert("convert i32 f64", "VCVTDQ2PD", 4, 8)
	t.convert("convert u32 f64", "VCVTUDQ2PD", 4, 8)
	t.convert("convert i64 f64", "VCVTQQ2PD", 8, 8)
	t.convert("convert f32 f64", "VCVTPS2PD", 4, 8)
	t.convert("convert f64 f32", "VCVTPD2PS", 8, 4)
	t.convert("convert i32 i64", "VPMOVSXDQ", 4, 8)
	t.convert("convert u32 i64", "VPMOVZXDQ", 4, 8)
	t.convert("convert i64 i32", "VPMOVQD", 8, 4)
	t.convert("convert i32 u32", "VMOVDQU64", 4, 4)
	t.convert("convert i64 u64", "VMOVDQU64", 8, 8)
}

// tapesSame are names of operations that have the code of others.
var tapesSame = func() (same [][2]string) {
	for _, op := range []string{"add", "sub", "mul", "and", "or", "xor"} {
		same = append(same, [2]string{op + " u32", op + " i32"}, [2]string{op + " u64", op + " i64"})
	}
	for _, bits := range []string{"32", "64"} {
		same = append(same, [2]string{"convert u" + bits + " i" + bits, "convert i" + bits + " u" + bits})
	}
	for _, from := range []string{"i32", "u32"} {
		same = append(same, [2]string{"convert " + from + " u64", "convert " + from + " i64"})
	}
	for _, from := range []string{"i64", "u64"} {
		for _, to := range []string{"i32", "u32"} {
			if from+to != "i64i32" {
				same = append(same, [2]string{"convert " + from + " " + to, "convert i64 i32"})
			}
		}
	}
	return same
}()

const tapesHead = `// Code generated by command: go run main.go -part tapes -out ../tapes_amd64.s -table ../tapestable_amd64.go. DO NOT EDIT.

//go:build !portable

#include "textflag.h"

// func runTape(code *TapeOp, places, steps *uintptr, n, rounds int)
TEXT ·runTape(SB), NOSPLIT|NOFRAME, $0-40
	MOVQ code+0(FP), SI
	MOVQ places+8(FP), R8
	MOVQ steps+16(FP), R9
	MOVQ n+24(FP), R10
	MOVQ rounds+32(FP), R11
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSLLD $31, Z31, Z30
	VPSLLQ $63, Z31, Z29
	VPABSB Z31, Z28
	MOVQ (SI), R15
	JMP R15
`

func writeTapes() {
	t := &tapeWriter{}
	t.all()
	var table strings.Builder
	fmt.Fprintf(&table, "// Code generated by asm. DO NOT EDIT.\n\n//go:build !portable\n\npackage vector\n\n")
	fmt.Fprintf(&table, "//go:noescape\nfunc runTape(code *TapeOp, places, steps *uintptr, n, rounds int)\n\n")
	fmt.Fprintf(&table, "// tapeCodes are where the code of tapeNames is.\nvar tapeCodes [%d]uintptr\n\n", len(t.names))
	fmt.Fprintf(&table, "// tapeNames are numbers of operations in tapeCodes.\nvar tapeNames = map[string]int{\n")
	for i, key := range t.keys {
		fmt.Fprintf(&table, "\t%q: %d,\n", key, i)
	}
	for _, s := range tapesSame {
		fmt.Fprintf(&table, "\t%q: %d,\n", s[0], slices.Index(t.keys, s[1]))
	}
	fmt.Fprintln(&table, "}")
	text := tapesHead + t.text.String() + "\n"
	for i, name := range t.names {
		text += fmt.Sprintf("DATA ·tapeCodes+%d(SB)/8, $%s(SB)\n", 8*i, name)
	}
	text += fmt.Sprintf("GLOBL ·tapeCodes(SB), NOPTR, $%d\n", 8*len(t.names))
	write := func(name, text string) {
		if err := os.WriteFile(flag.Lookup(name).Value.String(), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	write("out", text)
	formatted, err := format.Source([]byte(table.String()))
	if err != nil {
		log.Fatal(err)
	}
	write("table", string(formatted))
}
