package main

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/cudabackend/nvrtc"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

const saxpy = `.version 8.0
.target sm_75
.address_size 64

.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
	.reg .pred %p<2>;
	.reg .f32 %f<5>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;
	.shared .align 4 .b8 s[128];
	ld.param.u32 %r1, [n];
	ld.param.f32 %f1, [a];
	ld.param.u64 %rd1, [x];
	ld.param.u64 %rd2, [y];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	setp.ge.s32 %p1, %r5, %r1;
	@%p1 bra $done;
	cvta.to.global.u64 %rd3, %rd1;
	cvta.to.global.u64 %rd4, %rd2;
	mul.wide.s32 %rd5, %r5, 4;
	add.s64 %rd6, %rd3, %rd5;
	add.s64 %rd7, %rd4, %rd5;
	ld.global.f32 %f2, [%rd6];
	ld.global.f32 %f3, [%rd7];
	fma.rn.f32 %f4, %f1, %f2, %f3;
	st.global.f32 [%rd7], %f4;
$done:
	ret;
}
`

func ptxTexts() *format {
	in := func(name, body string) input {
		return input{name: name, data: []byte(strings.Replace(saxpy, "$done:\n", body+"\n$done:\n", 1))}
	}
	return &format{
		name: "ptx", base: 16 << 20, times: 1000, text: true,
		seeds: func() []input { return []input{{name: "saxpy", data: []byte(saxpy)}} },
		special: func() []input {
			return []input{
				in("registers without an end", ".reg .b32 %q<4000000000>;"), in("a negative count of registers", ".reg .b32 %q<-1>;"), in("many declarations of many registers", strings.Repeat(".reg .b32 %q<1000000>;\n", 100)),
				in("a shared array of 2^63 bytes", ".shared .b8 t[9223372036854775807];"), in("a shared array that overflows", ".shared .b64 t[4294967296][4294967296];"), in("a local array of 2^40 bytes", ".local .b8 t[1099511627776];"),
				in("an alignment of 2^31", ".shared .align 2147483648 .b8 t[4];"), in("an alignment of 3", ".shared .align 3 .b8 t[4];"), in("an expression that is nested", "mov.u32 %r1, "+strings.Repeat("(", 100_000)+"1"+strings.Repeat(")", 100_000)+";"),
				in("blocks that are nested", strings.Repeat("{", 100_000)+strings.Repeat("}", 100_000)), in("a label of a million letters", strings.Repeat("l", 1_000_000)+":"), in("an instruction of a million letters", strings.Repeat("l", 1_000_000)+" %r1;"),
				in("a number of a million digits", "mov.u32 %r1, "+strings.Repeat("9", 1_000_000)+";"), in("two labels of one name", "a: a:"), in("an escape", "\x1b[31m %r1;"),
				{name: "a comment without an end", data: []byte(saxpy + "/*")}, {name: "a global of 2^62 bytes", data: []byte(strings.Replace(saxpy, ".visible", ".global .b8 g[4611686018427387904];\n.visible", 1))},
				{name: "a global with many zeros", data: []byte(strings.Replace(saxpy, ".visible", ".global .b32 g[1000000000] = {0};\n.visible", 1))}, {name: "two kernels of one name", data: []byte(saxpy + saxpy[strings.Index(saxpy, ".visible"):])},
				{name: "a version of 2^64", data: []byte(strings.Replace(saxpy, "8.0", "18446744073709551616.0", 1))},
				{name: "a function that calls itself", data: []byte(strings.Replace(saxpy, ".visible", ".func f()\n{\ncall f;\nret;\n}\n.visible", 1))},
				{name: "functions that double", most: 128 << 20, data: []byte(strings.Replace(saxpy, ".visible", doubling(40)+".visible", 1))},
			}
		},
		read: func(in input) (string, error) {
			kernels, err := ptx.Parse(string(in.data))
			if err != nil {
				return "", err
			}
			return compiled(kernels)
		},
	}
}

// doubling are n functions, each of which calls the one before twice.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString(".func f0()\n{\nret;\n}\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, ".func f%d()\n{\ncall f%d;\ncall f%d;\nret;\n}\n", i, i-1, i-1)
	}
	b.WriteString(strings.Replace(strings.Replace(saxpy[strings.Index(saxpy, ".visible"):], "saxpy", "calls", 1), "$done:", fmt.Sprintf("call f%d;\n$done:", n), 1))
	return b.String()
}

// compiled checks and compiles kernels.
func compiled(kernels []*kir.Func) (string, error) {
	for _, f := range kernels {
		if err := kir.Verify(f); err != nil {
			return "", err
		}
		if _, err := cpu.Compile(f); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d kernels", len(kernels)), nil
}

func kirTexts() *format {
	return &format{
		name: "kir", base: 16 << 20, times: 1000, text: true,
		seeds: func() []input {
			kernels, err := ptx.Parse(saxpy)
			must(err)
			return []input{{name: "saxpy", data: []byte(kernels[0].String())}}
		},
		read: func(in input) (string, error) {
			f, err := kir.Parse(string(in.data))
			if err != nil {
				return "", err
			}
			return compiled([]*kir.Func{f})
		},
	}
}

const cuda = `extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = a * x[i] + y[i];
}
`

// cudaTexts are compiled by NVIDIA's library, so that few of them are tried; what it takes is not measured.
func cudaTexts() *format {
	return &format{
		name: "cuda", base: 64 << 20, times: 1000, text: true, share: 20,
		begin: func() error {
			_, err := nvrtc.Kernels(cuda, nvrtc.Options{})
			return err
		},
		seeds: func() []input { return []input{{name: "saxpy", data: []byte(cuda)}} },
		special: func() []input {
			return []input{
				{name: "a shared array of 2^62 bytes", data: []byte(strings.Replace(cuda, "int i", "__shared__ char s[1LL<<62]; s[n] = 0; int i", 1))},
				{name: "a file that is included", must: fail, data: []byte("#include \"/etc/passwd\"\n" + cuda)}, {name: "itself included", must: fail, data: []byte("#include __FILE__\n" + cuda)},
				{name: "templates without an end", must: fail, data: []byte("template<int n> struct f { static const int v = f<n+1>::v; };\n" + strings.Replace(cuda, "int i", "int k = f<0>::v, i", 1))},
				{name: "100,000 brackets", data: []byte(strings.Replace(cuda, "int i", "int k = "+strings.Repeat("(", 100_000)+"n"+strings.Repeat(")", 100_000)+", i", 1))},
				{name: "100,000 signs", data: []byte(strings.Replace(cuda, "int i", "int k = "+strings.Repeat("~", 100_000)+"n, i", 1))},
				{name: "a zero byte", must: fail, data: []byte(cuda + "\x00" + cuda)},
				{name: "a sum of 1,900", data: []byte(strings.Replace(cuda, "int i", "int k = 1"+strings.Repeat("+n", 1900)+", i", 1))},
				{name: "490 brackets", data: []byte(strings.Replace(cuda, "int i", "int k = "+strings.Repeat("(", 490)+"n"+strings.Repeat(")", 490)+", i", 1))},
				{name: "490 blocks", data: []byte(strings.Replace(cuda, "int i", strings.Repeat("if (n) {", 490)+strings.Repeat("}", 490)+"int i", 1))},
				{name: "3,900 else", data: []byte(strings.Replace(cuda, "int i", strings.Repeat("if (n) y[0] = 0; else ", 3900)+"y[1] = 1; int i", 1))},
				{name: "900 if", data: []byte(strings.Replace(cuda, "int i", strings.Repeat("if (n > 1) ", 900)+"y[1] = 1; int i", 1))},
				{name: "1,900 signs", data: []byte(strings.Replace(cuda, "int i", "int k = "+strings.Repeat("~", 1900)+"n, i", 1))},
				{name: "an error with an escape", must: fail, data: []byte("#error \x1b[31mred\n" + cuda)},
			}
		},
		read: func(in input) (string, error) {
			kernels, err := nvrtc.Kernels(string(in.data), nvrtc.Options{})
			if err != nil {
				return "", err
			}
			return compiled(kernels)
		},
	}
}
