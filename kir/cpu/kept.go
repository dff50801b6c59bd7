package cpu

import (
	"context"
	"slices"
)

// Sized is what is made of a recording and kept with it. Bytes is how much memory it takes, about, which does not
// change.
type Sized interface{ Bytes() int64 }

// A recording and what is made of it together take so many bytes for each instruction of a warp of 32, and may take
// leastKept if that is more: tables that all launches have are worth more than a short launch.
const (
	keptPerInstruction = 24
	leastKept          = 256 << 10
)

// keptOf is a value that was derived, and its key.
type keptOf struct {
	key   string
	value Sized
}

// Derived returns what create makes of the recording for all who have the same key: once, but for those that there was
// no room for, of which the ones go first that nobody has asked for for longest. Nobody may change it.
func (r *Recording) Derived(ctx context.Context, key string, create func() (Sized, error)) (Sized, error) {
	v, err := r.derived.get(ctx, key, create)
	if err != nil {
		return v, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = slices.DeleteFunc(r.kept, func(k keptOf) bool { return k.key == key })
	r.kept = append(r.kept, keptOf{key, v})
	used, room := r.tapes.sum(func(t *Tape) int64 { return t.Bytes() }), int64(leastKept)
	for _, k := range r.kept {
		used += k.value.Bytes()
	}
	r.tapes.sum(func(t *Tape) int64 {
		instructions := int64(0)
		for _, n := range t.counts.ThreadInstructions {
			instructions += n
		}
		room = max(room, keptPerInstruction*instructions/32)
		return 0
	})
	for len(r.kept) > 0 && used > room {
		used -= r.kept[0].value.Bytes()
		r.derived.drop(r.kept[0].key)
		r.kept = r.kept[1:]
	}
	return v, nil
}
