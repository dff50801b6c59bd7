// Package syntax makes of a cell's text a tree that the checker of Go takes: it needs no types and no session.
//
// The way of a text: [Split] finds imports, declarations and statements; [Parse] lays them out as a Go file and parses
// that, with positions as in the cell; [Lower] turns top-level variables into package variables, marks the last
// expression for display, and puts polls into loops and functions, so that they can be stopped. [Tree] is the result,
// [Source] knows where in the cell things are. What is wrong with a text is a cellerror.Diagnostic with its place.
package syntax
