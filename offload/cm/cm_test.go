package cm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/cm"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Times of the paper, section by section, at 65,536 processors; a quarter of them takes four times as long.
func TestPublishedTimes(t *testing.T) {
	whole, ok := cm.Named("cm:1986")
	require.True(t, ok)
	quarter, ok := cm.Named("cm:1986-16k")
	require.True(t, ok)
	for kind, want := range map[cm.Kind]trace.Time{cm.Context: 1, cm.Reduce: 200, cm.Scan: 200, cm.Send: 340, cm.Exchange: 220} {
		s := cm.Step{Kind: kind, Size: 65536, Bits: 32}
		require.Equal(t, want*trace.Microsecond, whole.Price(s), kind)
		require.Equal(t, 4*want*trace.Microsecond, quarter.Price(s), kind)
	}
	require.Equal(t, 32*trace.Microsecond, whole.Price(cm.Step{Kind: cm.Compute, Size: 1, Bits: 32}))
	require.Equal(t, 1024*trace.Microsecond, whole.Price(cm.Step{Kind: cm.Multiply, Size: 65536, Bits: 32}))
	require.Equal(t, 32*trace.Microsecond, quarter.Price(cm.Step{Kind: cm.Front, Size: 65536, Bits: 32}))
	require.Zero(t, whole.Price(cm.Step{Kind: cm.Scan}))
	require.EqualValues(t, 32<<20, whole.Bytes())
	require.Equal(t, []int{1, 1, 2}, []int{whole.Ratio(1), whole.Ratio(65536), whole.Ratio(65537)})
}

// The memory of all processors is all that there is.
func TestMemory(t *testing.T) {
	r := device.Offered() // of every program that imports the package
	d, err := r.Get("cm:1986-16k")
	require.NoError(t, err)
	require.Equal(t, "cm:1986-16k", d.ID())
	b, err := d.Alloc(8 << 20)
	require.NoError(t, err)
	_, err = d.Alloc(1)
	require.ErrorIs(t, err, device.ErrOutOfMemory)
	require.ErrorContains(t, err, "cm:1986-16k is out of memory")
	require.NoError(t, b.Free())
	require.Contains(t, d.Properties().Name, "16384 processors of 4096 bits")
	require.NoError(t, d.Close())
}
