package ptx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// Volatile accesses, loads of what nothing writes and those that bypass a cache stay what they are, through the
// optimiser, kir's text and back to PTX: a volatile load is done as often as it is written, a store of another place
// stands where it stands.
func TestAccesses(t *testing.T) {
	fs, err := ptx.Parse(`.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{
	.reg .b64 %rd<4>;
	.reg .b32 %r<8>;
	ld.param.u64 %rd1, [x];
	ld.param.u64 %rd2, [y];
	ld.volatile.global.u32 %r1, [%rd1];
	ld.volatile.global.u32 %r2, [%rd1];
	ld.global.nc.v2.u32 {%r3, %r4}, [%rd2];
	add.u32 %r5, %r1, %r2;
	add.u32 %r5, %r5, %r3;
	add.u32 %r5, %r5, %r4;
	ld.global.cg.u32 %r6, [%rd2+8];
	add.u32 %r5, %r5, %r6;
	st.volatile.global.u32 [%rd1], %r5;
	ret;
}
`)
	require.NoError(t, err)
	f := opt.Optimize(fs[0])
	text := f.String()
	for _, c := range []struct {
		what  string
		times int
	}{{"load volatile global", 2}, {"load bypass global", 1}, {"load.v2 steady global", 1}, {"store volatile global", 1}} {
		assert.Equal(t, c.times, strings.Count(text, c.what), "%s in\n%s", c.what, text)
	}
	g, err := kir.Parse(text)
	require.NoError(t, err)
	assert.True(t, kir.Equal(f, g))
	assert.True(t, kir.Equal(f, back(t, f)))
	out := print(t, 75, f)
	for _, want := range []string{"ld.volatile.global.u32", "ld.global.nc.v2.u32", "ld.global.cg.u32", "st.volatile.global.u32"} {
		assert.Contains(t, out, want)
	}
}
