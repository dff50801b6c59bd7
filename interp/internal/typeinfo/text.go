// Package typeinfo answers questions about go/types that session and engines ask and go/types does not answer: how the
// compiler writes a type, what a type is made of, and what the path of a package is for the user.
package typeinfo

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// The text of a type in %T, %#v and package reflect is the compiler's. Packages are written by their names, but by
// their paths between the brackets of an instance, where fields and methods that are not exported have their package
// too, and types that functions declare have a number.

// Texts writes types so. What a type itself does not tell of a type that a function declares is asked for.
type Texts struct {
	Arguments func(*types.Named) []types.Type // of the generic function that declares it
	Number    func(*types.TypeName) int       // among those of its package, from 1
}

// TypeText is the text of a type as package reflect and the runtime write it. What it lacks are the type arguments of a
// generic function that declares a type, which the type does not know.
func TypeText(t types.Type) string { return Texts{}.Text(t) }

func (tt Texts) Text(t types.Type) string {
	var b strings.Builder
	tt.write(&b, t, false)
	return b.String()
}

// write writes t, as between brackets when link is set.
func (tt Texts) write(b *strings.Builder, t types.Type, link bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		tt.basic(b, t)
	case *types.Named:
		tt.named(b, t, link)
	case *types.Pointer:
		b.WriteByte('*')
		tt.write(b, t.Elem(), link)
	case *types.Slice:
		b.WriteString("[]")
		tt.write(b, t.Elem(), link)
	case *types.Array:
		fmt.Fprintf(b, "[%d]", t.Len())
		tt.write(b, t.Elem(), link)
	case *types.Map:
		b.WriteString("map[")
		tt.write(b, t.Key(), link)
		b.WriteByte(']')
		tt.write(b, t.Elem(), link)
	case *types.Chan:
		tt.channel(b, t, link)
	case *types.Signature:
		b.WriteString("func")
		tt.signature(b, t, link)
	case *types.Interface:
		tt.iface(b, t, link)
	case *types.Struct:
		tt.structure(b, t, link)
	default:
		b.WriteString(t.String())
	}
}

func (tt Texts) basic(b *strings.Builder, t *types.Basic) {
	switch t.Kind() {
	case types.UnsafePointer:
		b.WriteString("unsafe.Pointer")
	case types.Invalid:
		b.WriteString(t.Name())
	default:
		b.WriteString(types.Typ[t.Kind()].Name()) // uint8 for byte
	}
}

func (tt Texts) named(b *strings.Builder, t *types.Named, link bool) {
	obj := t.Obj()
	if pkg := obj.Pkg(); pkg != nil {
		if link {
			b.WriteString(linkPath(PackagePath(pkg)))
		} else {
			b.WriteString(textPackage(pkg))
		}
		b.WriteByte('.')
	}
	b.WriteString(obj.Name())
	local := IsLocalType(obj)
	var outer []types.Type
	if local && tt.Arguments != nil {
		outer = tt.Arguments(t)
	}
	if inner := slices.Collect(t.TypeArgs().Types()); len(outer)+len(inner) > 0 {
		b.WriteByte('[')
		for i, a := range append(slices.Clone(outer), inner...) {
			switch {
			case i > 0 && i == len(outer):
				b.WriteByte(';')
			case i > 0:
				b.WriteByte(',')
			}
			tt.write(b, a, true)
		}
		b.WriteByte(']')
	}
	if link && local {
		n := 1
		if tt.Number != nil {
			n = tt.Number(obj)
		}
		b.WriteString("·" + strconv.Itoa(n))
	}
}

// IsLocalType reports whether a function declares the type.
func IsLocalType(obj *types.TypeName) bool {
	return obj.Pkg() != nil && (obj.Parent() == nil || obj.Parent() != obj.Pkg().Scope())
}

// textPackage is the name of a package: that of a cell is of no use.
func textPackage(pkg *types.Package) string {
	if pkg.Path() == engine.CellPath {
		return engine.CellPath
	}
	return pkg.Name()
}

// linkPath is a package's path in names of the linker: dots in its last part are escaped, and what is not a letter.
func linkPath(path string) string {
	last := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c == '.' && i > last || c == '%' || c == '"' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (tt Texts) channel(b *strings.Builder, t *types.Chan, link bool) {
	elem, bracket := types.Unalias(t.Elem()), false
	switch t.Dir() {
	case types.RecvOnly:
		b.WriteString("<-chan ")
	case types.SendOnly:
		b.WriteString("chan<- ")
	default:
		b.WriteString("chan ")
		c, ok := elem.(*types.Chan)
		bracket = ok && c.Dir() == types.RecvOnly
	}
	if bracket {
		b.WriteByte('(')
	}
	tt.write(b, elem, link)
	if bracket {
		b.WriteByte(')')
	}
}

// signature writes the parameters and results of a function.
func (tt Texts) signature(b *strings.Builder, t *types.Signature, link bool) {
	tt.tuple(b, t.Params(), t.Variadic(), link)
	switch t.Results().Len() {
	case 0:
	case 1:
		b.WriteByte(' ')
		tt.write(b, t.Results().At(0).Type(), link)
	default:
		b.WriteByte(' ')
		tt.tuple(b, t.Results(), false, link)
	}
}

func (tt Texts) tuple(b *strings.Builder, vars *types.Tuple, variadic, link bool) {
	b.WriteByte('(')
	for i := range vars.Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		t := vars.At(i).Type()
		if s, ok := types.Unalias(t).(*types.Slice); ok && variadic && i == vars.Len()-1 {
			b.WriteString("...")
			t = s.Elem()
		}
		tt.write(b, t, link)
	}
	b.WriteByte(')')
}

func (tt Texts) iface(b *strings.Builder, t *types.Interface, link bool) {
	if t.NumMethods() == 0 {
		b.WriteString("interface {}")
		return
	}
	methods := slices.Collect(t.Methods())
	slices.SortStableFunc(methods, func(x, y *types.Func) int {
		if x.Exported() != y.Exported() {
			if x.Exported() {
				return -1
			}
			return 1
		}
		return strings.Compare(x.Name(), y.Name())
	})
	b.WriteString("interface {")
	for i, m := range methods {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		if !m.Exported() {
			tt.qualifier(b, m.Pkg(), link)
		}
		b.WriteString(m.Name())
		tt.signature(b, m.Signature(), link)
	}
	b.WriteString(" }")
}

func (tt Texts) qualifier(b *strings.Builder, pkg *types.Package, link bool) {
	switch {
	case pkg == nil:
	case link:
		b.WriteString(linkPath(PackagePath(pkg)) + ".")
	default:
		b.WriteString(textPackage(pkg) + ".")
	}
}

func (tt Texts) structure(b *strings.Builder, t *types.Struct, link bool) {
	b.WriteString("struct {")
	for i := range t.NumFields() {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		f := t.Field(i)
		if !f.Embedded() || link && !isNamedFor(f) {
			if link && !f.Exported() {
				tt.qualifier(b, f.Pkg(), link)
			}
			b.WriteString(f.Name())
			if f.Embedded() {
				b.WriteString(" =")
			}
			b.WriteByte(' ')
		}
		tt.write(b, f.Type(), link)
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	if t.NumFields() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// isNamedFor reports whether an embedded field has the name of its type, and not of an alias for it.
func isNamedFor(f *types.Var) bool {
	t := types.Unalias(f.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Name() == f.Name() && (f.Exported() || samePackage(n.Obj().Pkg(), f.Pkg()))
}

// samePackage reports whether two packages are one for the user: all cells are.
func samePackage(p, q *types.Package) bool {
	return p == q || p != nil && q != nil && PackagePath(p) == PackagePath(q)
}
