package kernel

import "context"

// beginCell makes out that of a running cell, which interrupt ends.
func (k *kernel) beginCell(out *cellOutput, interrupt context.CancelFunc) {
	k.out.Store(out)
	k.beginBeside(out, interrupt)
}

// beginBeside is beginCell for what runs beside cells: text of unknown origin stays theirs.
func (k *kernel) beginBeside(out *cellOutput, interrupt context.CancelFunc) {
	k.cellMu.Lock()
	defer k.cellMu.Unlock()
	k.cells[out] = interrupt
}

func (k *kernel) endCell(out *cellOutput) {
	k.cellMu.Lock()
	defer k.cellMu.Unlock()
	delete(k.cells, out)
}

// interruptCells interrupts the running cells, those of subshells too, as ipykernel does. Between cells it does
// nothing.
func (k *kernel) interruptCells() {
	k.iopub.Hurry() // a cell ends when its output is on the way
	k.cellMu.Lock()
	defer k.cellMu.Unlock()
	for _, interrupt := range k.cells {
		interrupt()
	}
}

func (k *kernel) interruptRequest(*request) (any, error) {
	k.interruptCells()
	return object{"status": "ok"}, nil
}

// shutdown ends the kernel when its reply is sent. With restart the client starts the next process itself. The reply is
// also published, for the other clients.
func (k *kernel) shutdown(r *request) (any, error) {
	var q struct {
		Restart bool `json:"restart"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	r.after = k.stop
	content := object{"status": "ok", "restart": q.Restart}
	k.publishFor(r, "shutdown_reply", content)
	return content, nil
}
