package kernel

import (
	"context"

	"github.com/arrayrepl/arrayrepl/kernel/widgets"
)

// Caller is a Session that can run a function as it runs a cell: interrupted, and with its panics taken. What a client sends
// to widgets is answered so.
type Caller interface {
	Call(ctx context.Context, f func()) error
}

// commRequest is the content of the comm messages.
type commRequest struct {
	ID     string         `json:"comm_id"`
	Target string         `json:"target_name"`
	Data   map[string]any `json:"data"`
}

// SendComm makes the kernel the widgets.Sender of the process.
func (k *kernel) SendComm(msgType string, content, metadata map[string]any) {
	o := k.out.Load()
	o.sync()
	k.publishWith(msgType, o.parent(), metadata, content)
}

// ParentID is the id of the running request.
func (k *kernel) ParentID() string {
	if o := k.out.Load(); o.req != nil {
		return o.req.header.ID
	}
	return ""
}

// commInfo answers with the open comms.
func (k *kernel) commInfo(r *request) (any, error) {
	var q commRequest
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	open := object{}
	for id, target := range widgets.List(q.Target) {
		open[id] = object{"target_name": target}
	}
	return object{"status": "ok", "comms": open}, nil
}

// commOpen hands on a comm that a client opens, and closes it when nobody knows its target, as the protocol asks.
func (k *kernel) commOpen(r *request) (any, error) {
	return k.comm(r, func(q commRequest) {
		if !widgets.Opened(q.ID, q.Target, q.Data) {
			k.publish("comm_close", r.rawHeader, object{"comm_id": q.ID, "data": object{}})
		}
	})
}

// commMsg hands on what a client sends; to a comm that is not open it is dropped.
func (k *kernel) commMsg(r *request) (any, error) {
	return k.comm(r, func(q commRequest) { widgets.Received(q.ID, q.Data) })
}

func (k *kernel) commClose(r *request) (any, error) {
	return k.comm(r, func(q commRequest) { widgets.Closed(q.ID) })
}

// comm runs f on behalf of a comm message: what it shows is published as an answer to that. These messages have no reply
// that could carry an error.
func (k *kernel) comm(r *request, f func(commRequest)) (any, error) {
	var q commRequest
	if err := r.decode(&q); err != nil {
		k.logf("%v", err)
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(k.ctx)
	defer cancel(nil)
	out := &cellOutput{k: k, req: r, ctx: ctx, cancel: cancel}
	k.out.Store(out)
	k.setInterrupt(func() { cancel(nil) })
	defer k.setInterrupt(nil)
	defer out.sync()
	call, ok := k.session.(Caller)
	if _, open := widgets.List("")[q.ID]; !ok || !open {
		f(q)
		return nil, nil
	}
	if err := call.Call(ctx, func() { f(q) }); err != nil {
		k.publish("error", r.rawHeader, failureOf(err))
	}
	return nil, nil
}
