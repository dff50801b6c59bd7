package ptx

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// TrapRecord is the name of the variable, twelve words of 64 bits in global memory, in which a module that Print made
// keeps the record of a check that failed: 1 once it is written, kind, number of the check in its kernel, two figures,
// then block and thread as x, y, z, and the address of the check's text or 0. See [kir.Func.FailedCheck].
const TrapRecord = "arrayrepl_trap"

// checkFunc is the function that a failed check calls: the first thread of the device that comes here leaves the record
// and every one ends. (A trap instruction would end the driver's context, and with it all that is in device memory.)
const checkFunc = `.visible .global .align 8 .b64 arrayrepl_trap[12];
.func arrayrepl_check(.param .b64 kind, .param .b64 site, .param .b64 x, .param .b64 y, .param .b64 text)
{
	.reg .pred %p<2>;
	.reg .b32 %r<7>;
	.reg .b64 %rd<14>;
	atom.global.cas.b64 %rd0, [arrayrepl_trap], 0, 2;
	setp.ne.u64 %p0, %rd0, 0;
	@%p0 exit;
	ld.param.b64 %rd1, [kind];
	ld.param.b64 %rd2, [site];
	ld.param.b64 %rd3, [x];
	ld.param.b64 %rd4, [y];
	ld.param.b64 %rd5, [text];
	st.global.b64 [arrayrepl_trap+8], %rd1;
	st.global.b64 [arrayrepl_trap+16], %rd2;
	st.global.b64 [arrayrepl_trap+24], %rd3;
	st.global.b64 [arrayrepl_trap+32], %rd4;
	mov.u32 %r0, %ctaid.x;
	cvt.u64.u32 %rd6, %r0;
	st.global.b64 [arrayrepl_trap+40], %rd6;
	mov.u32 %r1, %ctaid.y;
	cvt.u64.u32 %rd7, %r1;
	st.global.b64 [arrayrepl_trap+48], %rd7;
	mov.u32 %r2, %ctaid.z;
	cvt.u64.u32 %rd8, %r2;
	st.global.b64 [arrayrepl_trap+56], %rd8;
	mov.u32 %r3, %tid.x;
	cvt.u64.u32 %rd9, %r3;
	st.global.b64 [arrayrepl_trap+64], %rd9;
	mov.u32 %r4, %tid.y;
	cvt.u64.u32 %rd10, %r4;
	st.global.b64 [arrayrepl_trap+72], %rd10;
	mov.u32 %r5, %tid.z;
	cvt.u64.u32 %rd11, %r5;
	st.global.b64 [arrayrepl_trap+80], %rd11;
	st.global.b64 [arrayrepl_trap+88], %rd5;
	membar.sys;
	st.global.b64 [arrayrepl_trap], 1;
	exit;
}
`

// gridFunc is the function that waits for all threads of the grid, as CUDA's cooperative groups do: the first thread of
// each block adds to a counter, that of block 0 so much that the sum of all flips the top bit, and waits for that.
const gridFunc = `.global .align 4 .u32 arrayrepl_grid = 0;
.func arrayrepl_grid_sync()
{
	.reg .pred %p<3>;
	.reg .b32 %r<13>;
	bar.sync 0;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %tid.y;
	mov.u32 %r2, %tid.z;
	or.b32 %r0, %r0, %r1;
	or.b32 %r0, %r0, %r2;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra $done;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ctaid.y;
	mov.u32 %r5, %ctaid.z;
	or.b32 %r3, %r3, %r4;
	or.b32 %r3, %r3, %r5;
	setp.eq.u32 %p1, %r3, 0;
	mov.u32 %r6, %nctaid.x;
	mov.u32 %r7, %nctaid.y;
	mov.u32 %r8, %nctaid.z;
	mul.lo.u32 %r6, %r6, %r7;
	mul.lo.u32 %r6, %r6, %r8;
	sub.u32 %r6, 0x80000001, %r6;
	selp.u32 %r9, %r6, 1, %p1;
	membar.gl;
	atom.global.add.u32 %r10, [arrayrepl_grid], %r9;
$again:
	ld.volatile.global.u32 %r11, [arrayrepl_grid];
	xor.b32 %r11, %r11, %r10;
	setp.ge.s32 %p2, %r11, 0;
	@%p2 bra $again;
	membar.gl;
$done:
	bar.sync 0;
	ret;
}
`

func (p *printer) gridBarrier() {
	if !p.helpers["arrayrepl_grid_sync"] {
		p.helpers["arrayrepl_grid_sync"] = true
		p.globals.WriteString(gridFunc)
	}
	p.emit("call arrayrepl_grid_sync, ()")
}

// check writes a call of checkFunc where an OpCheck's condition is false.
func (p *printer) check(v *kir.Value) {
	if !p.helpers["arrayrepl_check"] {
		p.helpers["arrayrepl_check"] = true
		p.globals.WriteString(checkFunc)
	}
	kind, text := p.f.Check(v)
	address := "0"
	if text != "" {
		name := p.name("arrayrepl_text")
		fmt.Fprintf(&p.globals, ".global .align 1 .b8 %s[%d] = {%s};\n", name, len(text)+1, byteList(text+"\x00"))
		address = p.newReg(kir.U64)
		p.emit("mov.u64 %s, %s", address, name)
	}
	p.emit("@!%s call arrayrepl_check, (%d, %d, %s, %s, %s)", p.register(v.Args[0]), kind, v.ID, p.operand(v.Args[1]), p.operand(v.Args[2]), address)
}

func byteList(s string) string {
	var out []string
	for i := range len(s) {
		out = append(out, fmt.Sprint(s[i]))
	}
	return strings.Join(out, ", ")
}
