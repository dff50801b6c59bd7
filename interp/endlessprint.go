package interp

import (
	"fmt"
	"io"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// guardedPrints are fmt's functions for values that may contain themselves. fmt would follow such a value until the stack
// overflows, which ends the process and cannot be caught: no poll is reached in compiled code.
var guardedPrints = map[string]any{
	"fmt.Print":    func(a ...any) (int, error) { return fmt.Print(finite(a)...) },
	"fmt.Println":  func(a ...any) (int, error) { return fmt.Println(finite(a)...) },
	"fmt.Printf":   func(f string, a ...any) (int, error) { return fmt.Printf(f, finite(a)...) },
	"fmt.Sprint":   func(a ...any) string { return fmt.Sprint(finite(a)...) },
	"fmt.Sprintln": func(a ...any) string { return fmt.Sprintln(finite(a)...) },
	"fmt.Sprintf":  func(f string, a ...any) string { return fmt.Sprintf(f, finite(a)...) },
	"fmt.Errorf":   func(f string, a ...any) error { return fmt.Errorf(f, finite(a)...) },
	"fmt.Fprint":   func(w io.Writer, a ...any) (int, error) { return fmt.Fprint(w, finite(a)...) },
	"fmt.Fprintln": func(w io.Writer, a ...any) (int, error) { return fmt.Fprintln(w, finite(a)...) },
	"fmt.Fprintf":  func(w io.Writer, f string, a ...any) (int, error) { return fmt.Fprintf(w, f, finite(a)...) },
}

// finite returns args, and panics when one of them has no end.
func finite(args []any) []any {
	for _, a := range args {
		if display.Endless(a) {
			panic(fmt.Errorf("a value of type %T contains itself: its text has no end", a))
		}
	}
	return args
}
