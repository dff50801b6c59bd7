package brook

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// The calls of the paper's runtime, of which each kernel's launch begins with those that it needs: section 4.2.
const (
	getKernel    = "get kernel"
	pushConstant = "push constant"
	pushStream   = "push stream"
	pushGather   = "push gather"
	pushOutput   = "push output"
	pushReduce   = "push reduce"
	mapKernel    = "map"
)

// callOrder is the order in which a chart has them, the one in which a launch does, whichever the first launch needs.
var callOrder = []string{getKernel, pushConstant, pushStream, pushGather, pushOutput, pushReduce, mapKernel}

// setup are the runtime's calls of a launch that writes those outputs.
func (c *call) setup(name string, outputs ...kernelcall.Setup) []kernelcall.Setup {
	out := []kernelcall.Setup{{Name: getKernel, Of: name}}
	for _, a := range c.args {
		switch {
		case a.stream == nil:
			out = append(out, kernelcall.Setup{Name: pushConstant, Of: a.value.Name})
		case a.value.Gather:
			out = append(out, kernelcall.Setup{Name: pushGather, Of: a.value.Name, Bytes: bytesOf(a.stream.columns)})
		default:
			out = append(out, kernelcall.Setup{Name: pushStream, Of: a.value.Name, Bytes: bytesOf(a.stream.columns)})
		}
	}
	if m := c.settings.mask; m != nil {
		out = append(out, kernelcall.Setup{Name: pushStream, Of: "the mask", Bytes: bytesOf([]*np.Array{m})})
	}
	return append(append(out, outputs...), kernelcall.Setup{Name: mapKernel})
}

// bytesOf is how many bytes the elements of arrays are.
func bytesOf(columns []*np.Array) (n int64) {
	for _, c := range columns {
		n += int64(c.Size() * c.DType().Size())
	}
	return n
}

// pick are those of the columns that have the numbers.
func pick(columns []*np.Array, numbers []int) []*np.Array {
	out := make([]*np.Array, len(numbers))
	for i, k := range numbers {
		out[i] = columns[k]
	}
	return out
}

// copyOut copies what a pass has written from its buffer to the stream, in a launch of its own.
func (s *Settings) copyOut(what string, from, to []*np.Array, types []kir.Type) {
	b := kir.NewBuilder("copy_out")
	n := b.Param("n", kir.I64)
	size := to[0].Size()
	call := kernelcall.Call[np.Array]{
		Name: what + " copied", Grid: kir.D1((size + blockSize - 1) / blockSize), Block: kir.D1(blockSize), On: s.devices(),
		Args:  []kernelcall.Arg[np.Array]{{Bits: uint64(size)}},
		Setup: []kernelcall.Setup{{Name: "copy out", Of: what, Bytes: bytesOf(to)}},
	}
	var in, out []*kir.Value
	for k := range from {
		in, out = append(in, b.Param(fmt.Sprint("buffer", k), kir.U64)), append(out, b.Param(fmt.Sprint("stream", k), kir.U64))
		call.Args = append(call.Args, kernelcall.Arg[np.Array]{Array: from[k]}, kernelcall.Arg[np.Array]{Array: to[k], Writes: true, Fresh: true})
	}
	body, end := b.NewBlock("body"), b.NewBlock("end")
	i := b.GlobalIDX()
	b.Branch(b.Op(kir.OpLt, i, n), body, end)
	b.SetBlock(body)
	for k, t := range types {
		b.Store(kir.Global, b.Index(out[k], i, t), s.element(b, in[k], i, t))
	}
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	check("brook.CopyOut", err)
	f.Bounds.MaxThreads = blockSize
	call.Func = f
	np.Wiring{}.Launch(call)
}
