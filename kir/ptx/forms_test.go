package ptx

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// preamble declares what the forms below use; r0 to r3 (u32), l0 to l3 (u64) hold the inputs, and the result goes to
// the register of the form's first operand.
const preamble = `
	.reg .pred p<8>;
	.reg .b16 h<8>;
	.reg .b32 r<16>;
	.reg .b64 l<16>;
	.reg .f32 f<8>;
	.reg .f64 d<8>;
	ld.param.u64 l0, [in];
	ld.param.u64 l1, [out];
	ld.global.u32 r0, [l0];
	ld.global.u32 r1, [l0+4];
	ld.global.u32 r2, [l0+8];
	ld.global.u32 r3, [l0+12];
	mov.b32 f0, r0;
	mov.b32 f1, r1;
	mov.b32 f2, r2;
	cvt.f64.f32 d0, f0;
	cvt.f64.f32 d1, f1;
	mov.b64 l2, {r0, r1};
	mov.b64 l3, {r2, r3};
	setp.lt.u32 p0, r0, r1;
	setp.ne.u32 p1, r2, 0;
	cvt.u16.u32 h0, r0;
	cvt.u16.u32 h1, r1;
`

func formKernel(name, form, result string) string {
	return fmt.Sprintf(".visible .entry %s(.param .u64 in, .param .u64 out)\n{\n.shared .align 8 .b8 sh[64];\n.local .align 8 .b8 loc[64];%s\t%s\n\t%s\n\tret;\n}\n", name, preamble, form, result)
}

const header = ".version 7.8\n.target sm_75\n.address_size 64\n.const .align 4 .u32 table[4] = {10, 20, 30, 40};\n"

var store = map[string]string{
	"r": "st.global.u32 [l1], r9;", "l": "st.global.u64 [l1], l9;", "f": "st.global.f32 [l1], f7;", "d": "st.global.f64 [l1], d7;",
	"p": "selp.u32 r9, 1, 0, p7;\n\tst.global.u32 [l1], r9;", "h": "cvt.u32.u16 r9, h7;\n\tst.global.u32 [l1], r9;",
}

func f32(x float64) uint32 { return math.Float32bits(float32(x)) }

var formCases = append(commonForms, tier1Forms...)

type formCase struct {
	form  string
	in    [4]uint32
	class string
	want  uint64
}

// commonForms give an instruction, its inputs and what it must give by the words of the PTX ISA manual, worked out by
// hand.
var commonForms = []formCase{
	{"add.s32 r9, r0, r1;", [4]uint32{5, 0xfffffffe}, "r", 3},
	{"add.sat.s32 r9, r0, r1;", [4]uint32{0x7fffffff, 5}, "r", 0x7fffffff},
	{"sub.s32 r9, r0, r1;", [4]uint32{5, 7}, "r", 0xfffffffe},
	{"mul.lo.s32 r9, r0, r1;", [4]uint32{0x10001, 0x10001}, "r", 0x20001},
	{"mul.hi.s32 r9, r0, r1;", [4]uint32{0xffffffff, 2}, "r", 0xffffffff},
	{"mul.hi.u32 r9, r0, r1;", [4]uint32{0xffffffff, 2}, "r", 1},
	{"mul.wide.s32 l9, r0, r1;", [4]uint32{0xffffffff, 2}, "l", math.MaxUint64 - 1},
	{"mul.wide.u32 l9, r0, r1;", [4]uint32{0xffffffff, 2}, "l", 0x1fffffffe},
	{"mul24.lo.u32 r9, r0, r1;", [4]uint32{0xff000003, 0x01000002}, "r", 6},
	{"mad.lo.s32 r9, r0, r1, r2;", [4]uint32{3, 4, 5}, "r", 17},
	{"mad.wide.s32 l9, r0, r1, l3;", [4]uint32{0xffffffff, 1, 3, 0}, "l", 2},
	{"mad.hi.u32 r9, r0, r1, r2;", [4]uint32{0x80000000, 4, 5}, "r", 7},
	{"sad.s32 r9, r0, r1, r2;", [4]uint32{0xfffffffe, 3, 10}, "r", 15},
	{"div.s32 r9, r0, r1;", [4]uint32{0xfffffff9, 2}, "r", 0xfffffffd},
	{"rem.u32 r9, r0, r1;", [4]uint32{17, 5}, "r", 2},
	{"min.s32 r9, r0, r1;", [4]uint32{0xffffffff, 1}, "r", 0xffffffff},
	{"max.u32 r9, r0, r1;", [4]uint32{0xffffffff, 1}, "r", 0xffffffff},
	{"neg.s32 r9, r0;", [4]uint32{3}, "r", 0xfffffffd},
	{"abs.s32 r9, r0;", [4]uint32{0xfffffffd}, "r", 3},
	{"and.b32 r9, r0, r1;", [4]uint32{12, 10}, "r", 8},
	{"not.b32 r9, r0;", [4]uint32{0}, "r", 0xffffffff},
	{"cnot.b32 r9, r0;", [4]uint32{0}, "r", 1},
	{"shl.b32 r9, r0, r1;", [4]uint32{1, 40}, "r", 0},
	{"shr.s32 r9, r0, r1;", [4]uint32{0x80000000, 40}, "r", 0xffffffff},
	{"shr.u32 r9, r0, r1;", [4]uint32{0x80000000, 31}, "r", 1},
	{"popc.b64 r9, l2;", [4]uint32{0xff, 0x3}, "r", 10},
	{"clz.b32 r9, r0;", [4]uint32{1}, "r", 31},
	{"brev.b32 r9, r0;", [4]uint32{1}, "r", 0x80000000},
	{"bfind.u32 r9, r0;", [4]uint32{0x100}, "r", 8},
	{"bfind.s32 r9, r0;", [4]uint32{0xfffffff0}, "r", 3},
	{"bfind.u32 r9, r0;", [4]uint32{0}, "r", 0xffffffff},
	{"bfe.u32 r9, r0, r1, r2;", [4]uint32{0xabcd1234, 8, 8}, "r", 0x12},
	{"bfe.s32 r9, r0, r1, r2;", [4]uint32{0x0000f000, 8, 8}, "r", 0xfffffff0},
	{"bfe.s32 r9, r0, r1, r2;", [4]uint32{0x80000000, 24, 16}, "r", 0xffffff80},
	{"bfe.s32 r9, r0, r1, r2;", [4]uint32{0x80000000, 8, 0}, "r", 0},
	{"bfi.b32 r9, r0, r1, r2, 8;", [4]uint32{0xab, 0xffffffff, 8}, "r", 0xffffabff},
	{"prmt.b32 r9, r0, r1, r2;", [4]uint32{0x33221100, 0x77665544, 0x7042}, "r", 0x77004422},
	{"prmt.b32 r9, r0, r1, r2;", [4]uint32{0x80, 0, 0x8888}, "r", 0xffffffff},
	{"lop3.b32 r9, r0, r1, r2, 0xE8;", [4]uint32{0b1100, 0b1010, 0b0110}, "r", 0b1110}, // majority
	{"lop3.b32 r9, r0, r1, r2, 0x96;", [4]uint32{0b1100, 0b1010, 0b0110}, "r", 0b0000}, // xor
	{"shf.l.wrap.b32 r9, r0, r1, r2;", [4]uint32{0x80000000, 1, 33}, "r", 3},
	{"shf.r.clamp.b32 r9, r0, r1, r2;", [4]uint32{5, 7, 40}, "r", 7},
	{"add.rn.f32 f7, f0, f1;", [4]uint32{f32(0.1), f32(0.2)}, "f", uint64(f32(float64(float32(0.1)) + float64(float32(0.2))))},
	{"add.ftz.f32 f7, f0, f1;", [4]uint32{1, f32(0)}, "f", 0},
	{"add.sat.f32 f7, f0, f1;", [4]uint32{f32(3), f32(4)}, "f", uint64(f32(1))},
	{"fma.rn.f32 f7, f0, f1, f2;", [4]uint32{f32(3), f32(4), f32(0.5)}, "f", uint64(f32(12.5))},
	{"mad.rn.f32 f7, f0, f1, f2;", [4]uint32{f32(3), f32(4), f32(0.5)}, "f", uint64(f32(12.5))},
	{"div.rn.f32 f7, f0, f1;", [4]uint32{f32(1), f32(4)}, "f", uint64(f32(0.25))},
	{"rcp.rn.f32 f7, f0;", [4]uint32{f32(4)}, "f", uint64(f32(0.25))},
	{"sqrt.rn.f32 f7, f0;", [4]uint32{f32(9)}, "f", uint64(f32(3))},
	{"rsqrt.approx.f32 f7, f0;", [4]uint32{f32(4)}, "f", uint64(f32(0.5))},
	{"ex2.approx.f32 f7, f0;", [4]uint32{f32(5)}, "f", uint64(f32(32))},
	{"lg2.approx.f32 f7, f0;", [4]uint32{f32(32)}, "f", uint64(f32(5))},
	{"min.f32 f7, f0, f1;", [4]uint32{f32(math.NaN()), f32(2)}, "f", uint64(f32(2))},
	{"max.f32 f7, f0, f1;", [4]uint32{f32(1), f32(2)}, "f", uint64(f32(2))},
	{"copysign.f32 f7, f0, f1;", [4]uint32{f32(-1), f32(2)}, "f", uint64(f32(-2))},
	{"abs.f64 d7, d0;", [4]uint32{f32(-1.5)}, "d", math.Float64bits(1.5)},
	{"cvt.rni.s32.f32 r9, f0;", [4]uint32{f32(2.5)}, "r", 2},
	{"cvt.rmi.s32.f32 r9, f0;", [4]uint32{f32(-2.5)}, "r", 0xfffffffd},
	{"cvt.rpi.f32.f32 f7, f0;", [4]uint32{f32(2.1)}, "f", uint64(f32(3))},
	{"cvt.rzi.u32.f32 r9, f0;", [4]uint32{f32(-5)}, "r", 0},
	{"cvt.rzi.s32.f64 r9, d0;", [4]uint32{f32(math.NaN())}, "r", 0x80000000},
	{"cvt.rzi.s32.f32 r9, f0;", [4]uint32{f32(math.NaN())}, "r", 0},
	{"cvt.sat.u8.s32 h7, r0;", [4]uint32{300}, "h", 255},
	{"cvt.sat.s8.s32 h7, r0;", [4]uint32{0xffffff00}, "h", 0xff80},
	{"cvt.s32.s8 r9, r0;", [4]uint32{0x180}, "r", 0xffffff80},
	{"cvt.rn.f32.s32 f7, r0;", [4]uint32{0xffffffff}, "f", uint64(f32(-1))},
	{"cvt.rn.f16.f32 h7, f0;", [4]uint32{f32(1.5)}, "h", 0x3e00},
	{"setp.lt.and.u32 p7, r0, r1, p1;", [4]uint32{1, 2, 1}, "p", 1},
	{"setp.lt.and.u32 p7, r0, r1, !p1;", [4]uint32{1, 2, 1}, "p", 0},
	{"setp.ge.u32 p6|p7, r0, r1;", [4]uint32{1, 2}, "p", 1},
	{"setp.ltu.f32 p7, f0, f1;", [4]uint32{f32(math.NaN()), f32(1)}, "p", 1},
	{"setp.ne.f32 p7, f0, f1;", [4]uint32{f32(math.NaN()), f32(1)}, "p", 0},
	{"setp.num.f32 p7, f0, f1;", [4]uint32{f32(1), f32(1)}, "p", 1},
	{"setp.lo.u32 p7, r0, r1;", [4]uint32{1, 0xffffffff}, "p", 1},
	{"set.lt.u32.u32 r9, r0, r1;", [4]uint32{1, 2}, "r", 0xffffffff},
	{"selp.b32 r9, r0, r1, p0;", [4]uint32{1, 2}, "r", 1},
	{"slct.s32.s32 r9, r0, r1, r2;", [4]uint32{1, 2, 0xffffffff}, "r", 2},
	{"and.pred p7, p0, p1;", [4]uint32{1, 2, 3}, "p", 1},
	{"not.pred p7, p0;", [4]uint32{1, 2}, "p", 0},
	{"testp.infinite.f32 p7, f0;", [4]uint32{f32(math.Inf(-1))}, "p", 1},
	{"mov.b64 {r8, r9}, l2;", [4]uint32{1, 2}, "r", 2},
	{"mov.b64 l9, {r1, r0};", [4]uint32{1, 2}, "l", 1<<32 | 2},
	{"mov.u32 r9, 7;\n\t@p0 mov.u32 r9, 8;", [4]uint32{1, 2}, "r", 8},
	{"mov.u32 r9, 7;\n\t@!p0 mov.u32 r9, 8;", [4]uint32{1, 2}, "r", 7},
	{"mov.u32 r9, 7;\n\t@!p0 ld.global.u32 r9, [l0+1000000];", [4]uint32{1, 2}, "r", 7},
	{"mov.u32 r9, table;\n\tmov.u64 l4, table;\n\tld.const.u32 r9, [l4+8];", [4]uint32{}, "r", 30},
	{"st.shared.v2.u32 [sh+8], {r0, r1};\n\tld.shared.u64 l9, [sh+8];", [4]uint32{1, 2}, "l", 2<<32 | 1},
	{"mov.u32 r4, sh;\n\tst.shared.u32 [r4+4], r0;\n\tld.shared.u32 r9, [sh+4];", [4]uint32{9}, "r", 9},
	{"mov.u64 l4, loc;\n\tcvta.local.u64 l5, l4;\n\tst.u32 [l5], r0;\n\tld.local.u32 r9, [l4];", [4]uint32{9}, "r", 9},
	{"ld.global.v4.u32 {r4, r5, r6, r9}, [l0];", [4]uint32{1, 2, 3, 4}, "r", 4},
	{"ld.global.nc.u32 r9, [l0+4];", [4]uint32{1, 2, 3, 4}, "r", 2},
	{"ld.global.s8 r9, [l0];", [4]uint32{0x80}, "r", 0xffffff80},
	{"ld.volatile.global.u32 r9, [l0];", [4]uint32{5}, "r", 5},
	{"st.shared.u32 [sh], r0;\n\tatom.shared.add.u32 r4, [sh], 5;\n\tld.shared.u32 r9, [sh];", [4]uint32{5}, "r", 10},
	{"st.shared.u32 [sh], r0;\n\tred.shared.max.s32 [sh], r1;\n\tld.shared.u32 r9, [sh];", [4]uint32{5, 9}, "r", 9},
	{"st.shared.u32 [sh], r0;\n\tatom.shared.cas.b32 r9, [sh], 5, 6;", [4]uint32{5}, "r", 5},
	{"st.shared.u32 [sh], r0;\n\tatom.shared.inc.u32 r4, [sh], 5;\n\tld.shared.u32 r9, [sh];", [4]uint32{5}, "r", 0},
	{"shfl.sync.idx.b32 r9|p7, r0, 0, 31, -1;", [4]uint32{77}, "r", 77},
	{"shfl.sync.up.b32 r9|p7, r0, 1, 0, -1;", [4]uint32{77}, "p", 0},
	{"vote.sync.ballot.b32 r9, p0, -1;", [4]uint32{1, 2}, "r", 1},
	{"vote.sync.uni.pred p7, p0, -1;", [4]uint32{1, 2}, "p", 1},
	{"activemask.b32 r9;", [4]uint32{}, "r", 1},
	{"match.any.sync.b32 r9, r0, -1;", [4]uint32{}, "r", 1},
	{"bar.red.popc.u32 r9, 0, p0;", [4]uint32{1, 2}, "r", 1},
	{"bar.sync 0;\n\tbar.warp.sync -1;\n\tmembar.gl;\n\tfence.acq_rel.gpu;\n\tmov.u32 r9, %laneid;", [4]uint32{}, "r", 0},
	{"mov.u32 r9, %lanemask_le;", [4]uint32{}, "r", 1},
	{"mov.u32 r9, %nwarpid;", [4]uint32{}, "r", 1},
	{"{\n\t.reg .pred p;\n\tsetp.eq.u32 p, r0, 3;\n\tselp.u32 r9, 4, 5, p;\n\t}", [4]uint32{3}, "r", 4},
	{"mov.u32 r9, 0;\nL:\n\tadd.u32 r9, r9, r1;\n\tsub.u32 r0, r0, 1;\n\tsetp.ne.u32 p2, r0, 0;\n\t@p2 bra L;", [4]uint32{5, 3}, "r", 15},
	{"mov.u32 r9, 1;\n\t@p0 bra.uni S;\n\tmov.u32 r9, 2;\nS:", [4]uint32{1, 2}, "r", 1},
	{"isspacep.global p7, l0;", [4]uint32{}, "", 0},
	{"addc.cc.u32 r9, r0, r1;", [4]uint32{}, "", 0},
	{"add.rz.f32 f7, f0, f1;", [4]uint32{}, "", 0},
}

// TestForms: what is supported gives what the manual says, as parsed and as optimised; other forms are errors that name
// them.
func TestForms(t *testing.T) {
	testsize.InTurn(t, 1)
	var all strings.Builder
	all.WriteString(header)
	for i, c := range formCases {
		if c.class == "" {
			text := header + formKernel("k", c.form, "")
			_, err := Parse(text)
			line := strings.Count(text[:strings.Index(text, c.form)], "\n") + 1
			if e, ok := err.(*Error); !ok || e.Line != line || !strings.Contains(e.Text, strings.Fields(c.form)[0]) {
				t.Errorf("%s: %v", c.form, err)
			}
			continue
		}
		text := formKernel(fmt.Sprintf("k%d", i), c.form, store[c.class])
		if !strings.Contains(c.form, "%nwarpid") && !strings.Contains(c.form, "mov.u32 r9, table") {
			all.WriteString(text)
		}
		fs, err := Parse(header + text)
		if err != nil {
			t.Errorf("%s: %v", c.form, err)
			continue
		}
		for _, f := range []*kir.Func{fs[0], opt.Optimize(fs[0])} {
			p, err := cpu.Compile(f)
			if err != nil {
				t.Fatal(err)
			}
			in, out := make([]byte, 16), make([]byte, 8)
			for j, x := range c.in {
				binary.LittleEndian.PutUint32(in[4*j:], x)
			}
			m := cpu.NewMemory()
			m.Map(0x1000, in)
			m.Map(0x2000, out)
			params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 0x1000), 0x2000)
			if _, err := p.Run(context.Background(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: params, Memory: m}); err != nil {
				t.Errorf("%s: %v\n%s", c.form, err, f)
				continue
			}
			got := binary.LittleEndian.Uint64(out)
			if c.class == "h" {
				got &= 0xffff
			}
			if got != c.want {
				t.Errorf("%s of %#x is %#x, not %#x\n%s", c.form, c.in, got, c.want, f)
			}
		}
	}
	// The forms are PTX, redux from 8.0 on.
	if _, err := judges.Ptxas(t, strings.Replace(all.String(), "sm_75", "sm_80", 1), 80); err != nil {
		t.Error(err)
	}
}

// FuzzParse: no text makes the reader panic, and what it reads is a well-formed kernel.
func FuzzParse(f *testing.F) {
	for i, c := range formCases {
		if i%7 == 0 {
			f.Add(header + formKernel("k", c.form, store[c.class]))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		fs, err := parse(text)
		if err != nil {
			return
		}
		for _, k := range fs {
			if err := kir.Verify(k); err != nil {
				t.Fatal(err)
			}
		}
	})
}
