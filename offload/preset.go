package offload

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/placement"
)

// preset is settings that belong together.
type preset struct {
	name    string
	policy  placement.Policy
	tiling  tiling
	trigger Trigger
}

// usual is what a runtime begins with.
var usual = preset{name: "default", policy: placement.EarliestFinish{Threshold: 0.1}}

var presets = []preset{
	usual,
	{name: "bach", policy: placement.Estimator{}, tiling: tiling{most: 1}},
	{name: "grcuda", policy: placement.MinMaxTransferTime{Threshold: 0.1}, tiling: tiling{most: 1, whole: true}, trigger: Trigger{Tasks: 10_000}},
	{name: "legate", policy: placement.KeyAffinity{}, tiling: tiling{form: Balanced}, trigger: Trigger{Tasks: 1000, Bytes: 1 << 30}},
}

// Preset makes policy, tiles and trigger those of a published system, with paging on:
//
//	offload.Preset("bach")    // whole arrays, each operation where computing and copying cost least, on display
//	offload.Preset("grcuda")  // whole arrays, the shortest copies at worst; up to 10,000 kernels wait
//	offload.Preset("legate")  // balanced tiles, where most of the largest array is; up to 1,000 operations or 1 GB wait
//	offload.Preset("default") // as at first
//
// In GrCUDA each kernel is placed at the call and runs as soon as it can; here kernels that wait together are placed in
// the order of their calls, each without regard to those behind it, which comes to the same places. Preset panics on
// another name.
func Preset(name string) {
	var names []string
	for _, p := range presets {
		if p.name != name {
			names = append(names, p.name)
			continue
		}
		SetTrigger(p.trigger)
		if rt := Default(); rt != nil {
			rt.SetPlacement(p.policy)
			rt.setTiles(func(t *tiling) { *t = p.tiling })
			rt.Paging(true)
		}
		return
	}
	panic(fmt.Errorf("offload.Preset: there is no preset %q; there are %s", name, strings.Join(names, ", ")))
}
