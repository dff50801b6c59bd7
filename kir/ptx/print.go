package ptx

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// Options say for whom kernels are printed. The body of a kernel is the same for every target.
type Options struct {
	Target int    // compute capability, as in sm_75: 75. 0 means the least from 75 on that has what the kernels use
	Lines  bool   // with .loc, so that profiles and errors of a device point at the source
	Header string // comment at the top, may be empty
}

// versions gives the PTX version that a target needs at least, newest targets first.
var versions = []struct {
	target  int
	version string
}{{120, "8.7"}, {100, "8.6"}, {90, "7.8"}, {89, "7.8"}, {0, "7.5"}}

// Print returns the PTX text of a module with the given kernels. Its error names what a kernel has that PTX cannot say.
func Print(o Options, kernels ...*kir.Func) (string, error) {
	if o.Target == 0 {
		o.Target = LeastTarget(kernels...)
	}
	m := &module{o: o, names: map[string]bool{}, helpers: map[string]bool{}, printers: map[string]string{}, files: map[string]int{}}
	var body strings.Builder
	for _, f := range kernels {
		if err := kir.Verify(f); err != nil {
			return "", err
		}
		text, err := m.kernel(f)
		if err != nil {
			return "", err
		}
		body.WriteString(text)
	}
	var s strings.Builder
	if o.Header != "" {
		fmt.Fprintf(&s, "// %s\n", strings.ReplaceAll(o.Header, "\n", "\n// "))
	}
	for _, v := range versions {
		if o.Target >= v.target {
			fmt.Fprintf(&s, ".version %s\n.target sm_%d\n.address_size 64\n", max(v.version, leastVersion(kernels)), o.Target)
			break
		}
	}
	s.WriteString(m.globals.String())
	s.WriteString(body.String())
	for i, name := range m.fileNames {
		fmt.Fprintf(&s, ".file %d %q\n", i+1, name)
	}
	return s.String(), nil
}

// leastVersion gives the PTX version that the kernels need: 8.4 for products of numbers of 8 bits.
func leastVersion(kernels []*kir.Func) string {
	for _, f := range kernels {
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				if v.Op == kir.OpMMA && since(v) == 89 {
					return "8.4"
				}
			}
		}
	}
	return ""
}

// since gives the compute capabilities from which on there is what is not there for every target.
func since(v *kir.Value) int {
	switch v.Op {
	case kir.OpLoad:
		if v.Access == kir.Polled { // nanosleep
			return 70
		}
	case kir.OpWarpReduce:
		return 80
	case kir.OpMMA:
		return kir.MMASince(v)
	case kir.OpClusterBarrier, kir.OpSharedOf:
		return 90
	case kir.OpSpecial:
		if s := kir.Special(v.Imm); s == kir.ClusterRank || s == kir.ClusterBlocks {
			return 90
		}
	}
	return 0
}

// LeastTarget returns the least compute capability from 75 on that has what the kernels use: 80 for one that reduces
// over a warp, that of the shape for products of matrices, 90 for clusters.
func LeastTarget(kernels ...*kir.Func) int {
	target := 75
	for _, f := range kernels {
		if f.Bounds.Cluster > 1 {
			target = max(target, 90)
		}
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				target = max(target, since(v))
				if v.Access == kir.Async || v.Op == kir.OpCopyCommit || v.Op == kir.OpCopyWait {
					target = max(target, asyncSince)
				}
			}
		}
	}
	return target
}

// module is what the kernels of a text share.
type module struct {
	o         Options
	names     map[string]bool   // of kernels and variables
	globals   strings.Builder   // declarations before the kernels
	helpers   map[string]bool   // functions that are declared
	printers  map[string]string // those that print, by format and types
	files     map[string]int
	fileNames []string
}

// name returns a PTX identifier like s that is not in use.
func (m *module) name(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 128 && (r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	s = b.String()
	if s == "" || unicode.IsDigit(rune(s[0])) {
		s = "k" + s
	}
	if s == "_" {
		s = "_k"
	}
	for base, n := s, 2; m.names[s] || reserved[s]; n++ {
		s = fmt.Sprintf("%s_%d", base, n)
	}
	m.names[s] = true
	return s
}

// reserved are names that ptxas takes for words of its own.
var reserved = map[string]bool{"WARP_SZ": true}

// printer writes one kernel.
type printer struct {
	*module
	f        *kir.Func
	out      strings.Builder
	params   []string
	regs     map[*kir.Value]string
	count    int            // registers given out
	uses     map[string]int // registers of each prefix: the highest number
	blk      *kir.Block
	loc      kir.Pos
	err      error
	function bool                // that stores its result by its last parameter
	distant  map[*kir.Value]bool // see distantOf
	skip     map[*kir.Value]bool // what stands with something else: parts of vector accesses, of rounded functions
	rounded  opt.RoundedCalls
}

func (m *module) kernel(f *kir.Func) (string, error) {
	p := &printer{module: m, f: f, distant: distantOf(f), regs: map[*kir.Value]string{}, uses: map[string]int{}, skip: map[*kir.Value]bool{}}
	p.rounded = opt.RoundedCallsOf(f, func(string, []*kir.Value) bool { return slowFloat64(m.o.Target) })
	for v := range p.rounded.Inner {
		p.skip[v] = true
	}
	name := m.name(f.Name)
	var params []string
	for _, prm := range f.Params {
		p.params = append(p.params, m.name(name+"_"+prm.Name))
		decl := "." + types[prm.Type].memory
		at := "\t.param " + decl + " " + p.params[len(p.params)-1]
		if prm.Type == kir.Void {
			at = fmt.Sprintf("\t.param .align %d .b8 %s[%d]", alignOf(prm.Offset), p.params[len(p.params)-1], prm.Size)
		}
		params = append(params, at)
	}
	var vars strings.Builder
	shared := p.declare(&vars, name, "shared", f.Shared)
	local := p.declare(&vars, name, "local", f.Local)
	table := p.declare(&vars, name, "const", f.Const)
	p.number()
	for _, blk := range f.Blocks {
		p.block(blk, shared, local, table)
	}
	if p.err != nil {
		return "", p.err
	}
	var s strings.Builder
	fmt.Fprintf(&s, "\n.visible .entry %s(\n%s)\n%s{\n", name, strings.Join(params, ",\n"), bounds(f.Bounds))
	p.registers(&s)
	s.WriteString(vars.String())
	s.WriteString(p.out.String())
	s.WriteString("}\n")
	return s.String(), nil
}

// bounds writes what a kernel says of its launches. ptxas takes either a number of registers or what it follows from.
func bounds(b kir.Bounds) string {
	s := ""
	if b.MaxThreads > 0 {
		s += fmt.Sprintf(".maxntid %d, 1, 1\n", b.MaxThreads)
		if b.MinBlocks > 0 && b.MaxRegisters == 0 {
			s += fmt.Sprintf(".minnctapersm %d\n", b.MinBlocks)
		}
	}
	if b.Cluster > 1 {
		s += fmt.Sprintf(".explicitcluster\n.reqnctapercluster %d, 1, 1\n", b.Cluster)
	}
	if b.MaxRegisters > 0 {
		s += fmt.Sprintf(".maxnreg %d\n", b.MaxRegisters)
	}
	return s
}

// registers writes the declarations of the registers.
func (p *printer) registers(s *strings.Builder) {
	for _, r := range registerTypes {
		if n := p.uses[r.prefix]; n > 0 {
			fmt.Fprintf(s, "\t.reg .%s %s<%d>;\n", r.decl, r.prefix, n+1)
		}
	}
}

// alignOf returns the alignment that puts a parameter at its offset behind whatever stands before: the greatest power
// of two up to 16 that divides it.
func alignOf(offset int) int {
	for a := 16; a > 1; a /= 2 {
		if offset%a == 0 {
			return a
		}
	}
	return 1
}

// declare writes the declarations of arrays and returns their names. Those of shared and local memory stand in the
// kernel; dynamic shared arrays and tables stand before it.
func (p *printer) declare(vars *strings.Builder, kernel, space string, arrays []kir.Array) (names []string) {
	end := 0
	for _, a := range arrays {
		name := p.name(kernel + "_" + a.Name)
		names = append(names, name)
		align := a.Elem.Bytes()
		if a.Offset != (end+align-1)/align*align || a.Len == 0 {
			align = max(align, alignOf(a.Offset))
		}
		elem := types[a.Elem].memory
		if a.Elem == kir.F16 {
			elem = "f16"
		}
		switch {
		case a.From > 0:
			names[len(names)-1] = p.name(fmt.Sprint(ConstantName, p.f.Params[a.From-1].Offset))
			fmt.Fprintf(&p.globals, ".visible .const .align 16 .b8 %s[%d];\n", names[len(names)-1], a.Bytes())
		case space == "const":
			fmt.Fprintf(&p.globals, ".const .align %d .%s %s[%d] = {%s};\n", align, elem, name, a.Len, elements(a))
		case a.Len == 0:
			fmt.Fprintf(&p.globals, ".extern .shared .align 16 .%s %s[];\n", elem, name)
		default:
			fmt.Fprintf(vars, "\t.%s .align %d .%s %s[%d];\n", space, align, elem, name, a.Len)
		}
		end = a.Offset + a.Bytes()
	}
	return names
}

// ConstantName begins the names of variables in constant memory that whoever launches a kernel fills before: from the
// address in global memory that is the parameter at the byte whose number follows.
const ConstantName = "arrayrepl_constant_"

// Late is such a variable.
type Late struct {
	Name          string
	Bytes, Offset int // its size, and where the parameter is
}

// LateOf returns those of the only kernel of a text that Print made.
func LateOf(text string) (late []Late) {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "\n.visible .const .align 16 .b8 "+ConstantName)
		if !ok {
			return late
		}
		var l Late
		if n, _ := fmt.Sscanf(after, "%d[%d];", &l.Offset, &l.Bytes); n == 2 {
			l.Name = fmt.Sprint(ConstantName, l.Offset)
			late = append(late, l)
		}
		rest = after
	}
}

func elements(a kir.Array) string {
	var out []string
	size := a.Elem.Bytes()
	for i := range a.Len {
		var bits uint64
		for j := range size {
			bits |= uint64(a.Data[i*size+j]) << (8 * j)
		}
		out = append(out, immediate(a.Elem, bits))
	}
	return strings.Join(out, ", ")
}

// number gives the values registers, in their order, so that the registers' order says the order of block parameters.
func (p *printer) number() {
	for _, blk := range p.f.Blocks {
		for _, v := range blk.Params {
			p.regs[v] = p.newReg(v.Type)
		}
		for _, v := range blk.Values {
			if v.Type != kir.Void && v.Op != kir.OpConst {
				p.regs[v] = p.newReg(v.Type)
			}
		}
	}
}

func (p *printer) newReg(t kir.Type) string {
	p.count++
	prefix := types[t].reg
	p.uses[prefix] = p.count
	return fmt.Sprintf("%s%d", prefix, p.count)
}

func (p *printer) fail(v *kir.Value, format string, args ...any) {
	if p.err == nil {
		at := ""
		if v.Pos != (kir.Pos{}) {
			at = v.Pos.String() + ": "
		}
		p.err = fmt.Errorf("%skernel %s, %q: %s", at, p.f.Name, v.Text(), fmt.Sprintf(format, args...))
	}
}

// emit writes an instruction.
func (p *printer) emit(format string, args ...any) {
	p.out.WriteString("\t" + fmt.Sprintf(format, args...) + ";\n")
}

func (p *printer) at(pos kir.Pos) {
	if !p.o.Lines || pos.Line == 0 || pos == p.loc {
		return
	}
	p.loc = pos
	i, ok := p.files[pos.File]
	if !ok {
		p.fileNames = append(p.fileNames, pos.File)
		i = len(p.fileNames)
		p.files[pos.File] = i
	}
	fmt.Fprintf(&p.out, "\t.loc %d %d %d\n", i, pos.Line, pos.Col)
}

func (p *printer) block(blk *kir.Block, shared, local, table []string) {
	p.blk = blk
	if blk.ID > 0 {
		fmt.Fprintf(&p.out, "%s:\n", label(blk))
	}
	for i, v := range blk.Values {
		if p.skip[v] {
			continue
		}
		p.at(v.Pos)
		if n := since(v); n > p.o.Target {
			p.fail(v, "it needs compute capability %d.%d, the target has %d.%d", n/10, n%10, p.o.Target/10, p.o.Target%10)
		}
		switch v.Op {
		case kir.OpShared:
			p.emit("mov.u64 %s, %s", p.regs[v], shared[v.Imm])
		case kir.OpLocal:
			p.emit("mov.u64 %s, %s", p.regs[v], local[v.Imm])
		case kir.OpConstTable:
			p.emit("mov.u64 %s, %s", p.regs[v], table[v.Imm])
		default:
			p.value(v, blk.Values[i:])
		}
	}
	t := &blk.Term
	p.at(t.Pos)
	switch t.Kind {
	case kir.TermReturn:
		p.emit("ret")
	case kir.TermJump:
		p.moves(t.To[0])
		if t.To[0].To.ID != blk.ID+1 {
			p.emit("bra.uni %s", label(t.To[0].To))
		}
	case kir.TermBranch:
		p.branch(blk, t)
	}
}

func label(blk *kir.Block) string { return fmt.Sprintf("$B%d", blk.ID) }

// branch ends blk. An edge that brings values goes through a block of moves.
func (p *printer) branch(blk *kir.Block, t *kir.Term) {
	cond := p.operand(t.Cond)
	next := blk.ID + 1
	then := label(t.To[0].To)
	moving := len(t.To[0].Args) > 0
	if moving {
		then = fmt.Sprintf("$E%d", blk.ID)
	}
	p.emit("@%s bra %s", cond, then)
	p.moves(t.To[1])
	if moving || t.To[1].To.ID != next {
		p.emit("bra.uni %s", label(t.To[1].To))
	}
	if moving {
		fmt.Fprintf(&p.out, "%s:\n", then)
		p.moves(t.To[0])
		if t.To[0].To.ID != next {
			p.emit("bra.uni %s", label(t.To[0].To))
		}
	}
}

// moves brings the values of an edge to the parameters of its target, as if at once: a value that is overwritten before
// it is read goes by a spare register.
func (p *printer) moves(e kir.Edge) {
	written := map[string]bool{}
	for i, prm := range e.To.Params {
		if p.regs[e.Args[i]] != p.regs[prm] {
			written[p.regs[prm]] = true
		}
	}
	type move struct {
		t        kir.Type
		dst, src string
	}
	var first, then []move
	for i, prm := range e.To.Params {
		src := p.operandOf(e.Args[i])
		dst := p.regs[prm]
		if src == dst {
			continue
		}
		if written[src] {
			spare := p.newReg(prm.Type)
			first = append(first, move{prm.Type, spare, src})
			src = spare
		}
		then = append(then, move{prm.Type, dst, src})
	}
	for _, m := range append(first, then...) {
		p.move(m.t, m.dst, m.src)
	}
}

func moveType(t kir.Type) string {
	switch t {
	case kir.F16:
		return "b16"
	}
	return types[t].instr
}

// operandOf returns the register of v, or its bits where it is a constant.
func (p *printer) operandOf(v *kir.Value) string {
	if v.Op == kir.OpConst {
		return immediate(v.Type, v.Imm)
	}
	return p.regs[v]
}

// operand is operandOf for instructions, which take no predicates and no f16 as immediates.
func (p *printer) operand(v *kir.Value) string {
	if v.Type == kir.Bool || v.Type == kir.F16 {
		return p.register(v)
	}
	return p.operandOf(v)
}

// register returns a register that holds v.
func (p *printer) register(v *kir.Value) string {
	if v.Op != kir.OpConst {
		return p.regs[v]
	}
	r := p.newReg(v.Type)
	p.move(v.Type, r, immediate(v.Type, v.Imm))
	return r
}

// move copies a register or a constant; one of 8 bits says its width.
func (p *printer) move(t kir.Type, dst, src string) {
	if t.Bytes() == 1 && t != kir.Bool && !strings.HasPrefix(src, "%") {
		p.emit("cvt.%s.%s %s, %s", types[t].instr, types[t].memory, dst, src)
		return
	}
	p.emit("mov.%s %s, %s", moveType(t), dst, src)
}

// immediate writes a constant.
func immediate(t kir.Type, bits uint64) string {
	switch {
	case t == kir.F32:
		return fmt.Sprintf("0f%08X", bits)
	case t == kir.F64:
		return fmt.Sprintf("0d%016X", bits)
	case t == kir.F16:
		return fmt.Sprintf("0x%04X", bits)
	case t.IsSigned():
		shift := 64 - 8*t.Bytes()
		if x := int64(bits<<shift) >> shift; x != math.MinInt64 {
			return fmt.Sprint(x)
		}
		return "0x8000000000000000"
	case bits > math.MaxInt64:
		return fmt.Sprintf("0x%X", bits)
	}
	return fmt.Sprint(bits)
}
