package tests

import (
	"errors"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/arrayrepl/arrayrepl/viz"
)

// A card's driver tells less of a kernel than a simulated GPU knows. Charts draw what is there; those that lack
// everything say what they need.
func TestChartsOfACard(t *testing.T) {
	if _, err := testdevices.Driver(); errors.Is(err, fake.ErrNone) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	testdevices.Use(t)
	lazy.Use("cuda:0")
	x := lazy.Linspace(0, 1, 20_000)
	lazy.Eval(x)
	x.Mul(3).Sin().Mul(x).Sum().Array()
	log := trace.Last()
	if len(log.Kernels()) == 0 || log.Kernels()[0].Device != "cuda:0" {
		t.Fatalf("kernels %+v", log.Kernels())
	}
	for name, draw := range map[string]func(...*trace.Log) *viz.Chart{
		"timeline": viz.Timeline, "breakdown": viz.Breakdown, "memory": viz.Memory, "task graph": viz.TaskGraph, "transfers": viz.Transfers, "transfer map": viz.TransferMap,
	} {
		c := ok(t, draw(log))
		if svg := c.SVG(); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: the picture has numbers that are none", name)
		}
	}
	for name, draw := range map[string]func(...*trace.Log) *viz.Chart{
		"occupancy": viz.Occupancy, "occupancy by SM": viz.OccupancyBySM, "stalls": viz.Stalls, "gantt": viz.Gantt,
		"source": viz.Source, "reconvergence": viz.Reconvergence, "roofline": viz.Roofline,
	} {
		c := draw(log)
		t.Logf("%s: %v, %q", name, c.Err, c.Notes)
		if c.Err == nil {
			t.Errorf("%s draws what no driver knows:\n%s", name, c)
		} else if !strings.Contains(c.Err.Error(), "simulated") {
			t.Errorf("%s does not say what it needs: %v", name, c.Err)
		}
	}
}
