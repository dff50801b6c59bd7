package tier

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// Row says for what types the tier has an instruction. An instruction with several rows is had where one of them fits;
// one without a row is not had at all.
type Row struct {
	Name    string // the instruction's, with its operator, or that of the built-in function that it calls
	Columns []Column
}

// Column is the kinds that one of the types has which decide, in the order of [Parts].
type Column struct {
	Kinds Kind
	Else  string // what other types are called in an answer to why a function does not run in the tier; %s is the type
}

func kinds(k ...Kind) (out []Column) {
	for _, k := range k {
		out = append(out, Column{Kinds: k, Else: "a value of type %s"})
	}
	return out
}

const (
	variable   = "a variable of type %s"
	compared   = "a comparison of %s"
	loaded     = "a value of type %s in memory"
	element    = "an element of type %s of an array that is not a variable"
	conversion = "a conversion of %s"
)

// Table is what the tier has. What it does not list is refused, before anything is lowered.
var Table = []Row{
	{"Alloc", []Column{{anywhere, variable}}},
	{"Phi", kinds(held)},
	{"ChangeType", kinds(held, held)},
	{"Extract", kinds(held)},
	{"DebugRef", nil},
	{"Jump", nil},
	{"If", kinds(Bool)},
	{"Return", kinds(held)},

	{"+", kinds(numbers | String)},
	{"-", kinds(numbers)},
	{"*", kinds(numbers)},
	{"/", kinds(numbers)},
	{"%", kinds(Int)},
	{"&", kinds(Int)},
	{"|", kinds(Int)},
	{"^", kinds(Int)},
	{"&^", kinds(Int)},
	{"<<", kinds(Int, Int)},
	{">>", kinds(Int, Int)},
	{"==", []Column{{Bool | numbers | String | Pointer | UnsafePointer | Chan, compared}}},
	{"!=", []Column{{Bool | numbers | String | Pointer | UnsafePointer | Chan, compared}}},
	{"== nil", []Column{{nilable, compared}}},
	{"!= nil", []Column{{nilable, compared}}},
	{"<", []Column{{Int | Float | String, compared}}},
	{"<=", []Column{{Int | Float | String, compared}}},
	{">", []Column{{Int | Float | String, compared}}},
	{">=", []Column{{Int | Float | String, compared}}},

	{"unary !", kinds(Bool)},
	{"unary -", kinds(numbers)},
	{"unary ^", kinds(Int)},
	{"load", []Column{{inMemory, loaded}}},
	{"Store", []Column{{inMemory, loaded}}},

	{"Convert", []Column{{Int | Float, conversion}, {Int | Float, conversion}}},
	{"Convert", []Column{{Complex, conversion}, {Complex, conversion}}},
	{"Convert", []Column{{Int | Slice | String, conversion}, {String, conversion}}},
	{"Convert", []Column{{String, conversion}, {Slice, conversion}}},
	{"Convert", []Column{{Pointer | UnsafePointer, conversion}, {Pointer | UnsafePointer, conversion}}},
	{"Convert", []Column{{UnsafePointer, conversion}, {Int, conversion}}},
	{"Convert", []Column{{Int, conversion}, {UnsafePointer, conversion}}},

	{"FieldAddr", []Column{{anywhere, loaded}}},
	{"IndexAddr", []Column{{Slice | Pointer, loaded}, {anywhere, loaded}, {Int, loaded}}},
	{"Field", []Column{{structs, loaded}, {inMemory, loaded}}},
	{"Index", []Column{{String | arrays, element}, {inMemory, element}, {Int, element}}},
	{"Slice", kinds(Slice|String|Pointer, Int)},
	{"Range", []Column{{String, "a range over %s"}}},
	{"Next", []Column{{String, "a range over %s"}}},
	{"MakeSlice", kinds(Int, anywhere)},
	{"MakeClosure", kinds(held &^ UnsafePointer)},

	{"call", []Column{{held, "an argument of type %s"}, {held, "a result of type %s"}}},
	{"call len", kinds(String | Slice)},
	{"call cap", kinds(Slice)},
	{"call append", kinds(Slice, Slice|String)},
	{"call copy", kinds(Slice, Slice|String)},
	{"call clear", kinds(Slice)},
	{"call min", kinds(Int | Float | String)},
	{"call max", kinds(Int | Float | String)},
	{"call real", kinds(Complex)},
	{"call imag", kinds(Complex)},
	{"call complex", kinds(Float)},
}

// rows are those of Table by their names.
var rows = func() map[string][]Row {
	m := map[string][]Row{}
	for _, r := range Table {
		m[r.Name] = append(m[r.Name], r)
	}
	return m
}()

// refused names instructions without a row, for people.
var refused = map[string]string{
	"Panic": "a panic", "Defer": "a defer statement", "RunDefers": "a defer statement", "Go": "a go statement",
	"Lookup": "a map", "MapUpdate": "a map", "MakeMap": "a map", "Send": "a channel", "Select": "a channel", "MakeChan": "a channel", "unary <-": "a channel",
	"MakeInterface": "a value in an interface", "TypeAssert": "a value in an interface", "ChangeInterface": "a value in an interface",
	"SliceToArrayPointer": "a conversion of a slice to an array", "MultiConvert": "a conversion of a type parameter",
}

// Part is a type that decides whether the tier has an instruction, and the column of the instruction's rows that it
// belongs to.
type Part struct {
	Column int
	Type   types.Type
}

// parts collects the types of an instruction.
type parts struct {
	list   []Part
	column int
}

// add puts types into the next column.
func (p *parts) add(ts ...types.Type) {
	for _, t := range ts {
		p.list = append(p.list, Part{p.column, t})
	}
	p.column++
}

// of puts the types of values into the next column; of those that there are.
func (p *parts) of(vs ...ssa.Value) {
	for _, v := range vs {
		if v != nil {
			p.list = append(p.list, Part{p.column, v.Type()})
		}
	}
	p.column++
}

// unaryNames are the names of unary operations; Parts is asked often.
var unaryNames = map[token.Token]string{token.NOT: "unary !", token.SUB: "unary -", token.XOR: "unary ^", token.ARROW: "unary <-"}

// Parts returns the name of an instruction's rows and, appended to buf, the types that decide, in the order of the
// columns.
func Parts(in ssa.Instruction, buf []Part) (name string, list []Part) {
	p := parts{list: buf}
	switch in := in.(type) {
	case *ssa.Alloc:
		name = "Alloc"
		p.add(deref(in.Type()))
	case *ssa.Phi:
		name = "Phi"
		p.of(in)
	case *ssa.Extract:
		name = "Extract"
		p.of(in)
	case *ssa.ChangeType:
		name = "ChangeType"
		p.of(in.X)
		p.of(in)
	case *ssa.Jump:
		name = "Jump"
	case *ssa.If:
		name = "If"
		p.of(in.Cond)
	case *ssa.Return:
		name = "Return"
		p.of(in.Results...)
	case *ssa.BinOp:
		name = in.Op.String()
		if (in.Op == token.EQL || in.Op == token.NEQ) && (isNil(in.X) || isNil(in.Y)) && KindOf(in.X.Type())&nilable != 0 {
			name += " nil"
		}
		if in.Op == token.SHL || in.Op == token.SHR {
			p.of(in.X)
			p.of(in.Y)
			break
		}
		p.of(in.X, in.Y)
	case *ssa.UnOp:
		if name = "load"; in.Op != token.MUL {
			name = unaryNames[in.Op]
		}
		p.of(in)
	case *ssa.Store:
		name = "Store"
		p.of(in.Val)
	case *ssa.Convert:
		name = "Convert"
		p.of(in.X)
		p.of(in)
	case *ssa.FieldAddr:
		name = "FieldAddr"
		p.add(deref(in.Type()))
	case *ssa.IndexAddr:
		name = "IndexAddr"
		p.of(in.X)
		p.add(deref(in.Type()))
		p.of(in.Index)
	case *ssa.Field:
		name = "Field"
		p.of(in.X)
		p.of(in)
	case *ssa.Index:
		name = "Index"
		p.of(in.X)
		p.of(in)
		p.of(in.Index)
	case *ssa.Slice:
		name = "Slice"
		p.of(in.X)
		p.of(in.Low, in.High, in.Max)
	case *ssa.Range:
		name = "Range"
		p.of(in.X)
	case *ssa.Next:
		name = "Next"
		p.of(in.Iter.(*ssa.Range).X)
	case *ssa.MakeSlice:
		name = "MakeSlice"
		p.of(in.Len, in.Cap)
		p.add(in.Type().Underlying().(*types.Slice).Elem())
	case *ssa.MakeClosure:
		name = "MakeClosure"
		p.of(in.Bindings...)
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		if !ok {
			name = "call"
			p.of(in.Call.Args...)
			for r := range in.Call.Signature().Results().Variables() {
				p.list = append(p.list, Part{p.column, r.Type()})
			}
			break
		}
		name = "call " + b.Name()
		switch b.Name() {
		case "append", "copy":
			for _, a := range in.Call.Args {
				p.of(a)
			}
		default:
			p.of(in.Call.Args...)
		}
	default:
		name = fmt.Sprintf("%T", in)[len("*ssa."):]
	}
	return name, p.list
}

// obstacle says what in is when the tier cannot have it, "" when it can.
func obstacle(in ssa.Instruction) string {
	buf := partsBuffers.Get().(*[8]Part)
	defer partsBuffers.Put(buf)
	name, parts := Parts(in, buf[:0])
	if len(rows[name]) == 0 {
		if what := refused[name]; what != "" {
			return what
		}
		if b, ok := strings.CutPrefix(name, "call "); ok {
			return "the built-in function " + b
		}
		return "the instruction " + name
	}
	why := ""
	for _, r := range rows[name] {
		if why = r.misfit(parts); why == "" {
			break
		}
	}
	if why != "" {
		return why
	}
	if v, ok := in.(ssa.Value); ok {
		switch in.(type) {
		case *ssa.Range, *ssa.Next: // the tier's own registers
			return ""
		}
		if t := v.Type(); KindOf(t)&(held|Tuple) == 0 {
			return "a value of type " + t.String()
		}
	}
	return ""
}

// partsBuffers are buffers of obstacle, which is asked about each instruction.
var partsBuffers = sync.Pool{New: func() any { return new([8]Part) }}

// misfit says which type the row does not have, "" when it has all.
func (r *Row) misfit(parts []Part) string {
	for _, p := range parts {
		k := KindOf(p.Type)
		switch {
		case p.Column < len(r.Columns) && k&r.Columns[p.Column].Kinds != 0:
		case k == Map:
			return "a map"
		case k == Chan:
			return "a channel"
		case p.Column >= len(r.Columns):
			return "a value of type " + p.Type.String()
		default:
			return fmt.Sprintf(r.Columns[p.Column].Else, p.Type)
		}
	}
	return ""
}
