package tier

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

var memNames = [...]string{"I8", "U8", "I16", "U16", "I32", "U32", "64"}
var storeNames = [...]string{"8", "8", "16", "16", "32", "32", "64"}

func (u *unit) load(in *ssa.UnOp) {
	u.atAddress(in.X)
	dst, t := u.place(in), in.Type()
	s := shapeOf(t)
	switch x := in.X.(type) {
	case *ssa.Global:
		switch s.class {
		case word:
			u.emit(op("LoadG"+memNames[s.mem]), dst.n, 0, 0, u.global(x))
			return
		case slice:
			u.emit(opLoadGSlice, dst.p, 0, dst.n, u.global(x))
			return
		}
	case *ssa.IndexAddr:
		if !u.inline[x] {
			break
		}
		array, isSlice := u.indexed(x)
		switch {
		case s.class == word && isSlice:
			u.emit(op("LoadX"+memNames[s.mem]), dst.n, u.p(x.X), u.w(x.Index), int64(u.w(x.X)))
			return
		case s.class == word:
			u.emit(op("LoadA"+memNames[s.mem]), dst.n, u.p(x.X), u.w(x.Index), array)
			return
		case s.class == slice && isSlice:
			u.emit(opLoadXSlice, dst.p, u.p(x.X), u.w(x.Index), int64(dst.n)<<16|int64(u.w(x.X)))
			return
		}
	}
	base, off := u.address(in.X)
	u.loadFrom(dst, t, base, off)
}

// loadFrom loads a value of t from an offset to the pointer in a register.
func (u *unit) loadFrom(dst place, t types.Type, base uint16, off int64) {
	s := shapeOf(t)
	switch s.class {
	case word:
		u.emit(op("Load"+memNames[s.mem]), dst.n, base, 0, off)
	case pointer:
		u.emit(opLoadP, dst.p, base, 0, off)
	case text:
		u.emit(opLoadStr, dst.p, base, dst.n, off)
	case slice:
		u.emit(opLoadSlice, dst.p, base, dst.n, off)
	case complexes:
		if s.size == 8 {
			u.emit(opLoadC64, dst.n, base, 0, off)
			return
		}
		u.emit(opLoadFlat, dst.n, base, 2, s.size<<32|off)
	case flat:
		u.emit(opLoadFlat, dst.n, base, uint16(s.words), s.size<<32|off)
	case boxed:
		u.emit(opLoadBox, dst.p, base, u.box(t), off)
	default:
		panic(refusal("an interface in memory"))
	}
}

func (u *unit) store(in *ssa.Store) {
	u.atAddress(in.Addr)
	v, t := u.place(in.Val), in.Val.Type()
	s := shapeOf(t)
	if s.class == word {
		switch x := in.Addr.(type) {
		case *ssa.Global:
			u.emit(op("StoreG"+storeNames[s.mem]), v.n, 0, 0, u.global(x))
			return
		case *ssa.IndexAddr:
			if !u.inline[x] {
				break
			}
			if array, isSlice := u.indexed(x); isSlice {
				u.emit(op("StoreX"+storeNames[s.mem]), v.n, u.p(x.X), u.w(x.Index), int64(u.w(x.X)))
			} else {
				u.emit(op("StoreA"+storeNames[s.mem]), v.n, u.p(x.X), u.w(x.Index), array)
			}
			return
		}
	}
	if fa, ok := in.Addr.(*ssa.FieldAddr); ok {
		if st := deref(fa.X.Type()).Underlying().(*types.Struct); st.Field(fa.Field).Name() == "_" {
			return // as the engine does
		}
	}
	base, off := u.address(in.Addr)
	switch s.class {
	case word:
		u.emit(op("Store"+storeNames[s.mem]), v.n, base, 0, off)
	case pointer:
		u.emit(opStoreP, v.p, base, 0, off)
	case text:
		u.emit(opStoreStr, v.p, base, v.n, off)
	case slice:
		u.emit(opStoreSlice, v.p, base, v.n, off)
	case complexes:
		if s.size == 8 {
			u.emit(opStoreC64, v.n, base, 0, off)
			return
		}
		u.emit(opStoreFlat, v.n, base, 2, s.size<<32|off)
	case flat:
		u.emit(opStoreFlat, v.n, base, uint16(s.words), s.size<<32|off)
	case boxed:
		u.emit(opStoreBox, v.p, base, u.box(t), off)
	default:
		panic(refusal("an interface in memory"))
	}
}

// atAddress lets what goes wrong with an address that is made inline be the fault of the instruction that makes it.
func (u *unit) atAddress(v ssa.Value) {
	if u.inline[v] {
		u.at = v.(ssa.Instruction)
	}
}

// address is where v points: a register and an offset. An address that is made inline goes through a register of the
// unit's.
func (u *unit) address(v ssa.Value) (base uint16, off int64) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		if u.inline[v] {
			return u.p(v.X), fieldOffset(deref(v.X.Type()), v.Field)
		}
	case *ssa.IndexAddr:
		if u.inline[v] {
			t := u.spare()
			u.lea(t, v)
			return t, 0
		}
	}
	return u.p(v), 0
}

// spare is a register for a pointer that is used at once.
func (u *unit) spare() uint16 {
	if pl, ok := u.ptrs[spareKey]; ok {
		return pl.p
	}
	pl := u.room(shape{class: pointer, pointers: 1})
	u.ptrs[spareKey] = pl
	return pl.p
}

var spareKey ssa.Value = &ssa.Builtin{}

// indexed describes what an address of an element is of: an array of a length behind a pointer, or a slice.
func (u *unit) indexed(x *ssa.IndexAddr) (array int64, isSlice bool) {
	if p, ok := x.X.Type().Underlying().(*types.Pointer); ok {
		return p.Elem().Underlying().(*types.Array).Len(), false
	}
	return 0, true
}

// lea computes the address of an element.
func (u *unit) lea(to uint16, x *ssa.IndexAddr) {
	size := sizes.Sizeof(deref(x.Type()))
	array, isSlice := u.indexed(x)
	if size >= 1<<23 || array >= 1<<32 {
		panic(refusal("elements of more than 8 MB"))
	}
	if isSlice {
		u.emit(opLeaX, to, u.p(x.X), u.w(x.Index), size<<40|int64(u.w(x.X)))
		return
	}
	u.emit(opLeaA, to, u.p(x.X), u.w(x.Index), size<<32|array)
}

// global is the number of a variable's address.
func (u *unit) global(g *ssa.Global) int64 {
	reg, ok := u.eng.Register(u.fn, g)
	if !ok {
		panic(refusal(g.Name() + " has no value"))
	}
	x := u.eng.Constant(u.fn, reg)
	addr := dataOf(&x)
	for i, have := range u.c.globals {
		if have == addr {
			return int64(i)
		}
	}
	u.c.globals = append(u.c.globals, addr)
	return int64(len(u.c.globals) - 1)
}

// box is the number of a type whose values are behind pointers.
func (u *unit) box(t types.Type) uint16 {
	return uint16(u.boxType(u.eng.Type(t), t))
}

func (u *unit) boxType(rt reflect.Type, t types.Type) int {
	if rt == nil {
		panic(refusal("a value of type " + t.String() + ", which is not known here"))
	}
	for i, have := range u.c.boxes {
		if have == rt {
			return i
		}
	}
	u.c.boxes = append(u.c.boxes, rt)
	return len(u.c.boxes) - 1
}

// locals gives the variables of the function that stay in it their memory.
func (u *unit) locals() map[*ssa.Alloc]int {
	out := map[*ssa.Alloc]int{}
	for _, b := range u.blocks {
		for _, in := range b.Instrs {
			a, ok := in.(*ssa.Alloc)
			if !ok || a.Heap || u.dead[in] || u.outside[a] || hasPointers(deref(a.Type())) || !u.stays(a) {
				continue
			}
			n := max(1, (sizes.Sizeof(deref(a.Type()))+7)/8) // also what has no size has an address
			if n > maxLocal {
				continue
			}
			out[a] = int(u.c.msize)
			u.c.msize += uint32(n)
		}
	}
	return out
}

// maxLocal is the largest variable that lies in the machine's memory, in words.
const maxLocal = 1 << 12

// stays reports whether the address v goes nowhere but into loads and stores of the unit.
func (u *unit) stays(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if !u.in[r.Block().Index] {
			return false
		}
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == v {
				return false
			}
		case *ssa.FieldAddr:
			if u.outside[r] || !u.stays(r) {
				return false
			}
		case *ssa.IndexAddr:
			if u.outside[r] || !u.stays(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (u *unit) alloc(in *ssa.Alloc) {
	t := deref(in.Type())
	if at, ok := u.local[in]; ok {
		u.emit(opLocal, u.p(in), uint16(at), 0, sizes.Sizeof(t))
		return
	}
	rt := u.eng.Type(in.Type())
	if rt == nil {
		panic(refusal("a variable of type " + t.String() + ", which is not known here"))
	}
	if sizes.Sizeof(t) >= 1<<20 {
		u.escape(in, nil) // the engine asks whether there is so much
		return
	}
	u.c.allocs = append(u.c.allocs, rt.Elem())
	u.emit(opAlloc, u.p(in), 0, 0, int64(len(u.c.allocs)-1))
}
