package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	randomkernel "github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

var ctx = context.Background()

// corpus launches the kernels of gpu/kernels as a cell does, on the host and on the device; compiled says that they are
// known. capability is the device's: 90 has clusters of blocks.
func corpus(w io.Writer, r *device.Registry, name string, capability int, compiled bool) (bool, error) {
	rt, err := offload.New(r, "host")
	if err != nil {
		return false, err
	}
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	fmt.Fprintf(w, "## Kernel corpus\n\n| kernel | bits equal to the CPU engine's |\n|---|---|\n")
	equal, others := 0, 0
	for _, k := range kernels.All {
		if k.Together {
			fmt.Fprintf(w, "| %s | not launched: cards take no cooperative launches from here yet |\n", k.Name)
			others++
			continue
		}
		if k.Cluster > 0 && capability < 90 {
			fmt.Fprintf(w, "| %s | not launched: clusters of blocks need compute capability 9.0 |\n", k.Name)
			others++
			continue
		}
		if k.Since > capability {
			fmt.Fprintf(w, "| %s | not launched: it needs compute capability %d.%d |\n", k.Name, k.Since/10, k.Since%10)
			others++
			continue
		}
		f := k.Func
		if !compiled {
			if f, err = kernels.Source(k.Name); err != nil {
				return false, err
			}
		}
		result := map[string][]any{}
		for _, on := range []string{"host", name} {
			lazy.Use(on)
			result[on] = k.Args()
			args := append(k.Options(), result[on]...)
			gpu.Launch(f, gpu.Grid(k.Grid[:]...), gpu.Block(k.Block[:]...), args...)
		}
		word := "yes"
		switch {
		case k.Unordered:
			others++
			word = "not compared: the order of the results depends on that of the threads"
		case !reflect.DeepEqual(exact(result["host"]), exact(result[name])):
			word = "**no**"
		default:
			equal++
		}
		fmt.Fprintf(w, "| %s | %s |\n", k.Name, word)
	}
	fmt.Fprintf(w, "\n%d of %d are equal.\n\n", equal, len(kernels.All)-others)
	return equal+others == len(kernels.All), nil
}

// exact writes values so that only the same bits are equal.
func exact(args []any) (out []string) {
	for _, a := range args {
		v := reflect.ValueOf(a)
		var b bytes.Buffer
		if v.Kind() == reflect.Slice && binary.Write(&b, binary.LittleEndian, a) == nil {
			out = append(out, b.String())
		}
	}
	return out
}

// elementary gives every elementary function the same arguments on the engine and on the device: random bits, which
// have all sizes and every special value, and numbers near 1.
func elementary(w io.Writer, d device.Device, n int) (bool, error) {
	fmt.Fprintf(w, "## Elementary functions\n\n%d arguments each, half of them random bits and half near 1.\n\n| function | f32 | f64 |\n|---|---|---|\n", n)
	good := true
	for op := kir.OpExp; op <= kir.OpCbrt; op++ {
		fmt.Fprintf(w, "| %v |", op)
		for _, t := range []kir.Type{kir.F32, kir.F64} {
			differ, err := apply(d, op, t, n)
			if err != nil {
				return false, fmt.Errorf("%v of %v: %w", op, t, err)
			}
			word := "equal"
			if differ > 0 {
				word, good = fmt.Sprintf("**%d differ**", differ), false
			}
			fmt.Fprintf(w, " %s |", word)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	return good, nil
}

// apply returns how many of n results differ.
func apply(d device.Device, op kir.Op, t kir.Type, n int) (differ int, err error) {
	b := kir.NewBuilder(fmt.Sprintf("%v_%v", op, t))
	out, length := b.Param("out", kir.U64), b.Param("n", kir.I64)
	size := t.Bytes()
	i := b.Convert(kir.I64, b.GlobalIDX())
	work, end := b.NewBlock("work"), b.NewBlock("end")
	var in []*kir.Value
	for k := range op.NArgs() {
		in = append(in, b.Param(fmt.Sprintf("x%d", k), kir.U64))
	}
	b.Branch(b.Op(kir.OpLt, i, length), work, end)
	b.SetBlock(work)
	var args []*kir.Value
	for _, x := range in {
		args = append(args, b.Load(kir.Global, t, b.Index(x, i, t)))
	}
	b.Store(kir.Global, b.Index(out, i, t), b.Op(op, args...))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	if err != nil {
		return 0, err
	}
	r := rand.New(rand.NewPCG(uint64(op), uint64(size)))
	buffers := [][]byte{make([]byte, n*size)}
	for range in {
		x := make([]byte, n*size)
		for i := range n {
			bits := r.Uint64()
			near := 1 + r.NormFloat64()
			switch {
			case size == 8 && i%2 == 0:
				binary.LittleEndian.PutUint64(x[8*i:], bits)
			case size == 8:
				binary.LittleEndian.PutUint64(x[8*i:], math.Float64bits(near))
			case i%2 == 0:
				binary.LittleEndian.PutUint32(x[4*i:], uint32(bits))
			default:
				binary.LittleEndian.PutUint32(x[4*i:], math.Float32bits(float32(near)))
			}
		}
		buffers = append(buffers, x)
	}
	grid := kir.D1((n + 255) / 256)
	p, err := cpu.Compile(f)
	if err != nil {
		return 0, err
	}
	mem, at := cpu.NewMemory(), make([]uint64, len(buffers))
	for k, x := range buffers {
		at[k] = uint64(k+1) << 40
		mem.Map(at[k], x)
	}
	if _, err := p.Run(ctx, cpu.Launch{Grid: grid, Block: kir.D1(256), Params: pack(at, n), Memory: mem}); err != nil {
		return 0, err
	}
	got, err := onDevice(d, f, grid, n, buffers)
	if err != nil {
		return 0, err
	}
	for i := 0; i < len(got); i += size {
		if g, w := got[i:i+size], buffers[0][i:i+size]; !bytes.Equal(g, w) && !(isNaN(g) && isNaN(w)) {
			differ++
		}
	}
	return differ, nil
}

// pack makes the parameters: where the output is, how long, and where the inputs are.
func pack(at []uint64, n int) []byte {
	p := binary.LittleEndian.AppendUint64(nil, at[0])
	p = binary.LittleEndian.AppendUint64(p, uint64(n))
	for _, a := range at[1:] {
		p = binary.LittleEndian.AppendUint64(p, a)
	}
	return p
}

// onDevice runs f on the device with copies of the buffers and returns the first.
func onDevice(d device.Device, f *kir.Func, grid kir.Dim3, n int, buffers [][]byte) ([]byte, error) {
	s, err := d.NewStream(0)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	k, err := d.Load(f)
	if err != nil {
		return nil, err
	}
	at, first := make([]uint64, len(buffers)), device.Buffer(nil)
	for i, x := range buffers {
		b, err := d.Alloc(len(x))
		if err != nil {
			return nil, err
		}
		defer b.Free()
		if i == 0 {
			first = b
		}
		at[i] = b.Addr()
		s.CopyIn(b, 0, x)
	}
	out := make([]byte, len(buffers[0]))
	s.Launch(k, grid, kir.D1(256), 0, pack(at, n))
	s.CopyOut(out, first, 0)
	return out, s.Sync(ctx)
}

func isNaN(b []byte) bool {
	if len(b) == 4 {
		return math.IsNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	return math.IsNaN(math.Float64frombits(binary.LittleEndian.Uint64(b)))
}

// random runs kernels that kir/random makes on the device and compares with the reference interpreter.
func random(w io.Writer, d device.Device, n int) (bool, error) {
	fmt.Fprintf(w, "## Random kernels\n\n")
	run := randomkernel.Runner{Name: d.ID(), Run: func(k *randomkernel.Kernel, f *kir.Func) ([]byte, error) {
		s, err := d.NewStream(0)
		if err != nil {
			return nil, err
		}
		defer s.Close()
		kernel, err := d.Load(f)
		if err != nil {
			return nil, err
		}
		out := k.Output()
		in, err := d.Alloc(len(k.Input))
		if err != nil {
			return nil, err
		}
		defer in.Free()
		to, err := d.Alloc(len(out))
		if err != nil {
			return nil, err
		}
		defer to.Free()
		s.CopyIn(in, 0, k.Input)
		s.CopyIn(to, 0, out)
		s.Launch(kernel, k.Grid, k.Block, 0, k.At(in.Addr(), to.Addr()))
		s.CopyOut(out, to, 0)
		return out, s.Sync(ctx)
	}}
	for seed := range uint64(n) {
		if err := randomkernel.New(seed, randomkernel.All).Check(run); err != nil {
			fmt.Fprintf(w, "**%v**\n\n", err)
			return false, nil
		}
	}
	fmt.Fprintf(w, "%d kernels give the bits of the reference interpreter.\n\n", n)
	return true, nil
}
