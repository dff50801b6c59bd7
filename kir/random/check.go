package random

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

// Runner runs f, which is k's kernel or came of it, on k's inputs and returns its output.
type Runner struct {
	Name string
	Run  func(k *Kernel, f *kir.Func) ([]byte, error)
}

// Reference is the reference interpreter, the judge of the others.
var Reference = Runner{"reference", func(k *Kernel, f *kir.Func) ([]byte, error) {
	out := k.Output()
	err := ref.Run(f, ref.Launch{Grid: k.Grid, Block: k.Block, Params: k.Params, Memory: map[uint64][]byte{InBase: k.Input, OutBase: out}})
	return out, err
}}

// Engine is the CPU engine on so many workers.
func Engine(workers int) Runner {
	return Runner{fmt.Sprintf("engine on %d workers", workers), func(k *Kernel, f *kir.Func) ([]byte, error) {
		p, err := cpu.Compile(f)
		if err != nil {
			return nil, err
		}
		out, m := k.Output(), cpu.NewMemory()
		m.Map(InBase, k.Input)
		m.Map(OutBase, out)
		_, err = p.Run(context.Background(), cpu.Launch{Grid: k.Grid, Block: k.Block, Params: k.Params, Memory: m, Workers: workers})
		return out, err
	}}
}

// After is r on what change makes of the kernel, which must be a well-formed one.
func After(name string, change func(*kir.Func) *kir.Func, r Runner) Runner {
	return Runner{name + ", " + r.Name, func(k *Kernel, f *kir.Func) ([]byte, error) {
		g := change(f)
		if err := kir.Verify(g); err != nil {
			return nil, err
		}
		return r.Run(k, g)
	}}
}

// Standard is what every kernel should give the same on.
func Standard() []Runner {
	return []Runner{
		Engine(1), Engine(3), After("optimised", opt.Optimize, Engine(1)), After("optimised for a CPU", opt.OptimizeForCPU, Engine(2)),
	}
}

// Check runs the kernel on the reference and on all runners. Its error is a *Difference when one gives something else.
func (k *Kernel) Check(runners ...Runner) error {
	want, err := Reference.Run(k, k.Func)
	if err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	for _, r := range runners {
		if d := k.differs(r, k.Func, want); d != nil {
			return d
		}
	}
	return nil
}

func (k *Kernel) differs(r Runner, f *kir.Func, want []byte) *Difference {
	got, err := r.Run(k, f)
	if err == nil && k.Same(got, want) {
		return nil
	}
	return &Difference{Kernel: k, Runner: r, Err: err, Got: got, Want: want}
}

// Difference is the error of a kernel that a runner does not run as the reference does.
type Difference struct {
	Kernel    *Kernel
	Runner    Runner
	Err       error // of the run; nil when it gave a wrong output
	Got, Want []byte
}

func (d *Difference) Error() string {
	k := d.Kernel
	s := fmt.Sprintf("seed %d, grid %v, block %v, %s: ", k.Seed, k.Grid, k.Block, d.Runner.Name)
	if d.Err != nil {
		return s + d.Err.Error()
	}
	n, first := 0, -1
	for i := 0; i < len(d.Want); i += 8 {
		if !k.Same(d.Got[i:i+8:i+8], d.Want[i:i+8:i+8]) {
			if n++; first < 0 {
				first = i / 8
			}
		}
	}
	return s + fmt.Sprintf("%d of %d words differ, the first is number %d, %x in the place of %x", n, len(d.Want)/8, first,
		d.Got[8*first:8*first+8], d.Want[8*first:8*first+8])
}
