package trace

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the Trace Event Format asks for: complete events ("X") have a time and a duration in microseconds and belong to
// a process and a thread that metadata ("M") name.
func TestWriteChromeIsValidJSONWithAllEvents(t *testing.T) {
	l := &Log{}
	l.Add(Event{Name: "a <b>", Kind: Kernel, Device: "sim:v100#0", Stream: 1, Start: 1500 * Nanosecond, End: 4 * Microsecond, Modelled: true, Stats: &KernelStats{Grid: [3]int{7, 1, 1}}})
	l.Add(Event{Kind: CopyIn, Device: "sim:v100#0", Start: 0, End: 250 * Nanosecond, Modelled: true, Bytes: 4096, InUse: 8192, Memory: 1 << 30})
	l.Add(Event{Name: "plan", Kind: Overhead, Start: 0, End: 2 * Millisecond})
	var b bytes.Buffer
	require.NoError(t, l.WriteChrome(&b))
	var got struct {
		TraceEvents []struct {
			Name, Cat, Ph string
			Ts, Dur       *float64
			Pid, Tid      *int
			Args          map[string]any
		}
	}
	d := json.NewDecoder(&b)
	var whole map[string]json.RawMessage
	require.NoError(t, d.Decode(&whole))
	require.NoError(t, json.Unmarshal(whole["traceEvents"], &got.TraceEvents))
	process, found := map[int]any{}, map[string]bool{}
	for _, e := range got.TraceEvents {
		if e.Pid == nil || e.Tid == nil || e.Ts == nil {
			t.Fatalf("%+v lacks pid, tid or ts", e)
		}
		switch e.Ph {
		case "M":
			if e.Name == "process_name" {
				process[*e.Pid] = e.Args["name"]
			}
		case "C":
			found["memory"] = e.Args["bytes"] == 8192.0
		case "X":
			switch e.Name {
			case "a <b>":
				grid, _ := e.Args["grid"].([]any)
				found["kernel"] = *e.Ts == 1.5 && *e.Dur == 2.5 && *e.Tid == 1 && process[*e.Pid] == "sim:v100#0 (modelled)" && len(grid) == 3 && grid[0] == 7.0
			case "copy in":
				found["copy"] = *e.Ts == 0 && *e.Dur == 0.25 && e.Cat == "copy in" && e.Args["bytes"] == 4096.0
			case "plan":
				found["plan"] = *e.Dur == 2000 && process[*e.Pid] == "host (measured)"
			}
		default:
			t.Errorf("unknown phase %q", e.Ph)
		}
	}
	for _, name := range []string{"kernel", "copy", "plan", "memory"} {
		if !found[name] {
			t.Errorf("%s is not in the file as it was in the log: %s", name, whole["traceEvents"])
		}
	}
}

// An arrow leads from a copy's end to the start of the kernel that reads it, and none to work on another clock.
func TestWriteChromeHasArrows(t *testing.T) {
	l := &Log{}
	l.Add(Event{ID: 1, Kind: CopyIn, Device: "d", Stream: 2, End: 3 * Microsecond, Modelled: true})
	l.Add(Event{ID: 2, Kind: Kernel, Device: "d", Start: 5 * Microsecond, End: 6 * Microsecond, Modelled: true, After: []int{1}})
	l.Add(Event{ID: 3, Kind: Host, Device: "host", Start: 7 * Microsecond, End: 8 * Microsecond, After: []int{2}})
	var b bytes.Buffer
	require.NoError(t, l.WriteChrome(&b))
	var got struct{ TraceEvents []chromeEvent }
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	var flows []chromeEvent
	for _, e := range got.TraceEvents {
		if e.Phase == "s" || e.Phase == "f" {
			flows = append(flows, e)
		}
	}
	if len(flows) != 2 || flows[0].Phase != "s" || flows[0].Time != 2.999 || flows[0].TID != 2 || flows[1].Phase != "f" || flows[1].Time != 5 || flows[1].TID != 0 || flows[0].ID != flows[1].ID || flows[1].Bind != "e" {
		t.Errorf("arrows %+v", flows)
	}
}

func TestWriteChromeOfAnEmptyLog(t *testing.T) {
	var b bytes.Buffer
	if err := new(Log).WriteChrome(&b); err != nil || b.String() != `{"displayTimeUnit":"ns","traceEvents":[]}`+"\n" {
		t.Errorf("%v: %s", err, b.String())
	}
}
