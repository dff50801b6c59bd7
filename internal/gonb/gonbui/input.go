package gonbui

import (
	"os"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// RequestInput asks the person in front of the notebook for a line, which the cell reads next from os.Stdin, as by
// fmt.Scan. It panics where nobody can be asked.
func RequestInput(prompt string, password bool) {
	ask := display.Input
	if password {
		ask = display.Password
	}
	line, err := ask(prompt)
	check(err)
	r, w, err := os.Pipe()
	check(err)
	go func() {
		w.WriteString(line + "\n")
		w.Close()
	}()
	os.Stdin = r
}
