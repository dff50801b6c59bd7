package gpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// rawKernel is a kernel whose parameters are what a machine sees: addresses, numbers, blocks of bytes.
type rawKernel struct {
	f      *kir.Func
	params []rawParam
}

// rawParam is what a kernel does with one parameter.
type rawParam struct {
	p       kir.Param
	pointer bool       // the kernel accesses memory at it
	maybe   bool       // it is added to an address, or nobody reads it: only the caller knows whether it is one
	writes  bool       // to memory at it
	elems   []kir.Type // what it loads and stores there
}

func newRawKernel(f *kir.Func) *rawKernel {
	k := &rawKernel{f: f}
	for _, p := range f.Params {
		k.params = append(k.params, rawParam{p: p})
	}
	k.follow()
	return k
}

// follow finds out which parameters are addresses, by following each into the sums that memory is accessed at.
func (k *rawKernel) follow() {
	// the parameters that a value may be the address of, with something added
	from := make([]map[int]bool, k.f.NumValues())
	used := make([]bool, len(k.params))
	add := func(to, v *kir.Value) (more bool) {
		for p := range from[v.ID] {
			if !from[to.ID][p] {
				if from[to.ID] == nil {
					from[to.ID] = map[int]bool{}
				}
				from[to.ID][p], more = true, true
			}
		}
		return more
	}
	for again := true; again; {
		again = false
		for _, blk := range k.f.Blocks {
			for _, v := range blk.Values {
				switch v.Op {
				case kir.OpParam:
					n, off := v.ParamRef()
					used[n] = true
					if p := k.params[n].p; p.Type.IsInteger() && p.Type.Bytes() == 8 && off == 0 && from[v.ID] == nil {
						from[v.ID], again = map[int]bool{n: true}, true
					}
				case kir.OpAdd, kir.OpSub, kir.OpSelect, kir.OpMin, kir.OpMax, kir.OpConvert, kir.OpBitcast, kir.OpAnd, kir.OpOr:
					for _, a := range v.Args {
						if v.Type.Bytes() == 8 {
							again = add(v, a) || again
						}
					}
				}
			}
			for _, e := range blk.Term.Edges() {
				for i, a := range e.Args {
					again = add(e.To.Params[i], a) || again
				}
			}
		}
	}
	for _, blk := range k.f.Blocks {
		for _, v := range blk.Values {
			if v.Op.IsMemory() && v.Space == kir.Global {
				k.access(v, from[v.Args[0].ID])
			}
		}
	}
	for n := range k.params {
		k.params[n].maybe = k.params[n].maybe || !used[n] && k.params[n].p.Type.Bytes() == 8
	}
}

// access notes what v does at an address made of the given parameters.
func (k *rawKernel) access(v *kir.Value, from map[int]bool) {
	t := v.Type
	if v.Op == kir.OpStore {
		t = v.Args[1].Type
	}
	for n := range k.params {
		p := &k.params[n]
		switch {
		case len(from) == 0: // an address that came out of memory
			p.writes = p.writes || v.Op != kir.OpLoad
			continue
		case !from[n]:
			continue
		case len(from) == 1:
			p.pointer = true
		default:
			p.maybe = true
		}
		p.writes = p.writes || v.Op != kir.OpLoad
		if !slices.Contains(p.elems, t) {
			p.elems = append(p.elems, t)
		}
	}
}

// signature writes the kernel as its caller sees it: "saxpy(f32, f32*, f32*, u32)".
func (k *rawKernel) signature() string {
	var params []string
	for _, p := range k.params {
		params = append(params, p.String())
	}
	return k.f.Name + "(" + strings.Join(params, ", ") + ")"
}

func (p *rawParam) String() string {
	switch {
	case p.p.Type == kir.Void:
		return fmt.Sprintf("struct of %d bytes", p.p.Size)
	case p.pointer && len(p.elems) == 1:
		return p.elems[0].String() + "*"
	case p.pointer:
		return "pointer"
	}
	return p.p.Type.String()
}
