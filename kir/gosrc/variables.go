package gosrc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Variable is a variable of a package that a kernel uses: CUDA's __device__ variables. The kernel has one more
// parameter for it, the address of Bytes bytes of global memory, which are as Go lays the variable out.
type Variable struct {
	Name          string
	Bytes         int
	First         int // the kernel's parameter
	Reads, Writes bool

	Object *types.Var // nil in a program

	address func() any
	org     *origin
}

// Address returns a pointer to the variable of the program, nil when that is not known any more.
func (v *Variable) Address() any { return v.address() }

// maxVariableBytes is what a variable may take of a device's memory: it is copied back after each launch that may have
// written to it.
const maxVariableBytes = 64 << 20

// packageVar notes that the code uses a variable of a package, and says why it cannot.
func (p *program) packageVar(id *ast.Ident, v *types.Var, kernel bool) *Error {
	if isEmptyStruct(v.Type()) {
		return nil // there is nothing to be shared: its methods can be called
	}
	const hint = "give it to the kernel as a parameter: a scalar, a slice or an array"
	name := strings.TrimSuffix(id.Name, "·before")
	if !kernel || p.src.Address == nil {
		return p.src.errorf(id.Pos(), hint, "kernel code cannot use the variable %s, which lives outside of the function", name)
	}
	if slices.Contains(p.vars, v) {
		return nil
	}
	if why := notDevice(v.Type()); why != "" {
		return p.src.errorf(id.Pos(), hint, "kernel code cannot use the variable %s, which lives outside of the function: %s", name, why)
	}
	p.vars = append(p.vars, v)
	return nil
}

// isEmptyStruct reports whether values of a type hold nothing, as that of gpu.Approx does.
func isEmptyStruct(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// notDevice says why a variable of a type cannot be in a device's memory, nothing when it can.
func notDevice(t types.Type) string {
	if anyType(t, func(t types.Type) bool { _, ok := t.Underlying().(*types.Slice); return ok }) {
		return "a slice in it is memory of the program"
	}
	if _, err := inMemory(elementOf(t)); err != nil {
		return fmt.Sprintf("its type is %s; numbers, bools, and structs and arrays of them can be in a device's memory", typeName(t))
	}
	switch size := sizes.Sizeof(t); {
	case size == 0:
		return "it is empty"
	case size > maxVariableBytes:
		return fmt.Sprintf("it takes %d bytes, of which a variable of a device may have %d", size, maxVariableBytes)
	}
	return ""
}

// declarations are those of the variables that pkg's code uses, for package ssa, which gets functions alone else.
func (p *program) declarations(pkg *types.Package, info *types.Info) []ast.Decl {
	var decls []ast.Decl
	for _, v := range p.vars {
		if v.Pkg() != pkg {
			continue
		}
		if decls == nil {
			info.Defs = maps.Clone(info.Defs)
		}
		id := &ast.Ident{Name: v.Name(), NamePos: v.Pos()}
		info.Defs[id] = v
		decls = append(decls, &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id}}}})
	}
	return decls
}

// variables adds a parameter for each variable of a package that the kernel uses, from number n on.
func (l *lowerer) variables(k *Kernel, n int) {
	for _, v := range l.p.vars {
		org := &origin{known: true, space: kir.Global}
		name := strings.TrimSuffix(v.Name(), "·before")
		address := func() any { return l.p.src.Address(v) }
		x := Variable{Name: name, Bytes: int(sizes.Sizeof(v.Type())), First: n + len(k.Variables), Object: v, address: address, org: org}
		addr := l.b.Param("&"+name, kir.U64)
		addr.Note = name
		l.globals[v] = part{v: addr, org: org}
		k.Variables = append(k.Variables, x)
	}
}
