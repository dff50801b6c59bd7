package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// machine is a set of vector instructions.
type machine struct {
	name  string
	bytes int    // of a register
	full  string // names of registers, and of the lower halves
	half  string
	count int
	masks bool // there are registers for masks; else all ones stand for true, in lanes of the line's width
}

var (
	avx512 = &machine{"AVX512", 64, "Z", "Y", 32, true}
	avx2   = &machine{"AVX2", 32, "Y", "X", 16, false}
)

// pool holds the constants of all functions. Each is repeated to a register of AVX2; AVX-512 repeats it itself.
type pool struct {
	machine *machine
	at      map[[2]uint64]int // size and bits
	list    [][2]uint64
}

func (p *pool) name() string { return "constants" + p.machine.name }

func (p *pool) entry() int {
	if p.machine.masks {
		return 8
	}
	return p.machine.bytes
}

// place returns where an element of that many bytes stands.
func (p *pool) place(size int, bits uint64) string {
	if size == 4 {
		bits = uint64(uint32(bits))
		bits |= bits << 32
	}
	key := [2]uint64{8, bits}
	if p.at == nil {
		p.at = map[[2]uint64]int{}
	}
	i, ok := p.at[key]
	if !ok {
		i = len(p.list)
		p.at[key] = i
		p.list = append(p.list, key)
	}
	return fmt.Sprintf("%s<>+%d(SB)", p.name(), i*p.entry())
}

func (p *pool) String() string {
	var b strings.Builder
	b.WriteString("\n")
	for i, c := range p.list {
		for off := 0; off < p.entry(); off += 8 {
			fmt.Fprintf(&b, "DATA %s<>+%d(SB)/8, $%#016x\n", p.name(), i*p.entry()+off, c[1])
		}
	}
	fmt.Fprintf(&b, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", p.name(), len(p.list)*p.entry())
	return b.String()
}

// file is the registers of one kind: which value each holds, and which may not be taken now.
type registers struct {
	names  []string
	holds  []*value
	pinned []bool
}

// writer gives the values of a line registers, in the order of its operations. A value that must give way is stored on
// the stack; a constant is read again.
type writer struct {
	*line
	pool    *pool
	text    strings.Builder
	uses    map[*value][]int // where a value is still used
	now     int
	vectors registers
	kmasks  registers
	slots   map[*value]int // offsets on the stack
	frame   int
	kept    map[*value]bool // constants that are in registers from before the first round
}

// write returns l as a function, and how many bytes of the stack it takes: with as many constants kept in registers as
// leave enough for the rest, if there are 32: a load a cycle is what a Zen 4 does, and for exp most operations had one.
func write(l *line, name string, p *pool) (text string, frame int) {
	text, frame = writeKeeping(l, name, p, 0)
	if !l.masks {
		return text, frame
	}
	for n := l.count - 4; n > 0; n-- {
		if t, f := writeKeeping(l, name, p, n); f <= frame {
			return t, f
		}
	}
	return text, frame
}

func writeKeeping(l *line, name string, p *pool, keep int) (text string, frame int) {
	w := &writer{line: l, pool: p, uses: map[*value][]int{}, slots: map[*value]int{}, kept: map[*value]bool{}}
	for i := range l.count {
		w.vectors.names = append(w.vectors.names, fmt.Sprint(i))
	}
	for i := 1; i < 8; i++ {
		w.kmasks.names = append(w.kmasks.names, fmt.Sprintf("K%d", i))
	}
	for _, r := range []*registers{&w.vectors, &w.kmasks} {
		r.holds, r.pinned = make([]*value, len(r.names)), make([]bool, len(r.names))
	}
	for i, op := range l.ops {
		for _, a := range op.args {
			w.uses[a] = append(w.uses[a], i)
		}
	}
	end := len(l.ops)
	for _, v := range l.outs {
		w.uses[v] = append(w.uses[v], end)
	}
	if l.bail != nil {
		w.uses[l.bail] = append(w.uses[l.bail], end)
	}
	w.keep(keep)
	before := w.text.String()
	w.text.Reset()
	for i, op := range l.ops {
		w.now = i
		w.emit(op)
		w.unpin()
		for _, a := range op.args {
			w.release(a)
		}
	}
	w.now = end
	if l.bail != nil {
		r := w.register(l.bail)
		switch {
		case l.masks && l.lanes == 8:
			w.put("KORTESTB", r, r)
		case l.masks:
			w.put("KORTESTW", r, r)
		default:
			w.put("VPTEST", r, r)
		}
		w.put("JNZ", "leave")
	}
	for i, v := range l.outs {
		w.put("VMOVUP"+w.suffix(v), w.register(v), w.element("DI", i))
		w.unpin()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n// func %s(n int, d, a, b unsafe.Pointer) (done int)\nTEXT ·%s(SB), NOSPLIT, $%d-40\n", name, name, w.frame)
	b.WriteString("\tMOVQ n+0(FP), CX\n\tMOVQ d+8(FP), DI\n\tMOVQ a+16(FP), SI\n\tMOVQ b+24(FP), DX\n\tXORQ AX, AX\n" + before + "\nround:\n")
	b.WriteString(w.text.String())
	fmt.Fprintf(&b, "\tADDQ $%d, AX\n\tCMPQ AX, CX\n\tJLT  round\n\nleave:\n\tMOVQ AX, done+32(FP)\n\tVZEROUPPER\n\tRET\n", l.lanes*l.rounds)
	return b.String(), w.frame
}

// keep loads the n constants that are used most.
func (w *writer) keep(n int) {
	var list []*value
	for _, op := range w.ops {
		for _, a := range op.args {
			if a.known && a.typ != kir.Bool && !w.isHalf(a) && !slices.Contains(list, a) {
				list = append(list, a)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *value) int { return len(w.uses[b]) - len(w.uses[a]) })
	w.now = -1
	for _, v := range list[:min(n, len(list))] {
		w.register(v)
		w.kept[v] = true
	}
	w.unpin()
}

// element is where in an array the arguments or results of a round are.
func (w *writer) element(array string, round int) string {
	size := w.typ.Bytes()
	return fmt.Sprintf("%d(%s)(AX*%d)", round*w.lanes*size, array, size)
}

// put writes an instruction with operands in the assembler's order: the result last.
func (w *writer) put(name string, operands ...string) {
	if operands[0] == memorySuffix { // a constant that the instruction repeats
		name, operands = name+memorySuffix, operands[1:]
	}
	fmt.Fprintf(&w.text, "\t%s %s\n", name, strings.Join(operands, ", "))
}

const memorySuffix = ".BCST"

func (w *writer) isMask(v *value) bool { return v.typ == kir.Bool && w.masks }

// isHalf reports whether v is float32 beside lanes of 64 bits.
func (w *writer) isHalf(v *value) bool { return v.typ == kir.F32 && !w.narrow }

func (w *writer) file(v *value) *registers {
	if w.isMask(v) {
		return &w.kmasks
	}
	return &w.vectors
}

// name is the name of register i as one that holds v.
func (w *writer) name(v *value, i int) string {
	n := w.file(v).names[i]
	switch {
	case w.isMask(v):
		return n
	case w.isHalf(v):
		return w.half + n
	}
	return w.full + n
}

// elementBytes is the size of v's elements.
func (w *writer) elementBytes(v *value) int {
	if w.narrow || w.isHalf(v) {
		return 4
	}
	return 8
}

func (w *writer) next(v *value) int {
	for _, at := range w.uses[v] {
		if at > w.now {
			return at
		}
	}
	return -1
}

func (w *writer) dies(v *value) bool { return w.next(v) < 0 && !w.kept[v] }

func (w *writer) find(v *value) int { return slices.Index(w.file(v).holds, v) }

// take returns a register for v, which gets it: a free one, or that of the value whose next use is furthest.
func (w *writer) take(v *value) int {
	f := w.file(v)
	best, far := -1, -1
	for i, old := range f.holds {
		if f.pinned[i] || old != nil && w.kept[old] {
			continue
		}
		if old == nil {
			best = i
			break
		}
		distance := w.next(old)
		if old == nil || distance < 0 && !slices.Contains(w.uses[old], w.now) {
			best = i
			break
		}
		if old.known {
			distance = w.now + 4*(distance-w.now)
		}
		if distance > far {
			best, far = i, distance
		}
	}
	if best < 0 {
		panic("no register is free")
	}
	if old := f.holds[best]; old != nil && !old.known && !w.dies(old) {
		w.save(old, best)
	}
	f.holds[best], f.pinned[best] = v, true
	return best
}

// save stores a value on the stack, once.
func (w *writer) save(v *value, i int) {
	if _, saved := w.slots[v]; saved {
		return
	}
	w.slots[v] = w.frame
	if w.isMask(v) {
		w.frame += 8
		w.put("KMOVW", w.name(v, i), w.slot(v))
	} else {
		w.frame += w.bytes
		w.put("VMOVUP"+w.suffix(v), w.name(v, i), w.slot(v))
	}
}

func (w *writer) slot(v *value) string { return fmt.Sprintf("%d(SP)", w.slots[v]) }

// register returns the register that holds v and keeps it there for this operation.
func (w *writer) register(v *value) string {
	f := w.file(v)
	if i := w.find(v); i >= 0 {
		f.pinned[i] = true
		return w.name(v, i)
	}
	i := w.take(v)
	r := w.name(v, i)
	switch {
	case v.known && w.isMask(v) && v.bits == 0:
		w.put("KXORW", r, r, r)
	case v.known && w.isMask(v):
		w.put("KXNORW", r, r, r)
	case v.known && v.typ == kir.Bool:
		w.put("VMOVUPD", w.pool.place(8, -(v.bits&1)), r)
	case v.known && w.masks:
		w.put(map[int]string{4: "VBROADCASTSS", 8: "VBROADCASTSD"}[w.elementBytes(v)], w.pool.place(w.elementBytes(v), v.bits), r)
	case v.known:
		w.put("VMOVUP"+w.suffix(v), w.pool.place(w.elementBytes(v), v.bits), r)
	case w.isMask(v):
		w.put("KMOVW", w.slot(v), r)
	default:
		w.put("VMOVUP"+w.suffix(v), w.slot(v), r)
	}
	return r
}

// operand returns v as an operand that may be in memory, after which come the others.
func (w *writer) operand(v *value, others ...string) []string {
	_, stored := w.slots[v]
	switch {
	case w.find(v) >= 0 || w.isMask(v):
	case v.known && v.typ != kir.Bool && w.masks:
		return append([]string{memorySuffix, w.pool.place(w.elementBytes(v), v.bits)}, others...)
	case v.known && v.typ != kir.Bool:
		return append([]string{w.pool.place(w.elementBytes(v), v.bits)}, others...)
	case stored && w.dies(v):
		return append([]string{w.slot(v)}, others...)
	}
	return append([]string{w.register(v)}, others...)
}

// inMemory reports whether operand would give v from memory.
func (w *writer) inMemory(v *value) bool {
	return w.find(v) < 0 && !w.isMask(v) && v.known && v.typ != kir.Bool
}

// result returns a register for op's result, which may be that of an operand that dies here.
func (w *writer) result(op *operation) string {
	for _, a := range op.args {
		w.release(a)
	}
	return w.name(op.result, w.take(op.result))
}

// release frees the register of a value that dies here.
func (w *writer) release(v *value) {
	if !w.dies(v) {
		return
	}
	if i := w.find(v); i >= 0 {
		f := w.file(v)
		f.holds[i], f.pinned[i] = nil, false
	}
}

// become makes the register of old, which dies, that of v.
func (w *writer) become(old, v *value) string {
	f, i := w.file(old), w.find(old)
	f.holds[i] = v
	return w.name(v, i)
}

// unpin lets every register be taken again.
func (w *writer) unpin() {
	clear(w.vectors.pinned)
	clear(w.kmasks.pinned)
}
