package repl

import "testing"

func TestIsCommand(t *testing.T) {
	for src, want := range map[string]bool{
		"%help": true, " %quit ": true, "%who": false, "%help cd": false, "%save a.ipynb": true, "x?": true, "?np.Arange": true, "np.Arange??": true, "quit": true, "exit()": true,
		"help": true, "?": true, "": false, "??": false, "%": false, "% 3": false, "x": false, "'?'": false, "\"a\" + b?": false, "quitting": false, "%who\n1": false,
	} {
		if got := isCommand(src); got != want {
			t.Errorf("isCommand(%q) = %v, want %v", src, got, want)
		}
	}
}
