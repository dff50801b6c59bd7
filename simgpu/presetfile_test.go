package simgpu

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Every machine is a file of changes to every other.
func TestPresetFilesHoldEveryField(t *testing.T) {
	path := filepath.Join(t.TempDir(), "machine.json")
	for _, name := range Names() {
		for _, base := range Names() {
			p, err := PresetByName(name)
			if err != nil {
				t.Fatal(err)
			}
			text, err := p.File(base)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := PresetByName("sim:" + path)
			if err != nil {
				t.Fatalf("%s from %s: %v\n%s", name, base, err, text)
			}
			if p.Name = path; p.Scheduling == nil {
				p.Scheduling = got.Scheduling // GTO, by its name
			}
			if !reflect.DeepEqual(got, p) {
				t.Errorf("%s from %s is\n%+v\n%+v\n%s", name, base, got, p, text)
			}
		}
	}
	if p, _ := PresetByName("v100x8"); p.Links[0][3] != 48e9 {
		t.Errorf("a file has changed the links of v100x8 to %v", p.Links)
	}
}

func TestAPresetFileIsAMachine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "half.json")
	if err := os.WriteFile(path, []byte(`{"Base": "sim:v100", "SMs": 40, "Scheduling": "lrr", "Coalescing": "lines", "Units": {"fp64": {"Latency": 9, "Lanes": 4}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := new(Machines).Open("sim:" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p := d.(*GPU).Preset()
	if d.ID() != "sim:"+path+"#0" || p.SMs != 40 || p.Scheduling != (LRR{}) || p.Coalescing != Lines || p.Units[UnitFP64].Latency != 9 || p.ClockMHz != 1530 {
		t.Errorf("%s: %+v", d.ID(), p)
	}
	if name := Custom(path, Full()); !strings.HasPrefix(name, "sim:"+path+"-") {
		t.Errorf("Custom makes %s of it", name)
	}
}

func TestPresetFilesSayWhatIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wrong.json")
	for _, c := range []struct{ text, says string }{
		{"", "line 1: unexpected end of JSON input"},
		{"{\n\"Base\": \"v100\",\n\"SMs\" 3}", "line 3: invalid character '3' after object key"},
		{`{"SMs": 3}`, `"Base" must name the machine that it changes, one of sim:a100`},
		{`{"Base": "v101"}`, `no simulated GPU "v101"`},
		{`{"Base": "other.json"}`, `"Base" is "other.json", must be one of`},
		{"{\"Base\": \"v100\",\n\n\"SMs\": \"many\"}", "line 3: SMs cannot be a string"},
		{`{"Base": "v100", "Sms ": 3}`, `unknown field "Sms "`},
		{`{"Base": "v100", "Name": "tiny"}`, `unknown field "Name"`},
		{`{"Base": "v100", "SMs": 0}`, "SMs is 0, must be 1 to 1024"},
		{`{"Base": "v100", "L1Latency": -1}`, "L1Latency is -1, must be 0 to"},
		{`{"Base": "v100", "MaxGrid": [1, 2]}`, "MaxGrid[2] is 0"},
		{`{"Base": "v100", "SharedCarveouts": [1000000000]}`, "SharedCarveouts has 1000000000"},
		{`{"Base": "v100", "Units": {"fp16": {"Latency": 9, "Lanes": 4}}}`, `Units have "fp16"; there are int, fp32`},
		{`{"Base": "v100", "Units": {"fp32": {"Latency": 9}}}`, "unit fp32 has latency 9 and 0 lanes"},
		{`{"Base": "v100", "Scheduling": "best"}`, `Scheduling is "best", must be one of gto, lrr, oldest`},
		{`{"Base": "v100", "Coalescing": "none"}`, `Coalescing is "none", must be one of sectors, lines`},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open("sim:" + path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.text, err, c.says)
		}
	}
	if _, err := Open("sim:none/at/all.json"); err == nil || !strings.Contains(err.Error(), "none/at/all.json") {
		t.Error(err)
	}
}
