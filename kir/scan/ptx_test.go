package scan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// NVIDIA's assembler takes the kernels of every method, of narrow and wide numbers and of pairs.
func TestPtxasAcceptsScans(t *testing.T) {
	var fs []*kir.Func
	for i, f := range forms {
		if !testsize.Part(i, 3) {
			continue
		}
		for j, op := range []Op{Binary(kir.OpAdd, kir.F64), Binary(kir.OpMax, kir.I8), Segmented(Binary(kir.OpMul, kir.I32))} {
			s := Spec{Name: string(rune('a'+i)) + string(rune('a'+j)), Op: op, Form: f, In: op.State, Out: op.State, Strided: j == 1}
			for k := range SerialKernel + 1 {
				made, err := s.Kernel(k)
				require.NoError(t, err)
				fs = append(fs, opt.Optimize(made))
			}
		}
	}
	text, err := ptx.Print(ptx.Options{Target: 80}, fs...)
	require.NoError(t, err)
	_, err = judges.Ptxas(t, text, 80)
	require.NoError(t, err)
}
