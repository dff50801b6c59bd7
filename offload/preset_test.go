package offload

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPresets(t *testing.T) {
	rt := simulated(t, "sim:v100")
	before := Default()
	SetDefault(rt)
	defer func() { Preset("default"); SetDefault(before) }()
	for name, want := range map[string]struct {
		policy  string
		tiling  tiling
		trigger *Trigger
	}{
		"bach":    {"estimator", tiling{most: 1}, nil},
		"grcuda":  {"min-max-transfer-time", tiling{most: 1, whole: true}, &Trigger{Tasks: 10_000}},
		"legate":  {"key-affinity", tiling{form: Balanced}, &Trigger{Tasks: 1000, Bytes: 1 << 30}},
		"default": {"earliest-finish", tiling{}, nil},
	} {
		rt.Paging(false)
		Preset(name)
		assert.Equal(t, want.policy, rt.Placement().Name(), name)
		assert.Equal(t, want.tiling, rt.tiling, name)
		assert.Equal(t, want.trigger, Triggered(), name)
		assert.True(t, rt.paging, name)
	}
	Preset("legate")
	func() {
		defer func() {
			require.Contains(t, fmt.Sprint(recover()), `there is no preset "fast"; there are default, bach, grcuda, legate`)
		}()
		Preset("fast")
	}()
	assert.Equal(t, "key-affinity", rt.Placement().Name(), "nothing has changed")
	assert.Contains(t, Policies(), "exhaustive")
}
