package opt_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// spoilt is f with other high words: each value of which LowWords says that nothing needs them, and that an operation
// makes, is computed from one with all its high bits turned.
func spoilt(f *kir.Func) (*kir.Func, int) {
	g, err := kir.Parse(f.String())
	if err != nil {
		panic(err)
	}
	low, n := opt.LowWords(g), 0
	address := addressed(g)
	next := g.NumValues()
	for _, blk := range g.Blocks {
		var out []*kir.Value
		by := map[*kir.Value]*kir.Value{}
		for _, v := range blk.Values {
			for i, a := range v.Args {
				if by[a] != nil {
					v.Args[i] = by[a]
				}
			}
			out = append(out, v)
			if v.ID < len(low) && low[v.ID] && !v.Op.IsFree() && v.Type == kir.I64 && !address[v] {
				c := &kir.Value{ID: next, Op: kir.OpConst, Type: kir.I64, Imm: 0xffffffff00000000, Block: blk}
				w := &kir.Value{ID: next + 1, Op: kir.OpXor, Type: kir.I64, Args: []*kir.Value{v, c}, Block: blk}
				next += 2
				out, by[v] = append(out, c, w), w
				n++
			}
		}
		blk.Values = out
		for _, e := range blk.Term.Edges() {
			for i, a := range e.Args {
				if by[a] != nil {
					e.Args[i] = by[a]
				}
			}
		}
	}
	h, err := kir.Parse(g.String()) // dense IDs
	if err != nil {
		panic(err)
	}
	return h, n
}

// addressed returns what goes into addresses, which have 64 bits for the interpreter.
func addressed(f *kir.Func) map[*kir.Value]bool {
	into := map[*kir.Value]bool{}
	for before := -1; before < len(into); {
		before = len(into)
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				for i, a := range v.Args {
					if v.Op.IsMemory() && i == 0 || into[v] {
						into[a] = true
					}
				}
			}
			for _, e := range blk.Term.Edges() {
				for i, a := range e.Args {
					if into[e.To.Params[i]] {
						into[a] = true
					}
				}
			}
		}
	}
	return into
}

// TestHighWordsThatNothingNeeds turns them around in random kernels: what the kernels compute stays, by the reference
// interpreter. Addresses are left out, which have 64 bits there.
func TestHighWordsThatNothingNeeds(t *testing.T) {
	turned := 0
	for seed := range testsize.Seeds("kir/opt.TestHighWordsThatNothingNeeds") {
		k := random.New(12_000+seed, random.All)
		for _, f := range []*kir.Func{k.Func, opt.Optimize(k.Func)} {
			g, n := spoilt(f)
			turned += n
			want, err := random.Reference.Run(k, f)
			require.NoError(t, err)
			got, err := random.Reference.Run(k, g)
			require.NoError(t, err)
			require.True(t, k.Same(got, want), "seed %d: %v\nbecomes\n%v", k.Seed, f, g)
		}
	}
	assert.Greater(t, turned, 20, "few values were turned: the test shows little")
}
