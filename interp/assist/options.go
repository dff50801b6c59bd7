package assist

import (
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// options returns the calls that make what f takes as options: the functions of the package of its last parameter's
// type, where that is variadic and the type is a named one of a package, that return such a value and nothing else.
func (a *Assistant) options(f *types.Func) (out []string) {
	sig := f.Signature()
	if !sig.Variadic() {
		return nil
	}
	of, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok {
		return nil
	}
	option, ok := types.Unalias(of.Elem()).(*types.Named)
	if i, bare := types.Unalias(of.Elem()).(*types.Interface); bare && i.Empty() && f.Pkg() != nil && strings.Contains(a.comment(f, nil), "options") {
		if tn, is := f.Pkg().Scope().Lookup("Option").(*types.TypeName); is { // they stand among arguments of any type
			option, ok = tn.Type().(*types.Named)
		}
	}
	if !ok || option.Obj().Pkg() == nil || option.Obj().Pkg() != f.Pkg() && engine.IsCell(f.Pkg()) {
		return nil
	}
	for _, pkg := range []*types.Package{f.Pkg(), option.Obj().Pkg()} { // a package's own options have the names of its calls
		if len(out) > 0 {
			break
		}
		for _, name := range pkg.Scope().Names() {
			made, ok := pkg.Scope().Lookup(name).(*types.Func)
			if !ok || !made.Exported() || made.Signature().TypeParams().Len() > 0 || made.Signature().Results().Len() != 1 {
				continue
			}
			if got := made.Signature().Results().At(0).Type(); types.Identical(got, option) || isOption(got, option) {
				call := strings.TrimPrefix(a.signature(made, nil), "func ")
				out = append(out, call[:strings.LastIndex(call, ") ")+1])
			}
		}
	}
	return out
}

// isOption reports whether a value of the type got is one of an option's interface, and is made for that: what has
// methods that others call, as an array has, is a value that happens to fit.
func isOption(got types.Type, option *types.Named) bool {
	i, ok := option.Underlying().(*types.Interface)
	if !ok || i.Empty() || !types.Implements(got, i) { // of an empty one everything is: what says so by its type counts
		return false
	}
	named, ok := types.Unalias(got).(*types.Named)
	return ok && named.Obj().Pkg() == option.Obj().Pkg()
}
