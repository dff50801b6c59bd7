package kernel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

var errNoInput = errors.New("the client that runs this cell allows no questions (allow_stdin is false): it cannot read from standard input")

// Input asks the client that runs the cell for a line.
func (o *cellOutput) Input(prompt string, password bool) (string, error) {
	if !o.allowInput {
		return "", errNoInput
	}
	k := o.k
	k.inputMu.Lock()
	defer k.inputMu.Unlock()
	o.sync() // what leads to the question is to be read first
	select {
	case <-k.inputs: // an answer to a question that was interrupted
	default:
	}
	m, err := k.wire.encode("input_request", o.header, nil, object{"prompt": prompt, "password": password})
	if err != nil {
		return "", err
	}
	if err := k.ask(o.ctx, o.peer, append(o.route[:len(o.route):len(o.route)], m...)); err != nil {
		return "", err
	}
	select {
	case line := <-k.inputs:
		return line, nil
	case <-o.ctx.Done():
		return "", fmt.Errorf("waiting for input: %w", o.ctx.Err())
	}
}

// ask sends a question to the stdin socket of the client. A client opens its sockets at about the same time, so that
// stdin may come a moment after the request that needs it.
func (k *kernel) ask(ctx context.Context, peer string, m zmtp.Message) (err error) {
	for range 40 {
		if err = k.stdin.Send(peer, m); err == nil {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("the client that runs this cell has opened no stdin channel: it cannot be asked for input")
}

// inputReply takes what came on the stdin socket.
func (k *kernel) inputReply(r *request) {
	var q struct {
		Value string `json:"value"`
	}
	if r.header.Type != "input_reply" {
		k.logf("a message of unknown type %.40q on stdin was ignored", r.header.Type)
		return
	}
	if err := r.decode(&q); err != nil {
		k.logf("%v", err)
		return
	}
	select {
	case k.inputs <- q.Value:
	default: // nobody has asked
	}
}
