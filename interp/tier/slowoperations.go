package tier

import (
	"math"
	"unsafe"
)

// fewWords is the most words that run copies itself.
const fewWords = 16

// slow executes the operation in for run, where that would have to call a function: what takes longer than its
// dispatch. It returns what goes on, and where; ip is what follows in.
//
//go:nocheckptr
func (m *machine) slow(c *code, in *instr, ip unsafe.Pointer) (*code, unsafe.Pointer) {
	r, p := m.windows()
	switch in.op {
	case opPoll, opEscape:
		m.escape(c, in)
	case opCall: // there is no room
		m.grow(c, in, m.codes[in.imm])
		return c, unsafe.Pointer(in)
	case opRet1: // frames of the engine end
		v := r[in.a]
		c, ip = m.endCall()
		r, _ = m.windows()
		r[(*instr)(unsafe.Add(ip, -int(instrSize))).a] = v
		return c, ip
	case opRet:
		return m.endCall()
	case opExit: // a function that was called from here ends in the engine: it panics, or returns what its caller wants
		m.resume(c, in)
		c, ip = m.endCall()
		r, _ = m.windows()
		if call := (*instr)(unsafe.Add(ip, -int(instrSize))); call.c == oneWord {
			r[call.a] = r[c.nsize]
		}
		return c, ip
	case opAppend:
		a := &c.appends[in.imm]
		n := r[a.src.n]
		if n >= r[a.src.n+1] {
			m.growAppend(c, in, r, p)
			break
		}
		data := p[a.src.p]
		storeWord(a.kind, unsafe.Add(data, n*uint64(a.size)), r[in.a])
		p[a.dst.p], r[a.dst.n], r[a.dst.n+1] = data, n+1, r[a.src.n+1]
	case opZeroN:
		clear(r[in.a : uint32(in.a)+uint32(in.c)])
	case opLoadFlat: // the address has been checked
		if n := in.imm >> 32; n > 0 {
			r[in.a+in.c-1] = 0
			copy(unsafe.Slice((*byte)(unsafe.Pointer(&r[in.a])), n), unsafe.Slice((*byte)(unsafe.Add(p[in.b], uint32(in.imm))), n))
		}
	case opStoreFlat:
		if n := in.imm >> 32; n > 0 {
			copy(unsafe.Slice((*byte)(unsafe.Add(p[in.b], uint32(in.imm))), n), unsafe.Slice((*byte)(unsafe.Pointer(&r[in.a])), n))
		}
	case opFlatGet:
		r[in.a] = loadWord(memKind(in.c), unsafe.Add(unsafe.Pointer(&r[in.b]), in.imm))
	case opFlatIndex: // the index has been checked
		kind := memKind(in.imm & 0xff)
		r[in.a] = loadWord(kind, unsafe.Add(unsafe.Pointer(&r[in.b]), r[in.c]*kind.bytes()))
	case opFlatCopy:
		if n := in.imm >> 32; n > 0 {
			r[in.a+in.c-1] = 0
			copy(unsafe.Slice((*byte)(unsafe.Pointer(&r[in.a])), n), unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&r[in.b]), uint32(in.imm))), n))
		}
	case opFlatElem:
		n := uint64(in.imm)
		r[uint64(in.a)+(n-1)/8] = 0
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&r[in.a])), n), unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&r[in.b]), r[in.c]*n)), n))
	case opLoadBox:
		if p[in.b] == nil {
			m.trapNil(c, in)
		}
		p[in.a] = c.copyBox(int(in.c), unsafe.Add(p[in.b], in.imm))
	case opStoreBox:
		if p[in.b] == nil {
			m.trapNil(c, in)
		}
		c.storeBox(int(in.c), unsafe.Add(p[in.b], in.imm), p[in.a])
	case opAlloc:
		p[in.a] = m.allocate(c, in)
	case opLocal: // imm: bytes; b: words from the start of the function's memory
		p[in.a] = m.local(c, int(in.b), in.imm)
	case opEnter:
		m.enter(c)
	case opMath2:
		r[in.a] = math.Float64bits(math2[in.imm](math.Float64frombits(r[in.b]), math.Float64frombits(r[in.c])))
	case opDivC128:
		putC128(r, in.a, getC128(r, in.b)/getC128(r, in.c))
	case opAddC64, opSubC64, opMulC64, opDivC64:
		complex64Op(in, r)
	case opEqC128:
		r[in.a] = truth(getC128(r, in.b) == getC128(r, in.c))
	case opEqC64:
		r[in.a] = truth(getC64(r, in.b) == getC64(r, in.c))
	case opC128ToC64:
		putC64(r, in.a, complex64(getC128(r, in.b)))
	case opC64ToC128:
		putC128(r, in.a, complex128(getC64(r, in.b)))
	case opCopy:
		m.copy(c, in, r, p)
	}
	return c, ip
}

func (m *machine) math1(c *code, in *instr, ip unsafe.Pointer) (*code, unsafe.Pointer) {
	r, _ := m.windows()
	r[in.a] = math.Float64bits(math1[in.imm](math.Float64frombits(r[in.b])))
	return c, ip
}

// callFunction executes the call of a function value.
func (m *machine) callFunction(c *code, in *instr, ip unsafe.Pointer) (*code, unsafe.Pointer) {
	if to := m.dynamic(c, in); to != nil {
		return m.enterCall(c, to, ip)
	}
	if in.c == oneWord { // the call has been made
		r, _ := m.windows()
		r[in.a] = r[c.nsize]
	}
	return c, ip
}

// enterCall begins a call of to, after which c goes on at next.
func (m *machine) enterCall(c, to *code, next unsafe.Pointer) (*code, unsafe.Pointer) {
	rec := &m.calls[m.depth]
	m.depth++
	rec.code, rec.next = c.id, uint32(uintptr(next)-uintptr(unsafe.Pointer(unsafe.SliceData(c.ins))))
	m.nb += int(c.nsize)
	m.pb += int(c.psize)
	return to, unsafe.Pointer(unsafe.SliceData(to.ins))
}

// endCall goes back to the caller.
func (m *machine) endCall() (*code, unsafe.Pointer) {
	m.depth--
	if m.live > m.depth {
		m.drop()
	}
	rec := &m.calls[m.depth]
	c := m.codes[rec.code]
	m.nb -= int(c.nsize)
	m.pb -= int(c.psize)
	return c, unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.ins)), uintptr(rec.next))
}
