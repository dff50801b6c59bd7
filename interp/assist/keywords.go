package assist

import "go/token"

// keyword is a word of the language: how it is used, what it does, and where it may stand.
type keyword struct {
	form, doc string
	where     where
}

// where says at which places a keyword may stand.
type where int

const (
	atStart where = 1 << iota // of a statement
	atTop                     // of the cell, outside all brackets
	inLoop                    // a statement inside a block
	inValue                   // in an expression
	inType                    // where a type stands
	inCases                   // in the block of a switch or select
	afterIf                   // after a block
	inFor                     // in the header of a loop
)

// keywords are Go's. The texts follow the language specification.
var keywords = map[string]keyword{
	"break":       {"break [Label]", "break ends the innermost for, switch or select statement, or the one with the label.", inLoop},
	"case":        {"case expression, …:", "case begins a clause of a switch or select statement.", inCases},
	"chan":        {"chan T", "chan T is the type of channels of T; chan<- T can only be sent to, <-chan T only received from.", inType | inValue},
	"const":       {"const name [T] = value", "const declares constants. In a group, iota counts the lines from 0.", atStart},
	"continue":    {"continue [Label]", "continue begins the next turn of the innermost for loop, or of the one with the label.", inLoop},
	"default":     {"default:", "default begins the clause of a switch or select statement that runs when no case does.", inCases},
	"defer":       {"defer f(…)", "defer calls f when the surrounding function returns, the last deferred call first. Its arguments are evaluated now.", atStart},
	"else":        {"if condition { … } else { … }", "else begins what runs when the condition of an if statement is false.", afterIf},
	"fallthrough": {"fallthrough", "fallthrough, at the end of a case, goes on with the statements of the next case.", inLoop},
	"for":         {"for [init;] [condition] [; post] { … }", "for repeats a block: for ever, while a condition holds, or over a range of values (for k, v := range x).", atStart},
	"func":        {"func name(parameters) results { … }", "func declares a function or, with a receiver before the name, a method; without a name it is a function value.", atStart | inValue | inType},
	"go":          {"go f(…)", "go calls f in a goroutine of its own and does not wait for it.", atStart},
	"goto":        {"goto Label", "goto goes to the statement with the label, in the same function.", inLoop},
	"if":          {"if [init;] condition { … }", "if runs a block when a condition is true.", atStart},
	"import":      {"import [name] \"path\"", "import makes the exported names of a package known. Cells can use standard packages without it.", atTop},
	"interface":   {"interface{ methods }", "interface is the type of all values that have the methods; in a constraint it also lists types.", inType | inValue},
	"map":         {"map[K]V", "map[K]V is the type of tables from K to V. Missing keys give V's zero value: v, ok := m[k] tells.", inType | inValue},
	"package":     {"package name", "package begins a source file. A cell that begins with it is a whole program.", atTop},
	"range":       {"for k, v := range x", "range goes over the elements of a slice, array, string, map or channel, over the numbers below an integer, or over what an iterator function yields.", inFor},
	"return":      {"return [values]", "return ends a function, with its results.", atStart},
	"select":      {"select { case v := <-c: … }", "select waits until one of several channel operations can go on, and does it.", atStart},
	"struct":      {"struct{ fields }", "struct is the type of values with named fields.", inType | inValue},
	"switch":      {"switch [init;] [value] { case … }", "switch runs the first case that equals the value or, as switch x := v.(type), the one of its type.", atStart},
	"type":        {"type Name T", "type declares a type, with type parameters as type Name[P Constraint] T; type Name = T is another name for T.", atStart},
	"var":         {"var name [T] [= value]", "var declares variables; without a value they are zero.", atStart},
}

// fits reports whether the keyword may stand at a place.
func (k keyword) fits(p spot, typesOnly bool) bool {
	in := p.inner()
	start := p.isStart() && in.open != token.LPAREN && in.open != token.LBRACK
	switch {
	case typesOnly:
		return k.where&inType != 0
	case start && in.open == token.ILLEGAL:
		return k.where&(atStart|atTop|inValue|inLoop) != 0
	case start:
		return k.where&(atStart|inValue|inLoop|inCases) != 0
	case p.prev == token.RBRACE:
		return k.where&afterIf != 0
	case p.prev == token.ELSE:
		return k.form == keywords["if"].form
	case in.head == token.FOR && in.header && (p.prev == token.DEFINE || p.prev == token.ASSIGN || p.prev == token.FOR):
		return k.where&(inFor|inValue) != 0
	}
	return k.where&inValue != 0
}
