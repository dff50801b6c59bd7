package ptx_test

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// TestFastMathIsAskedFor: approximations and what an assembler may contract stand in the text with the option alone.
func TestFastMathIsAskedFor(t *testing.T) {
	b := kir.NewBuilder("k")
	x, out := b.Param("x", kir.F32), b.Param("out", kir.U64)
	y := b.Op(kir.OpAdd, b.Op(kir.OpMul, x, x), b.Op(kir.OpDiv, x, b.Op(kir.OpSqrt, b.Op(kir.OpSin, x))))
	b.Store(kir.Global, out, y)
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	loose := []string{"mul.f32", "add.f32", "div.full.f32", "sqrt.approx.f32", "sin.approx.f32"}
	exact := []string{"mul.rn.f32", "add.rn.f32", "div.rn.f32", "sqrt.rn.f32", "arrayrepl_sin_f32"}
	for fast, words := range map[bool][2][]string{true: {loose, exact}, false: {exact, loose}} {
		text, err := ptx.Print(ptx.Options{FastMath: fast}, f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range loose {
			if !strings.Contains(text, words[0][i]) || strings.Contains(text, words[1][i]) {
				t.Errorf("fast math %v: %s or %s", fast, words[0][i], words[1][i])
			}
		}
		asked := *f
		asked.Bounds.FastMath = fast
		if own, err := ptx.Print(ptx.Options{}, &asked); err != nil || own != text {
			t.Errorf("fast math %v, asked for by the kernel: %v\n%s", fast, err, own)
		}
		if _, err := judges.Ptxas(t, text, 75); err != nil {
			t.Error(err)
		}
		if _, err := ptx.Parse(text); err != nil {
			t.Error(err)
		}
	}
}
