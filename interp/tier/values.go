package tier

import (
	"go/token"
	"reflect"
	"unicode/utf8"
	"unsafe"
)

// slice executes a slice expression.
//
//go:nocheckptr
func (m *machine) slice(c *code, in *instr, ip unsafe.Pointer) (*code, unsafe.Pointer) {
	r, p := m.windows()
	s := &c.slices[in.imm]
	data := p[s.src.p]
	var n, limit int
	switch {
	case s.array >= 0:
		if data == nil {
			m.trapNil(c, in)
		}
		n, limit = int(s.array), int(s.array)
	case s.isText:
		n = int(r[s.src.n])
		limit = n
	default:
		n, limit = int(r[s.src.n]), int(r[s.src.n+1])
	}
	lo, hi, most := 0, n, limit
	if s.lo >= 0 {
		lo = int(r[s.lo])
	}
	if s.hi >= 0 {
		hi = int(r[s.hi])
	}
	if s.max >= 0 {
		most = int(r[s.max])
	}
	if uint(most) > uint(limit) || uint(hi) > uint(most) || uint(lo) > uint(hi) {
		m.trapSlice(c, in, lo, hi, most, n, limit)
	}
	room := most - lo
	if s.isText {
		room = hi - lo
	}
	if room > 0 { // an empty one must not point behind its array
		data = unsafe.Add(data, int64(lo)*s.size)
	}
	p[s.dst.p], r[s.dst.n] = data, uint64(hi-lo)
	if !s.isText {
		r[s.dst.n+1] = uint64(room)
	}
	return c, ip
}

// growAppend is append where there is no room. The growth is that of compiled Go.
//
//go:nocheckptr
func (m *machine) growAppend(c *code, in *instr, r *words, p *pointers) {
	a := &c.appends[in.imm]
	h := sliceHeader{p[a.src.p], int(r[a.src.n]), int(r[a.src.n+1])}
	if bytes := int64(h.len+1) * a.size; bytes >= largeAllocation {
		room := int64(h.len) + int64(h.len)/4
		m.eng.Allow(func() string { return "append: a " + a.typ.String() }, room, a.size)
	}
	v := reflect.NewAt(a.typ, unsafe.Pointer(&h)).Elem()
	v.Grow(1)
	storeWord(a.kind, unsafe.Add(h.data, int64(h.len)*a.size), r[in.a])
	p[a.dst.p], r[a.dst.n], r[a.dst.n+1] = h.data, uint64(h.len+1), uint64(h.cap)
}

// largeAllocation is the least that is asked for before it is made.
const largeAllocation = 1 << 20

// copy is the built-in function, for elements without pointers.
func (m *machine) copy(c *code, in *instr, r *words, p *pointers) {
	x := &c.copies[in.imm]
	n := min(int64(r[x.dst.n]), int64(r[x.src.n]))
	if n > 0 && x.size > 0 {
		copy(unsafe.Slice((*byte)(p[x.dst.p]), n*x.size), unsafe.Slice((*byte)(p[x.src.p]), n*x.size))
	}
	r[x.to] = uint64(n)
}

// compare compares two strings.
func (m *machine) compare(c *code, in *instr, ip unsafe.Pointer) (*code, unsafe.Pointer) {
	r, p := m.windows()
	t := &c.texts[in.imm]
	x := unsafe.String((*byte)(p[t.x.p]), int(r[t.x.n]))
	y := unsafe.String((*byte)(p[t.y.p]), int(r[t.y.n]))
	var v bool
	switch token.Token(t.op) {
	case token.EQL:
		v = x == y
	case token.NEQ:
		v = x != y
	case token.LSS:
		v = x < y
	case token.LEQ:
		v = x <= y
	case token.GTR:
		v = x > y
	case token.GEQ:
		v = x >= y
	}
	r[t.to] = truth(v)
	return c, ip
}

// next takes a range over a string one rune further.
func (m *machine) next(c *code, in *instr, ip unsafe.Pointer) (*code, unsafe.Pointer) {
	r, p := m.windows()
	x := &c.nexts[in.imm]
	s := unsafe.String((*byte)(p[x.text.p]), int(r[x.text.n]))
	i := int(r[x.at.n])
	if i >= len(s) {
		r[x.to.n] = 0
		return c, ip
	}
	ch, size := utf8.DecodeRuneInString(s[i:])
	r[x.at.n] = uint64(i + size)
	r[x.to.n], r[x.to.n+1], r[x.to.n+2] = 1, uint64(i), uint64(ch)
	return c, ip
}
