//go:build !portable

package vector

func tapeCode(name string) uintptr {
	if i, known := tapeNames[name]; known && hasAVX512 {
		return tapeCodes[i]
	}
	return 0
}

func (t *Tape) run(rounds int) { runTape(&t.Ops[0], &t.Places[0], &t.Steps[0], len(t.Places), rounds) }
