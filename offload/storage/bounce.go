package storage

import (
	"errors"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/poison"
)

// bounceBytes is how much is read at a time by way of memory that is aligned as disks want it.
const bounceBytes = 1 << 20

// bounces are pieces of such memory.
var bounces = sync.Pool{New: func() any {
	a, err := newArena(bounceBytes)
	if err != nil {
		return err
	}
	return a
}}

// takeBounce returns one, for giveBounce.
func takeBounce() (*arena, error) {
	switch b := bounces.Get().(type) {
	case *arena:
		return b, nil
	case error:
		return nil, b
	}
	return nil, errors.New("there is no memory to read files by")
}

func giveBounce(b *arena) {
	poison.Fill(b.bytes)
	bounces.Put(b)
}
