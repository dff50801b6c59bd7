package frames

import "github.com/arrayrepl/arrayrepl/arrays"

// asks asks in every 16,384th row whether to go on, as package arrays does; it panics where not. Loops over rows call
// it for each.
func asks(row int) {
	if row&(1<<14-1) == 0 {
		arrays.Wiring{}.Poll()
	}
}
