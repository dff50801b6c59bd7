package kernel

import (
	"context"
	"errors"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Execute runs one cell of s. Whatever way it fails in, a panic of the session included, the error is a *CellError.
func Execute(ctx context.Context, s Session, cell Cell, out Output) (b display.Bundle, err error) {
	defer func() {
		if p := recover(); p != nil {
			b, err = display.Bundle{}, internalError(p)
		}
	}()
	b, err = s.Execute(ctx, cell, out)
	if err == nil {
		return b, nil
	}
	c, ended := context.Cause(ctx).(*CellError)
	switch {
	case ended: // by something that says why
	case errors.As(err, &c):
	case ctx.Err() != nil:
		c = &CellError{Name: "Interrupted", Value: "the cell was interrupted; its variables are kept"}
	default:
		c = &CellError{Name: "SessionError", Value: err.Error()}
	}
	return display.Bundle{}, c
}
