// Package kernels lets package gpu and np.Map have the source of the functions that cells give them, and says at the
// declaration of a kernel what in it cannot run on a device.
//
// Start with [Functions], which the command gives to the session. The package knows nothing of engines or devices.
package kernels

import (
	"errors"
	"go/types"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// Functions is the hook of package interp.
type Functions struct{}

// Takes implements [interp.Functions].
func (Functions) Takes(fn *types.Func) bool {
	return gosrc.TakesSource(fn)
}

// MayRun implements [interp.Functions].
func (Functions) MayRun(fn *types.Func) bool { return gosrc.MayRun(fn) }

// Declared implements [interp.Functions].
func (Functions) Declared(f *interp.Function, given bool) []interp.FunctionError {
	src := source(f)
	if !given && !gosrc.CallsDevice(src, f.Func) {
		return nil
	}
	err := gosrc.Check(src, f.Func, f.TypeArgs, given)
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

// Bind implements [interp.Functions].
func (Functions) Bind(f *interp.Function, value any) any {
	return gosrc.NewFunc(source(f), f.Func, f.TypeArgs, value)
}

func source(f *interp.Function) *gosrc.Source {
	return &gosrc.Source{Fset: f.Fset(), Body: f.Body, Never: f.Never, Address: f.Address}
}
