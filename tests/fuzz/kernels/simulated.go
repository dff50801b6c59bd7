package main

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// simulated returns runners for simulated GPUs, each with its policy and one that runs kernels as they are written.
func simulated() []random.Runner {
	preset, err := simgpu.PresetByName("tiny")
	if err != nil {
		panic(err)
	}
	var out []random.Runner
	for _, c := range []struct {
		name    string
		options []simgpu.Option
	}{
		{"simulated GPU, pdom", []simgpu.Option{simgpu.WithDivergence(simgpu.PDOM{})}},
		{"simulated GPU, nrec", []simgpu.Option{simgpu.WithDivergence(simgpu.NREC{}), simgpu.WithIssuePolicy(simgpu.LRR{})}},
		{"simulated GPU, as written", []simgpu.Option{simgpu.AsWritten()}},
	} {
		g := simgpu.New(preset, c.options...)
		out = append(out, random.Runner{Name: c.name, Run: func(k *random.Kernel, f *kir.Func) ([]byte, error) {
			return runOn(g, k, f)
		}})
	}
	return out
}

func runOn(g *simgpu.GPU, k *random.Kernel, f *kir.Func) ([]byte, error) {
	s, err := g.NewStream(0)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	kernel, err := g.Load(f)
	if err != nil {
		return nil, err
	}
	out := k.Output()
	in, err := g.Alloc(len(k.Input))
	if err != nil {
		return nil, err
	}
	defer in.Free()
	to, err := g.Alloc(len(out))
	if err != nil {
		return nil, err
	}
	defer to.Free()
	s.CopyIn(in, 0, k.Input)
	s.CopyIn(to, 0, out)
	launch := s.Launch(kernel, k.Grid, k.Block, 0, k.At(in.Addr(), to.Addr()))
	s.CopyOut(out, to, 0)
	if err := s.Sync(context.Background()); err != nil {
		return nil, err
	}
	// A branch of one lane may have a warp issue two sides of up to 7 instructions under predicates that no lane
	// fulfils.
	if st := launch.Trace().Stats; st == nil || st.Cycles <= 0 || st.ThreadInstructions <= 0 || st.WarpInstructions > (1+2*7)*st.ThreadInstructions {
		return nil, fmt.Errorf("no timing, or one that cannot be: %+v", st)
	}
	return out, nil
}
