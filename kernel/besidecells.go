package kernel

import "encoding/json"

// Jupyter's kernels answer comm messages in the order of the shell's requests: what a widget sends while a cell runs
// waits for the cell's end. Notebooks of some kernels wait in a cell for what a widget sends, or the page: for them
// such messages have a queue of their own, and what they call runs beside the cells.

// workComms answers the comm messages that do not wait for cells.
func (k *kernel) workComms() {
	for r := k.comms.pop(k.ctx); r != nil; r = k.comms.pop(k.ctx) {
		k.handle(r, shellHandlers)
		k.busyAgain()
	}
}

// busyAgain says again that the kernel works on the running cells: clients take the end of a comm message for the
// kernel's.
func (k *kernel) busyAgain() {
	k.cellMu.Lock() // a cell that is told to be busy is told to be idle afterwards
	defer k.cellMu.Unlock()
	for out := range k.cells {
		if m := k.publication("status", out.header, nil, json.RawMessage(`{"execution_state":"busy"}`)); m != nil {
			k.iopub.PublishNow(m)
		}
	}
}
