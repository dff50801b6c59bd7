package cpu

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// madeOnce holds values that are made once each, by whoever asks first, while others wait. What an interrupt has
// prevented is made again.
type madeOnce[K comparable, V any] struct {
	most int // that are kept, of those asked for last; 0: all

	mu     sync.Mutex
	values map[K]*onceValue[V]
	recent []K // the last asked for at the end
}

type onceValue[V any] struct {
	once  sync.Once
	value V
	err   error
}

// get returns the value of a key, which create makes if there is none.
func (m *madeOnce[K, V]) get(ctx context.Context, key K, create func() (V, error)) (V, error) {
	for {
		v := m.of(key)
		v.once.Do(func() { v.value, v.err = create() })
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
	if m.most > 0 {
		m.recent = append(slices.DeleteFunc(m.recent, func(k K) bool { return k == key }), key)
		if len(m.recent) > m.most {
			delete(m.values, m.recent[0])
			m.recent = slices.Delete(m.recent, 0, 1)
		}
	}
	return v
}
