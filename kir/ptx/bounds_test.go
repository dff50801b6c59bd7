package ptx_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// TestBounds: what a kernel asks for goes out as PTX's directives and comes back, and ptxas keeps to it.
func TestBounds(t *testing.T) {
	testsize.InTurn(t, 1)
	c, err := kernels.Compile("MatMulTiled", gosrc.Options{Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	for directives, b := range map[string]kir.Bounds{
		".maxntid 256, 1, 1":                   {MaxThreads: 256},
		".maxntid 1024, 1, 1\n.minnctapersm 2": {MaxThreads: 1024, MinBlocks: 2},
		".maxnreg 24":                          {MaxRegisters: 24},
		".maxntid 256, 1, 1\n.maxnreg 24":      {MaxThreads: 256, MaxRegisters: 24},
	} {
		f := *opt.Optimize(c.Func)
		f.Bounds = b
		text := print(t, 80, &f)
		if !strings.Contains(text, directives) {
			t.Errorf("%v: no %q in\n%s", b, directives, text)
		}
		if g := back(t, &f); g.Bounds != b || !kir.Equal(g, &f) {
			t.Errorf("%v comes back as %v", b, g.Bounds)
		}
		out, err := judges.Ptxas(t, text, 80)
		if err != nil {
			t.Error(err)
			continue
		}
		most := b.MaxRegisters
		if most == 0 && b.MinBlocks > 0 {
			most = 65536 / (b.MaxThreads * b.MinBlocks)
		}
		m := regexp.MustCompile(`Used (\d+) registers`).FindStringSubmatch(out)
		if m == nil {
			t.Fatal(out)
		}
		if n, _ := strconv.Atoi(m[1]); most > 0 && n > most {
			t.Errorf("%v: ptxas takes %d registers", b, n)
		}
	}
	if f, err := ptx.Parse(".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k()\n.reqntid 16, 8\n{\nret;\n}\n"); err != nil || f[0].Bounds.MaxThreads != 128 {
		t.Error(err)
	}
}
