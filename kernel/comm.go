package kernel

import "context"

// commRequest is the content of the comm messages.
type commRequest struct {
	ID     string         `json:"comm_id"`
	Target string         `json:"target_name"`
	Data   map[string]any `json:"data"`
}

// commInfo answers with the open comms.
func (k *kernel) commInfo(r *request) (any, error) {
	var q commRequest
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	open := object{}
	for id, target := range k.session.comms(q.Target) {
		open[id] = object{"target_name": target}
	}
	return object{"status": "ok", "comms": open}, nil
}

// comm hands on what a client sends to a comm: what that shows is published as an answer to it. These messages have no
// reply that could carry an error.
func (k *kernel) comm(r *request) (any, error) {
	var q commRequest
	if err := r.decode(&q); err != nil {
		k.logf("%v", err)
		return nil, nil
	}
	ctx, cancel := context.WithCancel(k.ctx)
	defer cancel()
	out := newCellOutput(ctx, k, r)
	if r.queue == k.comms {
		k.beginBeside(out, cancel)
	} else {
		k.beginCell(out, cancel)
	}
	defer k.endCell(out)
	err := k.session.comm(ctx, r.header.Type, q, out)
	out.sync()
	if err != nil {
		k.publish("error", r.rawHeader, failureOf(err))
	}
	return nil, nil
}
