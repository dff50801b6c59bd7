package display

import (
	"slices"
	"strings"
	"sync"
)

// Captured is what a cell below %%capture has written and displayed, in the place of its output. It shows itself as the
// cell would have.
type Captured struct {
	Stdout, Stderr string
	Outputs        []Bundle // what was displayed, and the last value
}

// MIMEBundle shows what was captured.
func (c *Captured) MIMEBundle() Bundle {
	var parts []any
	for _, text := range []string{c.Stdout, c.Stderr} {
		if text != "" {
			parts = append(parts, strings.TrimSuffix(text, "\n"))
		}
	}
	for _, b := range c.Outputs {
		parts = append(parts, b)
	}
	if len(parts) == 0 {
		return Text("nothing was captured")
	}
	return Column(parts...)
}

// Intercept gives f what is displayed until stop is called, in the place of the running cell's output. Of what has an
// id and is shown again, the last remains.
func Intercept(f func(outputs []Bundle)) (stop func()) {
	to := &interceptor{was: current()}
	SetPublisher(to)
	return func() {
		SetPublisher(to.was)
		to.mu.Lock()
		defer to.mu.Unlock()
		f(to.outputs)
	}
}

// interceptor is a Rewriter that keeps outputs.
type interceptor struct {
	was Publisher

	mu      sync.Mutex
	outputs []Bundle
	ids     []string // of outputs
	wait    bool     // the next output comes in the place of all
}

// Publish implements Publisher.
func (i *interceptor) Publish(b Bundle) { i.PublishAs("", b) }

// PublishAs implements Rewriter.
func (i *interceptor) PublishAs(id string, b Bundle) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.wait {
		i.outputs, i.ids, i.wait = nil, nil, false
	}
	i.outputs, i.ids = append(i.outputs, b), append(i.ids, id)
}

// Replace implements Rewriter: what an earlier cell has shown under the id changes there.
func (i *interceptor) Replace(id string, b Bundle) {
	i.mu.Lock()
	found := slices.Contains(i.ids, id)
	for at, have := range i.ids {
		if have == id {
			i.outputs[at] = b
		}
	}
	i.mu.Unlock()
	if r, ok := i.was.(Rewriter); ok && !found {
		r.Replace(id, b)
	}
}

// Clear implements Rewriter.
func (i *interceptor) Clear(wait bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.wait = wait; !wait {
		i.outputs, i.ids = nil, nil
	}
}

// Input implements Asker: questions are asked all the same.
func (i *interceptor) Input(prompt string, password bool) (string, error) {
	if p, ok := i.was.(Asker); ok {
		return p.Input(prompt, password)
	}
	return "", ErrNoInput
}

var lastCaptured struct {
	sync.Mutex
	c *Captured
}

// SetCaptured keeps what a cell has written, for [LastCaptured].
func SetCaptured(c *Captured) {
	lastCaptured.Lock()
	defer lastCaptured.Unlock()
	lastCaptured.c = c
}

// LastCaptured is what %%capture has captured last, nil before the first.
func LastCaptured() *Captured {
	lastCaptured.Lock()
	defer lastCaptured.Unlock()
	return lastCaptured.c
}
