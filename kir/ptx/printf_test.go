package ptx_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// printed runs a kernel of one thread and returns its output.
func printed(t *testing.T, f *kir.Func) string {
	t.Helper()
	p, err := cpu.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := p.Run(context.Background(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: make([]byte, f.ParamBytes()), Output: &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPrintf prints every type with every verb that devices know, goes through PTX and back, and gives it to ptxas.
func TestPrintf(t *testing.T) {
	b := kir.NewBuilder("k")
	tid := b.Special(kir.TidX) // 0
	want := ""
	say := func(format string, args ...*kir.Value) { b.Printf(format, args...) }
	say("no operand, 100%%\n")
	want += "no operand, 100%\n"
	for _, typ := range []kir.Type{kir.I8, kir.U8, kir.I16, kir.U16, kir.I32, kir.U32, kir.I64, kir.U64} {
		x := b.Op(kir.OpAdd, b.Convert(typ, tid), b.Int(typ, 65))
		say("%v %d %5d|%-5d|%05d %x %X %o "+typ.String()+"\n", x, x, x, x, x, x, x, x)
		want += "65 65    65|65   |00065 41 41 101 " + typ.String() + "\n"
	}
	for _, typ := range []kir.Type{kir.F16, kir.F32, kir.F64} {
		x := b.Convert(typ, b.Op(kir.OpAdd, b.Convert(kir.F32, tid), b.Const(kir.F32, -1.5)))
		say("%v %g %e %8.3f|%+.1G\n", x, x, x, x, x)
		want += "-1.5 -1.5 -1.500000e+00   -1.500|-2\n"
	}
	first, none := b.Op(kir.OpEq, tid, b.Int(kir.U32, 0)), b.Op(kir.OpNe, tid, b.Int(kir.U32, 0))
	say("%v %d %t %c %v\n", first, tid, none, b.Int(kir.I32, 'x'), b.Int(kir.Bool, 1))
	want += "true 0 false x true\n"
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]*kir.Func{"as written": f, "optimised": opt.Optimize(f)} {
		g := back(t, k)
		if !kir.Equal(k, g) {
			t.Errorf("%s: another kernel comes back: of\n%s\nbecomes\n%s", name, k, g)
		}
		for _, h := range []*kir.Func{k, g} {
			if got := printed(t, h); got != want {
				t.Errorf("%s: printed\n%s\nnot\n%s", name, got, want)
			}
		}
	}
	for _, target := range targets {
		if _, err := judges.Ptxas(t, print(t, target, f), target); err != nil {
			t.Error(err)
		}
	}
}

// TestPrintfOfC runs what a compiler makes of C's printf: operands in a depot of local memory, beside the words of the
// C standard for each conversion.
func TestPrintfOfC(t *testing.T) {
	for _, c := range []struct {
		format string
		stores string // to [values+…]
		want   string
	}{
		{"plain 5%%\n", "", "plain 5%\n"},
		{"%d %i|%4d|%-4d|%04d|%+d\n", "b32 0 -7; b32 4 -7; b32 8 -7; b32 12 -7; b32 16 -7; b32 20 7", "-7 -7|  -7|-7  |-007|+7\n"},
		{"%u %x %X %#x %o\n", "b32 0 -1; b32 4 255; b32 8 255; b32 12 255; b32 16 8", "4294967295 ff FF 0xff 10\n"},
		{"%lld %llu %lx %zu\n", "b64 0 -7; b64 8 -1; b64 16 -1; b64 24 7", "-7 18446744073709551615 ffffffffffffffff 7\n"},
		{"%hhd %hu %c\n", "b32 0 255; b32 4 -1; b32 8 65", "-1 65535 A\n"},
		{"%d %f %d\n", "b32 0 1; f64 8 0d3FF8000000000000; b32 16 2", "1 1.500000 2\n"},
		{"%g %g %g %e %.2f %G\n", "f64 0 0d3FB999999999999A; f64 8 0d412E848000000000; f64 16 0d40F86A0000000000; f64 24 0d3FF8000000000000; f64 32 0d3FF8000000000000; f64 40 0d3FF8000000000000",
			"0.1 1e+06 100000 1.500000e+00 1.50 1.5\n"},
		{"%s and %5s|%p\n", "b64 0 word; b64 8 word; b64 16 4096", "ok and    ok|0x1000\n"},
	} {
		var body strings.Builder
		for _, s := range strings.Split(c.stores, "; ") {
			if typ, rest, ok := strings.Cut(s, " "); ok {
				at, value, _ := strings.Cut(rest, " ")
				if value == "word" {
					body.WriteString("\tmov.u64 %rd9, word;\n\tcvta.global.u64 %rd9, %rd9;\n")
					value = "%rd9"
				}
				fmt.Fprintf(&body, "\tst.local.%s [%%rd2+%s], %s;\n", typ, at, value)
			}
		}
		bytes := make([]string, 0, len(c.format)+1)
		for _, x := range []byte(c.format + "\x00") {
			bytes = append(bytes, fmt.Sprint(x))
		}
		text := fmt.Sprintf(`.version 7.5
.target sm_75
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.global .align 1 .b8 $str[%d] = {%s};
.global .align 1 .b8 word[3] = {111, 107};
.visible .entry k()
{
	.local .align 8 .b8 __local_depot0[64];
	.reg .b64 %%SP;
	.reg .b64 %%SPL;
	.reg .b32 %%r<3>;
	.reg .b64 %%rd<10>;
	mov.u64 %%SPL, __local_depot0;
	cvta.local.u64 %%SP, %%SPL;
	add.u64 %%rd1, %%SP, 0;
	add.u64 %%rd2, %%SPL, 0;
%s	mov.u64 %%rd3, $str;
	cvta.global.u64 %%rd4, %%rd3;
	{
	.param .b64 param0;
	st.param.b64 [param0+0], %%rd4;
	.param .b64 param1;
	st.param.b64 [param1+0], %%rd1;
	.param .b32 retval0;
	call.uni (retval0), vprintf, (param0, param1);
	ld.param.b32 %%r1, [retval0+0];
	}
	ret;
}
`, len(bytes), strings.Join(bytes, ", "), body.String())
		fs, err := ptx.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", c.format, err)
			continue
		}
		for _, f := range []*kir.Func{fs[0], opt.Optimize(fs[0])} {
			if got := printed(t, f); got != c.want {
				t.Errorf("%q prints %q, not %q\n%v", c.format, got, c.want, f)
			}
		}
		if g := opt.Optimize(fs[0]); !kir.Equal(g, back(t, g)) {
			t.Errorf("%q: another kernel comes back", c.format)
		}
		if _, err := judges.Ptxas(t, text, 75); err != nil {
			t.Error(err)
		}
	}
}

// TestPrintfThatDevicesLack: what Go prints and a device cannot is an error that says so.
func TestPrintfThatDevicesLack(t *testing.T) {
	for format, want := range map[string]string{"%q": "cannot print u32 with %q", "%*d": "written out", "%d %d": "more conversions", "": "fewer conversions", "%": "ends within"} {
		b := kir.NewBuilder("k")
		b.Printf(format, b.Special(kir.TidX))
		b.Return()
		f, err := b.Func()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ptx.Print(ptx.Options{}, f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", format, err)
		}
	}
}
