package main

import (
	"errors"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// kernels gives package gpu and np.Map the source of the functions that cells pass to them.
type kernels struct{}

// takers are the functions that want source, by package.
var takers = map[string]map[string]bool{
	gosrc.GPU:                             {"Launch": true, "Emulate": true, "Kernel": true},
	"github.com/arrayrepl/arrayrepl/lazy": {"Map": true, "Reduce": true},
}

func (kernels) Takes(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Signature().Recv() == nil && takers[strings.TrimSuffix(fn.Pkg().Path(), "@patch")][fn.Name()]
}

func (kernels) Declared(f *interp.Function, given bool) []interp.FunctionError {
	src := source(f)
	if !given && !gosrc.CallsDevice(src, f.Func) {
		return nil
	}
	err := gosrc.Check(src, f.Func)
	var errs gosrc.Errors
	if err == nil || !errors.As(err, &errs) {
		return nil // what is wrong with the launch is said when it is made
	}
	var out []interp.FunctionError
	for _, e := range errs {
		msg := e.Msg
		if e.Hint != "" {
			msg += "\n\t" + e.Hint
		}
		out = append(out, interp.FunctionError{Pos: e.Pos, Msg: msg})
	}
	return out
}

func (kernels) Bind(f *interp.Function, value any) any {
	return gosrc.NewFunc(source(f), f.Func, f.TypeArgs, value)
}

func source(f *interp.Function) *gosrc.Source {
	return &gosrc.Source{Fset: f.Fset(), Body: f.Body, Never: f.Never}
}
