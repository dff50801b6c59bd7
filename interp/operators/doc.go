// Package operators lets cells write y := 2*x + np.Sin(x) and x[mask] = 0 on arrays. It turns such expressions into the
// calls that plain Go has for them, on the syntax tree between two runs of the type checker: [Operators.Parse] reads
// the index expressions that Go's parser refuses, [Operators.Rewrite] replaces what the checker has found to work on
// arrays.
//
// What is left is Go. Nothing is replaced whose operands are not arrays, so that a cell without arrays comes out as it
// was, and ordinary operators on ordinary values keep their meaning.
//
// The package knows arrays by the names of their types alone and must not import them. It knows nothing of sessions.
package operators
