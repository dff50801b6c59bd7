package tier

import (
	"math"
	"reflect"
	"unsafe"
)

// words and pointers are the windows on registers that code sees: as long as its instructions can name.
type (
	words    [1 << 16]uint64
	pointers [1 << 16]unsafe.Pointer
)

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// anyWords is an any as the runtime holds it.
type anyWords struct{ typ, data unsafe.Pointer }

// dataOf is the second word of an any: a pointer to the value, or the value when that is a pointer.
func dataOf(v *any) unsafe.Pointer { return (*anyWords)(unsafe.Pointer(v)).data }

// typeWord is the first word of an any with a value of t.
func typeWord(t reflect.Type) unsafe.Pointer {
	var v any = t
	return dataOf(&v)
}

// makeAny puts an any together: data is as dataOf returns it.
func makeAny(t reflect.Type, data unsafe.Pointer) (v any) {
	*(*anyWords)(unsafe.Pointer(&v)) = anyWords{typeWord(t), data}
	return v
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// box makes what the engine holds of the value in s.
//
//go:nocheckptr
func (s *slot) box(r *words, p *pointers) any {
	switch s.class {
	case word:
		return boxWord(s, r[s.n])
	case pointer:
		return makeAny(s.typ, p[s.p])
	case text:
		v := new(string)
		*v = unsafe.String((*byte)(p[s.p]), int(r[s.n]))
		return makeAny(s.typ, unsafe.Pointer(v))
	case slice:
		return makeAny(s.typ, unsafe.Pointer(&sliceHeader{p[s.p], int(r[s.n]), int(r[s.n+1])}))
	case complexes:
		if s.size == 8 {
			v := complex(math.Float32frombits(uint32(r[s.n])), math.Float32frombits(uint32(r[s.n+1])))
			return makeAny(s.typ, unsafe.Pointer(&v))
		}
		v := complex(math.Float64frombits(r[s.n]), math.Float64frombits(r[s.n+1]))
		return makeAny(s.typ, unsafe.Pointer(&v))
	case flat:
		v := reflect.New(s.typ)
		if s.size > 0 {
			copy(unsafe.Slice((*byte)(v.UnsafePointer()), s.size), unsafe.Slice((*byte)(unsafe.Pointer(&r[s.n])), s.size))
		}
		return v.Elem().Interface()
	case boxed:
		if p[s.p] == nil {
			return reflect.Zero(s.typ).Interface()
		}
		return reflect.NewAt(s.typ, p[s.p]).Elem().Interface()
	case iface:
		if p[s.p] == nil {
			return nil
		}
		return *(*any)(p[s.p])
	}
	panic("tier: a value of no class")
}

// boxWord is box for words.
func boxWord(s *slot, bits uint64) any {
	v := new(uint64) // of the least size that the allocator has; the low bytes come first
	*v = bits
	return makeAny(s.typ, unsafe.Pointer(v))
}

// unbox puts what the engine holds into the registers of s.
//
//go:nocheckptr
func (s *slot) unbox(v any, r *words, p *pointers) {
	if v == nil { // the engine's zero value of some types
		for i := range s.words {
			r[int(s.n)+i] = 0
		}
		for i := range s.pointers {
			p[int(s.p)+i] = nil
		}
		if s.class == boxed {
			p[s.p] = zeroOf(s.typ)
		}
		return
	}
	data := dataOf(&v)
	switch s.class {
	case word:
		r[s.n] = loadWord(s.mem, data)
	case pointer:
		p[s.p] = data
	case text:
		str := *(*string)(data)
		p[s.p], r[s.n] = unsafe.Pointer(unsafe.StringData(str)), uint64(len(str))
	case slice:
		h := (*sliceHeader)(data)
		p[s.p], r[s.n], r[s.n+1] = h.data, uint64(h.len), uint64(h.cap)
	case complexes:
		if s.size == 8 {
			z := (*[2]uint32)(data)
			r[s.n], r[s.n+1] = uint64(z[0]), uint64(z[1])
			return
		}
		z := (*[2]uint64)(data)
		r[s.n], r[s.n+1] = z[0], z[1]
	case flat:
		if s.size > 0 {
			r[int(s.n)+s.words-1] = 0
			copy(unsafe.Slice((*byte)(unsafe.Pointer(&r[s.n])), s.size), unsafe.Slice((*byte)(data), s.size))
		}
	case boxed:
		c := reflect.New(s.typ)
		c.Elem().Set(reflect.ValueOf(v))
		p[s.p] = c.UnsafePointer()
	case iface:
		c := new(any)
		*c = v
		p[s.p] = unsafe.Pointer(c)
	}
}

// zeroOf is a zero value of t that is never written.
func zeroOf(t reflect.Type) unsafe.Pointer { return reflect.New(t).UnsafePointer() }

// loadWord reads a word as its type lies in memory.
func loadWord(k memKind, at unsafe.Pointer) uint64 {
	switch k {
	case memI8:
		return uint64(*(*int8)(at))
	case memU8:
		return uint64(*(*uint8)(at))
	case memI16:
		return uint64(*(*int16)(at))
	case memU16:
		return uint64(*(*uint16)(at))
	case memI32:
		return uint64(*(*int32)(at))
	case memU32:
		return uint64(*(*uint32)(at))
	}
	return *(*uint64)(at)
}

// bytes is the size in memory.
func (k memKind) bytes() uint64 { return [...]uint64{1, 1, 2, 2, 4, 4, 8}[k] }

func storeWord(k memKind, at unsafe.Pointer, v uint64) {
	switch k {
	case memI8, memU8:
		*(*uint8)(at) = uint8(v)
	case memI16, memU16:
		*(*uint16)(at) = uint16(v)
	case memI32, memU32:
		*(*uint32)(at) = uint32(v)
	default:
		*(*uint64)(at) = v
	}
}

// copyBox copies a value with pointers out of memory, storeBox into it.
func (c *code) copyBox(typ int, from unsafe.Pointer) unsafe.Pointer {
	v := reflect.New(c.boxes[typ])
	v.Elem().Set(reflect.NewAt(c.boxes[typ], from).Elem())
	return v.UnsafePointer()
}

func (c *code) storeBox(typ int, to, from unsafe.Pointer) {
	v := reflect.NewAt(c.boxes[typ], to).Elem()
	if from == nil {
		v.SetZero()
		return
	}
	v.Set(reflect.NewAt(c.boxes[typ], from).Elem())
}

func getC128(r *words, at uint16) complex128 {
	return complex(math.Float64frombits(r[at]), math.Float64frombits(r[at+1]))
}

func putC128(r *words, at uint16, z complex128) {
	r[at], r[at+1] = math.Float64bits(real(z)), math.Float64bits(imag(z))
}

func getC64(r *words, at uint16) complex64 {
	return complex(math.Float32frombits(uint32(r[at])), math.Float32frombits(uint32(r[at+1])))
}

func putC64(r *words, at uint16, z complex64) {
	r[at], r[at+1] = uint64(math.Float32bits(real(z))), uint64(math.Float32bits(imag(z)))
}

func complex64Op(in *instr, r *words) {
	x, y := getC64(r, in.b), getC64(r, in.c)
	switch in.op {
	case opAddC64:
		x += y
	case opSubC64:
		x -= y
	case opMulC64:
		x *= y
	case opDivC64:
		x /= y
	}
	putC64(r, in.a, x)
}
