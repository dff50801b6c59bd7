package kernels

import (
	"context"
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// Pack makes the packed parameters of a launch of c, and the memory that they point to: the slices among args
// themselves, and copies of the variables that c uses.
func Pack(c *gosrc.Kernel, args []any) (params []byte, memory map[uint64][]byte, err error) {
	bound, err := c.Bind(args, nil)
	if err != nil {
		return nil, nil, err
	}
	params, memory = make([]byte, c.Func.ParamBytes()), map[uint64][]byte{}
	next := uint64(1 << 32)
	for i, b := range bound {
		bits := b.Bits
		if b.Slice != nil {
			bits = next
			if len(b.Bytes) > 0 {
				memory[bits] = b.Bytes
			}
			next += uint64(len(b.Bytes)+1<<20) &^ (1<<20 - 1)
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], bits)
		p := c.Func.Params[i]
		copy(params[p.Offset:p.Offset+p.Bytes()], word[:])
	}
	for _, v := range c.Variables {
		memory[next] = slices.Clone(unsafe.Slice((*byte)(reflect.ValueOf(Addresses[v.Name]).UnsafePointer()), v.Bytes))
		binary.LittleEndian.PutUint64(params[c.Func.Params[v.First].Offset:], next)
		next += uint64(v.Bytes+1<<20) &^ (1<<20 - 1)
	}
	return params, memory, nil
}

// Run executes c on the CPU engine with the launch of k, writing to the slices among args.
func (k *Kernel) Run(c *gosrc.Kernel, args []any) error {
	params, memory, err := Pack(c, args)
	if err != nil {
		return err
	}
	p, err := cpu.Compile(c.Func)
	if err != nil {
		return err
	}
	mem := cpu.NewMemory()
	for base, b := range memory {
		mem.Map(base, b)
	}
	dim := func(d [3]int) kir.Dim3 { return kir.Dim3{X: d[0], Y: d[1], Z: d[2]} }
	_, err = p.Run(context.Background(), cpu.Launch{Grid: dim(k.Grid), Block: dim(k.Block), SharedBytes: k.Dynamic, Params: params, Memory: mem})
	return err
}
