package engine

import "go/types"

// Renewer is an engine that can give methods to types whose values live.
type Renewer interface {
	// Renew makes new run-time types for changed, whose methods are others than before, and for all types that are made
	// of them, and gives them to vars, before the cell is compiled that has the methods.
	Renew(changed []types.Type, vars []*Var) (Renewal, error)
}

// Renewal is a change of run-time types. Either Finish or Undo ends it.
type Renewal interface {
	Types() []types.Type // whose methods the cell must bring
	// Finish is called when the cell is compiled: the types get their methods and, when no goroutine of a cell is busy
	// with them, values in interfaces their types.
	Finish(code Code, busy bool)
	Undo()
}
