package kernel

import (
	"context"
	"encoding/base64"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

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
	putBuffers(q.Data, r.buffers)
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

// putBuffers puts the frames that follow a comm message into its state, at the places that its buffer_paths name, as
// {"base64": text}: files that were uploaded come so. Paths that lead nowhere are left out.
func putBuffers(data map[string]any, buffers zmtp.Message) {
	paths, _ := data["buffer_paths"].([]any)
	for i, p := range paths {
		path, _ := p.([]any)
		if i >= len(buffers) || len(path) == 0 {
			continue
		}
		var at any = data["state"]
		for _, step := range path[:len(path)-1] {
			at = within(at, step)
		}
		value := map[string]any{"base64": base64.StdEncoding.EncodeToString(buffers[i])}
		last := path[len(path)-1]
		switch at := at.(type) {
		case map[string]any:
			if name, ok := last.(string); ok {
				at[name] = value
			}
		case []any:
			if n, ok := last.(float64); ok && n >= 0 && int(n) < len(at) {
				at[int(n)] = value
			}
		}
	}
}

// within is what an object has under a name, or a list at a place; nil for neither.
func within(at, step any) any {
	switch at := at.(type) {
	case map[string]any:
		if name, ok := step.(string); ok {
			return at[name]
		}
	case []any:
		if n, ok := step.(float64); ok && n >= 0 && int(n) < len(at) {
			return at[int(n)]
		}
	}
	return nil
}
