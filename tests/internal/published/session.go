package published

import (
	"context"
	"fmt"
	"strconv"

	"github.com/arrayrepl/arrayrepl/interp"
	cellkernels "github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Session runs cells one after the other.
type Session struct {
	*interp.Session
	cells int
}

// New returns a session in which the kernels are declared. It is to be closed.
func New() (*Session, error) {
	symbols.Register()
	in, err := interp.New(interp.Options{Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays(), Functions: cellkernels.Functions{}})
	if err != nil {
		return nil, err
	}
	s := &Session{Session: in}
	if _, err := s.Cell(Kernels); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Cell runs a cell, and returns the text that it shows.
func (s *Session) Cell(src string) (string, error) {
	s.cells++
	shown, err := s.Run(context.Background(), s.cells, src)
	if err != nil {
		return "", fmt.Errorf("%w\nin the cell\n%s", err, src)
	}
	text, _ := shown.Data[display.TypeText].(string)
	return text, nil
}

// Float runs a cell that shows a number.
func (s *Session) Float(src string) (float64, error) {
	text, err := s.Cell(src)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}
