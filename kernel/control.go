package kernel

import "context"

// setInterrupt says how to interrupt the running cell, nil when none runs.
func (k *kernel) setInterrupt(cancel context.CancelFunc) {
	k.cellMu.Lock()
	defer k.cellMu.Unlock()
	k.interrupt = cancel
}

// interruptCell interrupts the running cell. Between cells it does nothing.
func (k *kernel) interruptCell() {
	k.cellMu.Lock()
	defer k.cellMu.Unlock()
	if k.interrupt != nil {
		k.interrupt()
	}
}

func (k *kernel) interruptRequest(*request) (any, error) {
	k.interruptCell()
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
	k.publish("shutdown_reply", r.rawHeader, content)
	return content, nil
}
