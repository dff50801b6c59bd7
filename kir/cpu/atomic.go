package cpu

import (
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// atomicFuncs gives the new value of memory from the old one and the operands, by operation and type.
var atomicFuncs = func() (t [kir.NumOps][kir.NumTypes]func(old, x, y uint64) uint64) {
	for _, typ := range []kir.Type{kir.I32, kir.U32, kir.I64, kir.U64, kir.F32, kir.F64} {
		for o := kir.OpAtomicAdd; o <= kir.OpAtomicDec; o++ {
			if o.Takes(typ) {
				t[o][typ] = atomicFunc(o, typ)
			}
		}
	}
	return t
}()

func atomicFunc(o kir.Op, t kir.Type) func(old, x, y uint64) uint64 {
	switch o {
	case kir.OpAtomicExch:
		return func(_, x, _ uint64) uint64 { return x }
	case kir.OpAtomicCAS:
		return func(old, x, y uint64) uint64 {
			if old == x {
				return y
			}
			return old
		}
	case kir.OpAtomicInc:
		return func(old, x, _ uint64) uint64 {
			if old >= x {
				return 0
			}
			return old + 1
		}
	case kir.OpAtomicDec:
		return func(old, x, _ uint64) uint64 {
			if old == 0 || old > x {
				return x
			}
			return old - 1
		}
	}
	plain := map[kir.Op]kir.Op{kir.OpAtomicAdd: kir.OpAdd, kir.OpAtomicMin: kir.OpMin, kir.OpAtomicMax: kir.OpMax, kir.OpAtomicAnd: kir.OpAnd, kir.OpAtomicOr: kir.OpOr, kir.OpAtomicXor: kir.OpXor}[o]
	switch {
	case plain == kir.OpAdd && t.IsInteger():
		return func(old, x, _ uint64) uint64 { return old + x } // the store cuts it to its width
	case plain == kir.OpAnd:
		return func(old, x, _ uint64) uint64 { return old & x }
	case plain == kir.OpOr:
		return func(old, x, _ uint64) uint64 { return old | x }
	case plain == kir.OpXor:
		return func(old, x, _ uint64) uint64 { return old ^ x }
	}
	fn := vectors[t][plain]
	return func(old, x, _ uint64) uint64 {
		var z uint64
		fn(1, unsafe.Pointer(&z), unsafe.Pointer(&old), unsafe.Pointer(&x), nil)
		return z
	}
}

// ordered reports whether the outcome of f depends on the order in which its blocks' atomics meet: where the value that
// was there before is used, or the operation is one whose order matters. The blocks of such kernels run one after
// another.
func ordered(f *kir.Func) bool {
	used := make([]bool, f.NumValues())
	for _, blk := range f.Blocks {
		blk.EachUse(func(v **kir.Value) { used[(*v).ID] = true })
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if !v.Op.IsAtomic() || v.Space != kir.Global {
				continue
			}
			switch v.Op {
			case kir.OpAtomicExch, kir.OpAtomicCAS, kir.OpAtomicInc, kir.OpAtomicDec:
				return true
			}
			if used[v.ID] || v.Type.IsFloat() {
				return true
			}
		}
	}
	return false
}

// atomic executes an atomic operation for the threads of w.list, one after another.
func (w *worker) atomic(in *instr) bool {
	if in.v.Type.Bytes() == 4 {
		return atomicSize(w, in, atomic.LoadUint32, atomic.CompareAndSwapUint32)
	}
	return atomicSize(w, in, atomic.LoadUint64, atomic.CompareAndSwapUint64)
}

func atomicSize[T uint32 | uint64](w *worker, in *instr, load func(p *T) T, swap func(p *T, old, new T) bool) bool {
	size := uint64(unsafe.Sizeof(T(0)))
	addrs := w.addresses(w.address(in))
	x := lanes[T](w.regs[in.args[1]].lanes(&w.extent), w.n)
	y := x
	if in.nargs > 2 {
		y = lanes[T](w.regs[in.args[2]].lanes(&w.extent), w.n)
	}
	d := &w.regs[in.dst]
	before := lanes[T](d.lanes(&w.extent), w.n)
	s := &w.near[in.mem]
	change := atomicFuncs[in.op][in.v.Type]
	if w.paged && in.v.Space == kir.Global && w.inLines(in, size) {
		c := w.coalescer(in, size, true)
		ok := c.each(func(line unsafe.Pointer, from uint64, threads []int32) {
			for _, t := range threads {
				p := (*T)(unsafe.Add(line, c.addrs[t]-from))
				old := load(p)
				for !swap(p, old, T(change(uint64(old), uint64(x[t]), uint64(y[t])))) {
					old = load(p)
				}
				before[t] = old
			}
		})
		if d.setLanes(); ok {
			w.record(in)
		}
		return ok
	}
	plain := in.op == kir.OpAtomicAdd && in.v.Type.IsInteger()
	together := in.v.Space == kir.Global && w.p.meet // other workers' blocks may meet at the address
	block := w.blocks(in)
	for _, t := range w.list {
		addr := addrs[t]
		if addr&(size-1) != 0 || !s.holds(addr, size) && w.segment(in, addr, size) == nil {
			return w.trap(in, t, addr, size)
		}
		p := (*T)(unsafe.Add(s.at(addr), block.offset(t)))
		switch {
		case together: // and nobody uses what was there
			for {
				old := load(p)
				if swap(p, old, T(change(uint64(old), uint64(x[t]), uint64(y[t])))) {
					break
				}
			}
		case plain: // what counting is made of
			old := *p
			*p, before[t] = old+x[t], old
		default:
			old := *p
			*p, before[t] = T(change(uint64(old), uint64(x[t]), uint64(y[t]))), old
		}
	}
	d.setLanes()
	w.record(in)
	return true
}
