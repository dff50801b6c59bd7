package lazy

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// scanPlan is how a device scans what a node's arguments have.
type scanPlan struct{ scan.Plan }

// mostRegisters is more than any of the kernels of numbers needs.
const mostRegisters = 128

// planLines plans the scan of lines on d, and says how it is done.
func planLines(s scan.Spec, d device.Device, lines, length, inner int) (p scanPlan, how string, err error) {
	s.Form = scan.Default
	s.Form.Shuffles = shuffles(d)
	if each := d.Properties().RegistersPerSM / s.Form.Threads; each > 0 && each < mostRegisters {
		s.Form.Registers = each
	}
	if serially(lines, length, inner) {
		p.Plan, err = s.Serially(lines, length, inner, madeFor(d))
		return p, fmt.Sprintf("a scan of %s, each by a thread", counted(lines, "line")), err
	}
	p.Plan, err = s.Plan(lines, length, inner, madeFor(d))
	return p, tiled(p.Plan, lines, length), err
}

// onDevice gives t the launches.
func (p scanPlan) onDevice(n *node, t *offload.Task) {
	t.Scratch = p.Scratch
	in := make([]offload.Arg, len(n.args))
	for i := range in {
		in[i] = n.pointer(t, i)
	}
	for _, l := range p.Launches {
		args := make([]offload.Arg, len(l.Args))
		for i, a := range l.Args {
			switch a.Kind {
			case scan.In:
				args[i] = in[a.N]
			case scan.Out:
				args[i] = offload.Pointer(n.value)
			case scan.Scratch:
				args[i] = offload.Scratch(a.N)
			default:
				args[i] = offload.Int(a.N)
			}
		}
		t.Launches = append(t.Launches, offload.Launch{Func: l.Func, Hash: l.Hash, Grid: l.Grid, Block: l.Block, Args: args})
	}
}

// scanKernels are those that were made, by what tells them apart. Evaluations use them, one at a time.
var scanKernels = map[string]scan.Kernel{}

// madeFor makes kernels for d, or has them: without the exchange through shared memory where d has too little of it.
func madeFor(d device.Device) func(s scan.Spec, k scan.Kind) (scan.Kernel, error) {
	room := d.Properties().SharedPerBlock
	return func(s scan.Spec, k scan.Kind) (scan.Kernel, error) {
		made, err := scanKernel(s, k)
		if err == nil && s.Form.Exchange && room > 0 && made.Func.SharedBytes() > room {
			s.Form.Exchange = false
			made, err = scanKernel(s, k)
		}
		return made, err
	}
}

func scanKernel(s scan.Spec, k scan.Kind) (scan.Kernel, error) {
	key := fmt.Sprint(s.Name, s.Op.Name, s.Op.State, s.Form, s.In, s.Out, s.Exclusive, s.Strided, k)
	if made, ok := scanKernels[key]; ok {
		return made, nil
	}
	made, err := scan.Make(s, k)
	if err != nil {
		return made, err
	}
	if len(scanKernels) >= mostRecipes {
		clear(scanKernels)
	}
	scanKernels[key] = made
	return made, nil
}

// shuffling is whether a device has been found to have shuffles. Evaluations use it, one at a time.
var shuffling = map[string]bool{}

// shuffles reports whether d, were it built, could exchange numbers between the lanes of a warp.
func shuffles(d device.Device) bool {
	if !d.Properties().Modelled {
		return true
	}
	is, known := shuffling[d.ID()]
	if !known {
		b := kir.NewBuilder("shuffles")
		out := b.Param("out", kir.U64)
		lane := b.Special(kir.LaneID)
		b.Store(kir.Global, out, b.Shuffle(kir.NewShuffle(kir.ShuffleXor, kir.WarpSize), lane, b.Int(kir.U32, 1), b.FullMask()))
		b.Return()
		k, err := d.Load(built(b))
		limited, old := k.(device.Limited)
		is = err == nil && (!old || limited.Lacks() == nil)
		shuffling[d.ID()] = is
	}
	return is
}
