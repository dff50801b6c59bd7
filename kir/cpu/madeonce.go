package cpu

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// madeOnce holds values that are made once each, by whoever asks first, while others wait. What an interrupt has
// prevented is made again.
type madeOnce[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]*onceValue[V]
}

type onceValue[V any] struct {
	once  sync.Once
	value V
	err   error
	made  atomic.Bool // value is there
}

// get returns the value of a key, which create makes if there is none.
func (m *madeOnce[K, V]) get(ctx context.Context, key K, create func() (V, error)) (V, error) {
	for {
		v := m.of(key)
		v.once.Do(func() {
			v.value, v.err = create()
			v.made.Store(v.err == nil)
		})
		if v.err == nil || !errors.Is(v.err, context.Canceled) && !errors.Is(v.err, context.DeadlineExceeded) {
			return v.value, v.err
		}
		m.mu.Lock() // who made it was interrupted
		if m.values[key] == v {
			delete(m.values, key)
		}
		m.mu.Unlock()
		if err := ctx.Err(); err != nil {
			var none V
			return none, err
		}
	}
}

func (m *madeOnce[K, V]) of(key K) *onceValue[V] {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := m.values[key]
	if v == nil {
		if m.values == nil {
			m.values = map[K]*onceValue[V]{}
		}
		v = new(onceValue[V])
		m.values[key] = v
	}
	return v
}

// drop forgets the value of a key. Who has it keeps it.
func (m *madeOnce[K, V]) drop(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, key)
}

// sum adds up what of says of the values that are made.
func (m *madeOnce[K, V]) sum(of func(V) int64) (n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range m.values {
		if v.made.Load() {
			n += of(v.value)
		}
	}
	return n
}
