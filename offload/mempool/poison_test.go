package mempool

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/poison"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Who keeps pinned memory that came back finds nothing of what was in it, unless something still copies from it.
func TestPinnedMemoryThatCameBackIsPoisoned(t *testing.T) {
	defer poison.Set(poison.Set(true))
	h := &hostPinner{fake: newFake(t, mib), pinned: map[*byte]int{}}
	p := NewPinned(h, 4*mib)
	b := p.Alloc(mib)
	require.NotNil(t, b)
	kept := b.Bytes
	kept[5] = 7
	p.Free(b)
	assert.Equal(t, bytes.Repeat([]byte{255}, mib), kept)

	copied := p.Alloc(mib)
	copied.Bytes[5] = 7
	under := &event{}
	copied.UsedBy(under)
	kept = copied.Bytes
	p.Free(copied)
	assert.Equal(t, byte(7), kept[5], "a copy from it is under way")
}

// sharer works in memory of the host.
type sharer struct{ *fake }

func (s *sharer) Share(b []byte) (device.Buffer, error) {
	return &memory{f: s.fake, bytes: len(b)}, nil
}
func (s *sharer) MemoryBytes() int64 { return s.size }

// Memory of the host is poisoned as it comes back, and is so when it is given out.
func TestMemoryOfTheHostIsPoisoned(t *testing.T) {
	defer poison.Set(poison.Set(true))
	p := New(&sharer{newFake(t, 16*mib)}, Options{})
	b, err := p.Alloc(mib, nil)
	require.NoError(t, err)
	assert.False(t, bytes.Contains(b.Host, []byte{0}), "what a new block has is not defined")
	kept := b.Host
	clear(kept)
	require.NoError(t, p.Free(b, nil, nil))
	assert.False(t, bytes.Contains(kept, []byte{0}))
}
