// Package comms has channels of what widgets send.
package comms

import (
	"fmt"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/gonb/gonbui/protocol"
)

// In GoNB the page's own JavaScript can send values to cells and get values from them, by a socket that the kernel puts
// into the page. Here widgets alone send.
const noScripts = "in GoNB, JavaScript in the page can send to this address and listen to it; here there is no such channel: " +
	"package widgets has controls that call Go, and display.JavaScript runs a script with what it needs written into it"

var (
	mu      sync.Mutex
	widgets = map[string][]func(value any) bool{} // those who listen, by the widget's address; false ends it
)

// Start has nothing to start.
func Start() {}

// Send fails: see noScripts.
func Send[T protocol.CommValueTypes](address string, value T) {
	panic(fmt.Errorf("comms.Send(%q): %s", address, noScripts))
}

// ReadValue fails: see noScripts.
func ReadValue[T protocol.CommValueTypes](address string) (value T) {
	panic(fmt.Errorf("comms.ReadValue(%q): %s", address, noScripts))
}

// AddWidget makes address that of a widget.
func AddWidget(address string) {
	mu.Lock()
	defer mu.Unlock()
	widgets[address] = []func(any) bool{}
}

// FromWidget hands on what the widget with the address sends.
func FromWidget(address string, value any) {
	mu.Lock()
	list := widgets[address]
	mu.Unlock()
	var still []func(any) bool
	for _, f := range list {
		if f(value) {
			still = append(still, f)
		}
	}
	mu.Lock()
	widgets[address] = append(still, widgets[address][len(list):]...)
	mu.Unlock()
}

// SubscriptionId names a subscription.
type SubscriptionId int

var (
	next    SubscriptionId
	removed = map[SubscriptionId]bool{}
)

// Subscribe calls callback with what the widget of the address sends.
func Subscribe[T protocol.CommValueTypes](address string, callback func(address string, value T)) SubscriptionId {
	mu.Lock()
	defer mu.Unlock()
	if widgets[address] == nil {
		panic(fmt.Errorf("comms: no widget has the address %q: %s", address, noScripts))
	}
	next++
	id := next
	widgets[address] = append(widgets[address], func(value any) bool {
		mu.Lock()
		gone := removed[id]
		mu.Unlock()
		if v, ok := value.(T); ok && !gone {
			callback(address, v)
		}
		return !gone
	})
	return id
}

// Unsubscribe ends a subscription.
func Unsubscribe(id SubscriptionId) {
	mu.Lock()
	defer mu.Unlock()
	removed[id] = true
}

// AddressChan is a channel of what a widget sends.
type AddressChan[T protocol.CommValueTypes] struct {
	C chan T

	mu     sync.Mutex
	closed bool
	done   chan struct{}
	id     SubscriptionId
}

// Listen returns a channel of what the widget of the address sends. Under the name gonb it comes while the cell runs.
// Under another it comes when the cell that shows the widget has ended: receive from the channel in a goroutine, which
// goes on after the cell.
func Listen[T protocol.CommValueTypes](address string) *AddressChan[T] {
	c := &AddressChan[T]{C: make(chan T, 16), done: make(chan struct{})}
	c.id = Subscribe(address, func(_ string, value T) { c.send(value) })
	return c
}

// send keeps the latest values when nobody receives them.
func (c *AddressChan[T]) send(value T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.closed {
		select {
		case c.C <- value:
			return
		default:
		}
		select {
		case <-c.C:
		default:
		}
	}
}

// WithBuffer gives the channel a buffer of n values, of one at least.
func (c *AddressChan[T]) WithBuffer(n int) *AddressChan[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.C = make(chan T, max(n, 1))
	return c
}

// LatestOnly makes the channel keep the latest value alone.
func (c *AddressChan[T]) LatestOnly() *AddressChan[T] { return c.WithBuffer(1) }

// IsClosed reports whether the channel is closed.
func (c *AddressChan[T]) IsClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// Close closes the channel.
func (c *AddressChan[T]) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.C)
		close(c.done)
		Unsubscribe(c.id)
	}
}

// WaitClose returns when the channel is closed.
func (c *AddressChan[T]) WaitClose() { <-c.done }
