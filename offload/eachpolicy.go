package offload

import (
	"errors"
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/placement"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Policies returns the names that [Policy] takes.
func Policies() []string { return placement.Names() }

// EachPolicy runs a program under each of the named policies, with a threshold of a tenth, or under all but
// "exhaustive" where none is named, and returns the traces of what it evaluated. The program makes its arrays each
// time, and evaluates what it wants to see the placement of: what has been computed before it begins is where it is.
// The policy is what it was afterwards. EachPolicy panics where there is no policy of a name, where the program
// evaluates nothing, and as the program does.
//
//	viz.Policies(offload.EachPolicy(func() { np.Eval(f(x)) }))
func EachPolicy(program func(), names ...string) []trace.Program {
	rt := Default()
	if rt == nil {
		panic(errors.New("offload.EachPolicy: there is no runtime"))
	}
	if len(names) == 0 {
		names = Policies()[:len(Policies())-1]
	}
	var policies []placement.Policy
	for _, name := range names {
		p, err := placement.Named(name, 0.1)
		if err != nil {
			panic(fmt.Errorf("offload.EachPolicy: %w", err))
		}
		policies = append(policies, p)
	}
	before := rt.Placement()
	defer rt.SetPlacement(before)
	var out []trace.Program
	for _, p := range policies {
		rt.SetPlacement(p)
		logs := rt.logsOf(program)
		if len(logs) == 0 {
			panic(errors.New("offload.EachPolicy: the program evaluated nothing: let it make its arrays, and call np.Eval"))
		}
		out = append(out, trace.Program{Name: p.Name(), Logs: logs})
	}
	return out
}

// logsOf returns the traces of what f evaluates.
func (rt *Runtime) logsOf(f func()) (logs []*trace.Log) {
	hear := func(to *[]*trace.Log) (before *[]*trace.Log) {
		rt.take()
		defer rt.release()
		before, rt.heard = rt.heard, to
		return before
	}
	before := hear(&logs)
	defer hear(before)
	f()
	return logs
}
