package main

import (
	"bytes"
	"fmt"
	"go/constant"
	"go/format"
	"go/types"
	"sort"
	"strconv"
	"strings"
)

// tables are the maps of an ixgo.Package, in its order, with the entries of each.
type tables struct {
	interfaces, named, aliases, vars, funcs, typed, untyped, skipped []string
	usesToken                                                        bool
}

// source writes the registration of a package.
func source(name string, pkg *types.Package) ([]byte, error) {
	var t tables
	scope := pkg.Scope()
	for _, n := range scope.Names() {
		if obj := scope.Lookup(n); obj.Exported() {
			if err := t.add(obj); err != nil {
				return nil, fmt.Errorf("%s: %w", n, err)
			}
		}
	}
	var b bytes.Buffer
	b.WriteString(header + "//lint:file-ignore SA1019 deprecated names are there for cells too\n\npackage symbols\n\nimport (\n")
	if len(t.typed)+len(t.untyped) > 0 {
		b.WriteString("\t\"go/constant\"\n")
	}
	if t.usesToken {
		b.WriteString("\t\"go/token\"\n")
	}
	fmt.Fprintf(&b, "\t\"reflect\"\n\n\tq %q\n\t\"github.com/goplus/ixgo\"\n)\n\n", pkg.Path())
	fmt.Fprintf(&b, "// %s registers package %s.\n", function(name), pkg.Path())
	for _, s := range t.skipped {
		fmt.Fprintf(&b, "// Not registered: %s.\n", s)
	}
	fmt.Fprintf(&b, "func %s() {\n\tixgo.RegisterPackageLazy(%q, func() *ixgo.Package {\n\t\treturn &ixgo.Package{\n\t\tName: %q,\n\t\tPath: %q,\n", function(name), pkg.Path(), pkg.Name(), pkg.Path())
	writeMap(&b, "Deps", "string", quoted(mentioned(pkg)))
	writeMap(&b, "Interfaces", "reflect.Type", t.interfaces)
	writeMap(&b, "NamedTypes", "reflect.Type", t.named)
	writeMap(&b, "AliasTypes", "reflect.Type", t.aliases)
	writeMap(&b, "Vars", "reflect.Value", t.vars)
	writeMap(&b, "Funcs", "reflect.Value", t.funcs)
	writeMap(&b, "TypedConsts", "ixgo.TypedConst", t.typed)
	writeMap(&b, "UntypedConsts", "ixgo.UntypedConst", t.untyped)
	b.WriteString("\t}\n\t})\n}\n")
	text := b.Bytes()
	if bytes.Count(text, []byte("constant.")) == 0 {
		text = bytes.Replace(text, []byte("\t\"go/constant\"\n"), nil, 1)
	}
	return format.Source(text)
}

func writeMap(b *bytes.Buffer, field, elem string, entries []string) {
	fmt.Fprintf(b, "\t\t%s: map[string]%s{", field, elem)
	if len(entries) > 0 {
		b.WriteString("\n\t\t\t" + strings.Join(entries, ",\n\t\t\t") + ",\n\t\t")
	}
	b.WriteString("},\n")
}

func quoted(m map[string]string) []string {
	var out []string
	for k, v := range m {
		out = append(out, fmt.Sprintf("%q: %q", k, v))
	}
	sort.Strings(out)
	return out
}

// add writes the entry of one exported object.
func (t *tables) add(obj types.Object) error {
	name := obj.Name()
	typeOf := fmt.Sprintf("%q: reflect.TypeFor[q.%s]()", name, name)
	switch obj := obj.(type) {
	case *types.TypeName:
		named, isNamed := types.Unalias(obj.Type()).(*types.Named)
		switch {
		case isNamed && named.TypeParams().Len() > named.TypeArgs().Len():
			t.skipped = append(t.skipped, "generic type "+name)
		case types.IsInterface(obj.Type()) && !obj.Type().Underlying().(*types.Interface).IsMethodSet():
			t.skipped = append(t.skipped, "constraint "+name)
		case obj.IsAlias():
			t.aliases = append(t.aliases, typeOf)
		case types.IsInterface(obj.Type()):
			t.interfaces = append(t.interfaces, typeOf)
		default:
			t.named = append(t.named, typeOf)
		}
	case *types.Func:
		if obj.Signature().TypeParams().Len() > 0 {
			t.skipped = append(t.skipped, "generic function "+name)
			return nil
		}
		if hasInstance(obj.Signature()) { // the type of its source is another one than the compiled
			t.skipped = append(t.skipped, "function with a generic type "+name)
			return nil
		}
		t.funcs = append(t.funcs, fmt.Sprintf("%q: reflect.ValueOf(q.%s)", name, name))
	case *types.Var:
		t.vars = append(t.vars, fmt.Sprintf("%q: reflect.ValueOf(&q.%s)", name, name))
	case *types.Const:
		value, err := t.constant(obj.Val())
		if err != nil {
			return err
		}
		basic, ok := obj.Type().(*types.Basic)
		if ok && basic.Info()&types.IsUntyped != 0 {
			t.untyped = append(t.untyped, fmt.Sprintf("%q: {Typ: %q, Value: %s}", name, basic.Name(), value))
			return nil
		}
		t.typed = append(t.typed, fmt.Sprintf("%q: {Typ: reflect.TypeOf(q.%s), Value: %s}", name, name, value))
	}
	return nil
}

// hasInstance reports whether a parameter or result is an instance of a generic type of the function's own package,
// whose source cells have.
func hasInstance(sig *types.Signature) bool {
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range list.Variables() {
			n, ok := types.Unalias(v.Type()).(*types.Named)
			if ok && n.TypeArgs().Len() > 0 && n.Obj().Pkg() == v.Pkg() {
				return true
			}
		}
	}
	return false
}

// constant writes an exact constant value as an expression.
func (t *tables) constant(v constant.Value) (string, error) {
	switch v.Kind() {
	case constant.Bool:
		return fmt.Sprintf("constant.MakeBool(%v)", constant.BoolVal(v)), nil
	case constant.String:
		return fmt.Sprintf("constant.MakeString(%s)", strconv.Quote(constant.StringVal(v))), nil
	case constant.Int:
		t.usesToken = true
		return fmt.Sprintf("number(%q, token.INT)", v.ExactString()), nil
	case constant.Float:
		num, den := constant.Num(v), constant.Denom(v)
		if num.Kind() == constant.Int && den.Kind() == constant.Int {
			t.usesToken = true
			return fmt.Sprintf("constant.BinaryOp(number(%q, token.INT), token.QUO, number(%q, token.INT))", num.ExactString(), den.ExactString()), nil
		}
		t.usesToken = true
		return fmt.Sprintf("number(%q, token.FLOAT)", v.ExactString()), nil
	}
	return "", fmt.Errorf("a %v constant cannot be written", v.Kind())
}
