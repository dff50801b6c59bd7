package ptx

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// TestElementaryBodies runs the bodies that Print writes for elementary functions, and what their PTX is parsed as,
// beside the Go functions that define them: at special values, and at random bits.
func TestElementaryBodies(t *testing.T) {
	testsize.InTurn(t, 2)
	specials := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, 3, 0.1, 709, -745, 1e-300, 1e300, 0x1p30, -0x1p100, math.Inf(1), math.Inf(-1), math.NaN(), math.Pi, 170.5, -3.5}
	const n = 512
	for _, f := range elementary.Functions {
		for _, typ := range []kir.Type{kir.F32, kir.F64} {
			name := fmt.Sprintf("%s_%v", f.Name, typ)
			body := elementaries()[name]
			if body == nil {
				t.Errorf("%s has no body", name)
				continue
			}
			parsed := parseFunction(t, name, typ, f.Arity())
			r := rand.New(rand.NewPCG(1, 2))
			for i := range n {
				var x, y float64
				if i < len(specials)*len(specials) {
					x, y = specials[i%len(specials)], specials[i/len(specials)]
				} else {
					x, y = math.Ldexp(r.NormFloat64(), r.IntN(12)-6), math.Ldexp(r.NormFloat64(), r.IntN(12)-6)
				}
				var want, bx, by uint64
				if typ == kir.F32 {
					x32, y32 := float32(x), float32(y)
					bx, by = uint64(math.Float32bits(x32)), uint64(math.Float32bits(y32))
					if f.Arity() == 1 {
						want = uint64(math.Float32bits(f.Unary32(x32)))
					} else {
						want = uint64(math.Float32bits(f.Binary32(x32, y32)))
					}
				} else {
					bx, by = math.Float64bits(x), math.Float64bits(y)
					if f.Arity() == 1 {
						want = math.Float64bits(f.Unary(x))
					} else {
						want = math.Float64bits(f.Binary(x, y))
					}
				}
				for which, p := range map[string]*cpu.Program{"body": compile(t, body), "parsed": parsed} {
					got := run(t, p, typ, f.Arity(), bx, by)
					if got != want && !(isNaN(typ, got) && isNaN(typ, want)) {
						t.Fatalf("%s, %s: of %g and %g it is %#x, not %#x", name, which, x, y, got, want)
					}
				}
			}
		}
	}
}

func isNaN(t kir.Type, bits uint64) bool {
	if t == kir.F32 {
		f := math.Float32frombits(uint32(bits))
		return f != f
	}
	return math.IsNaN(math.Float64frombits(bits))
}

var programs = map[*kir.Func]*cpu.Program{}

func compile(t *testing.T, f *kir.Func) *cpu.Program {
	if programs[f] == nil {
		p, err := cpu.Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		programs[f] = p
	}
	return programs[f]
}

// parseFunction prints and parses a kernel that calls an elementary function, under a name that Parse does not know.
func parseFunction(t *testing.T, name string, typ kir.Type, arity int) *cpu.Program {
	b := kir.NewBuilder("k")
	var args []*kir.Value
	for _, p := range []string{"x", "y"}[:arity] {
		args = append(args, b.Param(p, typ))
	}
	out := b.Param("out", kir.U64)
	b.Store(kir.Global, out, b.Op(elementaryOps[opName(name)], args...))
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	full, err := Print(Options{}, f)
	if err != nil {
		t.Fatal(err)
	}
	fs, err := Parse(strings.ReplaceAll(full, functionPrefix+name, "plain_"+name))
	if err != nil {
		t.Fatalf("%v\n%s", err, full)
	}
	return compile(t, fs[0])
}

func opName(name string) string { return name[:len(name)-len("_f64")] }

func run(t *testing.T, p *cpu.Program, typ kir.Type, arity int, x, y uint64) uint64 {
	var params []byte
	for _, v := range []uint64{x, y}[:arity] {
		if typ == kir.F32 {
			params = binary.LittleEndian.AppendUint32(params, uint32(v))
		} else {
			params = binary.LittleEndian.AppendUint64(params, v)
		}
	}
	for len(params)%8 != 0 {
		params = append(params, 0)
	}
	params = binary.LittleEndian.AppendUint64(params, 0x1000)
	out := make([]byte, 8)
	m := cpu.NewMemory()
	m.Map(0x1000, out)
	if _, err := p.Run(context.Background(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: params, Memory: m, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if typ == kir.F32 {
		return uint64(binary.LittleEndian.Uint32(out))
	}
	return binary.LittleEndian.Uint64(out)
}
