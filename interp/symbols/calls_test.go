package symbols_test

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// unusable are types whose zero values are of no use, with the reason.
var unusable = map[string]string{
	"offload.Runtime": "its methods wait for a goroutine that NewRuntime starts",
}

// TestEveryFunctionIsCalledFromACell calls every exported function of every package that cells see, and every method of
// its types, from a cell, with the zero values of their parameters. What they do with these is their business: they may
// panic, and then as a cell's error; but they must be found, be called with the types that they have, and come back.
func TestEveryFunctionIsCalledFromACell(t *testing.T) {
	s := newSession(t)
	names := map[string]string{}
	for _, p := range symbols.Packages() {
		names[p.Path] = p.Name
	}
	calls := 0
	for i, p := range symbols.Packages() {
		if !testsize.Part(i, 3) { // a short test calls those of a third of the packages, each turn another
			continue
		}
		scope := scopeOf(t, p.Path)
		var all []string
		for _, name := range scope.Names() {
			if token.IsExported(name) {
				all = append(all, callsOf(scope.Lookup(name), names)...)
			}
		}
		// One cell has them all, as each that names a large package takes long to compile; each is called by its own.
		if _, err := s.Run(context.Background(), 1, "calls := []func(){\nfunc() { "+strings.Join(all, " },\nfunc() { ")+" },\n}"); err != nil {
			t.Errorf("package %s: %v", p.Path, err)
			continue
		}
		for i, call := range all {
			calls++
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			_, err := s.Run(ctx, 2, fmt.Sprintf("calls[%d]()", i))
			cancel()
			var e *interp.Error
			if errors.As(err, &e) && e.Kind != interp.Panic {
				t.Errorf("%s: %v", call, err)
			}
		}
	}
	t.Logf("%d calls", calls)
	if calls < 500 && !testsize.Short() || calls < 50 {
		t.Errorf("only %d calls", calls)
	}
}

// callsOf returns the calls of obj, or of the methods of the type that it is.
func callsOf(obj types.Object, names map[string]string) (calls []string) {
	switch obj := obj.(type) {
	case *types.Func:
		if call := callOf(names[obj.Pkg().Path()]+"."+obj.Name(), obj.Signature(), names); call != "" {
			calls = append(calls, call)
		}
	case *types.TypeName:
		if types.IsInterface(obj.Type()) {
			return nil
		}
		t := obj.Type()
		if n, ok := t.(*types.Named); ok && n.TypeParams().Len() == 1 { // of any type, or of some
			for _, of := range []types.Type{types.Typ[types.Float32], firstOf(n.TypeParams().At(0))} {
				if inst, err := types.Instantiate(nil, n, []types.Type{of}, true); err == nil {
					t = inst
					break
				}
			}
		}
		set := types.NewMethodSet(types.NewPointer(t))
		recv, ok := typeText(t, names)
		if unusable[recv] != "" {
			return nil
		}
		for i := range set.Len() {
			m := set.At(i).Obj().(*types.Func)
			if call := callOf("new("+recv+")."+m.Name(), m.Signature(), names); ok && m.Exported() && call != "" {
				calls = append(calls, call)
			}
		}
	}
	return calls
}

// callOf returns a call with zero values, "" when a type of a parameter cannot be named by a cell.
func callOf(fn string, sig *types.Signature, names map[string]string) string {
	if n := sig.TypeParams().Len(); n > 0 {
		for _, basic := range []types.BasicKind{types.Int32, types.Int, types.Float32, types.String} {
			with := make([]types.Type, n)
			for i := range with {
				with[i] = types.Typ[basic]
			}
			if inst, err := types.Instantiate(nil, sig, with, true); err == nil {
				args := strings.TrimSuffix(strings.Repeat(types.Typ[basic].Name()+", ", n), ", ")
				return callOf(fn+"["+args+"]", inst.(*types.Signature), names)
			}
		}
		if of := firstOf(sig.TypeParams().At(0)); n == 1 && of != nil {
			if inst, err := types.Instantiate(nil, sig, []types.Type{of}, true); err == nil {
				if text, ok := typeText(of, names); ok {
					return callOf(fn+"["+text+"]", inst.(*types.Signature), names)
				}
			}
		}
		panic("no type is known for the type parameters of " + fn)
	}
	var args []string
	for i := range sig.Params().Len() {
		if sig.Variadic() && i == sig.Params().Len()-1 {
			break
		}
		text, ok := typeText(sig.Params().At(i).Type(), names)
		if !ok {
			return ""
		}
		args = append(args, "*new("+text+")")
	}
	return fn + "(" + strings.Join(args, ", ") + ");"
}

// firstOf returns the first type that the constraint of p names, nil of others.
func firstOf(p *types.TypeParam) types.Type {
	in := p.Constraint().Underlying().(*types.Interface)
	for i := range in.NumEmbeddeds() {
		if u, ok := in.EmbeddedType(i).(*types.Union); ok {
			return u.Term(0).Type()
		}
	}
	return nil
}

// typeText writes a type as cells do; ok is false when it is of a package that they do not see.
func typeText(t types.Type, names map[string]string) (text string, ok bool) {
	ok = true
	text = types.TypeString(t, func(p *types.Package) string {
		if n := names[p.Path()]; n != "" {
			return n
		}
		if strings.Contains(p.Path(), ".") {
			ok = false
		}
		return p.Name()
	})
	return text, ok
}
