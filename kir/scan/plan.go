package scan

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Kind is one of the kernels of a Spec.
type Kind uint8

// The kernels.
const (
	TotalsKernel Kind = iota // see Spec.TileTotals
	ScanKernel               // see Spec.Scan
	SerialKernel             // see Spec.Serial
	GroupsKernel             // see Spec.Groups, and for the others below
	WarpsKernel
	SpreadKernel
)

// Kernel makes a kernel of s.
func (s Spec) Kernel(k Kind) (*kir.Func, error) {
	f, err := []func() (*kir.Func, error){s.TileTotals, s.Scan, s.Serial, s.Groups, s.Warps, s.Spread}[k]()
	if err == nil {
		f.Bounds.MaxThreads = s.Form.Threads
		if k == SerialKernel {
			f.Bounds.MaxThreads = serialBlock
		}
	}
	return f, err
}

// Kernel is a kernel with its hash.
type Kernel struct {
	Func *kir.Func
	Hash [32]byte
}

// Make makes a kernel and hashes it.
func Make(s Spec, k Kind) (Kernel, error) {
	f, err := s.Kernel(k)
	if err != nil {
		return Kernel{}, err
	}
	return Kernel{f, f.Hash()}, nil
}

// Arg is an argument of a launch: the address of a byte of an array or of scratch memory by its number, or a number.
type Arg struct {
	Kind ArgKind
	N    int
	Byte int
}

// ArgKind says what an argument is.
type ArgKind uint8

// The arguments.
const (
	In      ArgKind = iota // an array of Spec.In
	Out                    // of Spec.Out
	Scratch                // of Plan.Scratch
	Number
	Bits // of a number of Spec.Consts
)

// Launch is a launch of a kernel.
type Launch struct {
	Kernel
	Grid, Block kir.Dim3
	Args        []Arg
}

// Plan is how lines are scanned: launches one after another, with so many bytes of memory each.
type Plan struct {
	Launches []Launch
	Scratch  []int
}

// serialBlock is how many lines a block has where each thread has one.
const serialBlock = 256

// Plan plans the scan of so many lines of that length, of which the elements lie inner places apart. kernel makes
// kernels, or has them. Lines longer than a tile have their tiles' totals taken first; those are scanned like lines.
func (s Spec) Plan(lines, length, inner int, kernel func(s Spec, k Kind) (Kernel, error)) (Plan, error) {
	var p Plan
	s.Strided = inner > 1
	args := p.arrays(In, len(s.In))
	err := s.level(&p, lines, length, inner, args, p.arrays(Out, len(s.Out)), kernel)
	return p, err
}

// Serially is Plan with a thread for each line.
func (s Spec) Serially(lines, length, inner int, kernel func(s Spec, k Kind) (Kernel, error)) (Plan, error) {
	var p Plan
	s.Strided = inner > 1
	k, err := kernel(s, SerialKernel)
	args := s.sizes(p.arrays(In, len(s.In)), length, inner, lines)
	p.Launches = []Launch{{k, kir.D1((lines + serialBlock - 1) / serialBlock), kir.D1(serialBlock), append(args, p.arrays(Out, len(s.Out))...)}}
	return p, err
}

func (p *Plan) arrays(kind ArgKind, n int) []Arg {
	out := make([]Arg, n)
	for i := range out {
		out[i] = Arg{Kind: kind, N: i}
	}
	return out
}

// scratch adds an array of n states.
func (p *Plan) scratch(n int, state []kir.Type) []Arg {
	out := make([]Arg, len(state))
	for i, t := range state {
		out[i] = Arg{Kind: Scratch, N: len(p.Scratch)}
		p.Scratch = append(p.Scratch, n*t.Bytes())
	}
	return out
}

// constants adds s.Consts behind arrays.
func (s Spec) constants(args []Arg) []Arg {
	for _, c := range s.Consts {
		args = append(args, Arg{Kind: Bits, N: int(c.Bits)})
	}
	return args
}

func (s Spec) sizes(args []Arg, length, inner, last int) []Arg {
	args = s.constants(args)
	args = append(args, Arg{Kind: Number, N: length})
	if s.Strided {
		args = append(args, Arg{Kind: Number, N: inner})
	}
	return append(args, Arg{Kind: Number, N: last})
}

func (s Spec) level(p *Plan, lines, length, inner int, in, out []Arg, kernel func(s Spec, k Kind) (Kernel, error)) error {
	if s.Form.Packed && (lines != 1 || s.Strided) {
		return fmt.Errorf("a scan of %d lines with packed flags; it takes one", lines)
	}
	s.Form = s.Form.Fitted(length)
	s.Alone = lines == 1 && !s.Strided
	first := s.Aligned
	s.Aligned = s.Aligned && (lines == 1 || length%4 == 0) // then each line begins as the first
	tiles := (length + s.Form.Tile() - 1) / s.Form.Tile()
	if blocks := lines * tiles; lines > maxBlocks || tiles > maxBlocks || blocks > maxBlocks {
		return fmt.Errorf("a scan of %d lines of %d elements takes %d blocks; a grid has %d at most", lines, length, blocks, maxBlocks)
	}
	block, carries := kir.D1(s.Form.Threads), []Arg(nil)
	if s.Single = tiles == 1; !s.Single {
		k, err := kernel(s, TotalsKernel)
		if err != nil {
			return err
		}
		totals := p.scratch(lines*(tiles-1), s.Op.State)
		p.Launches = append(p.Launches, Launch{k, kir.D1(lines * (tiles - 1)), block, append(s.sizes(s.lifted(in), length, inner, tiles-1), totals...)})
		carries = p.scratch(lines*(tiles-1), s.Op.State)
		over := s.Totals()
		over.Aligned = first
		if err := over.level(p, lines, tiles-1, 1, totals, carries, kernel); err != nil {
			return err
		}
	}
	k, err := kernel(s, ScanKernel)
	if err != nil {
		return err
	}
	args := append(s.sizes(slices.Clip(in), length, inner, tiles), carries...)
	args = append(args, out...)
	for _, x := range s.Given {
		args = append(args, Arg{Kind: Number, N: x})
	}
	p.Launches = append(p.Launches, Launch{k, kir.D1(lines * tiles), block, args})
	return nil
}

// lifted are those of the arrays that totals need.
func (s Spec) lifted(in []Arg) []Arg {
	if s.Lifted > 0 {
		in = in[:s.Lifted]
	}
	return slices.Clip(in)
}

const maxBlocks = 1<<31 - 1
