package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// calibrated runs the command and returns what it prints.
func calibrated(t *testing.T, c calibration) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.run(context.Background(), &out); err != nil {
		t.Fatalf("%+v: %v\n%s", c, err, &out)
	}
	return out.String()
}

// A machine that differs from its base in what is measured comes back from its figures, and its figures from the file;
// a machine that is its own base needs no changes.
func TestCalibrateGoesRound(t *testing.T) {
	testsize.InTurn(t, 0)
	dir := t.TempDir()
	mine, written, again := filepath.Join(dir, "mine.json"), filepath.Join(dir, "written.json"), filepath.Join(dir, "again.json")
	text := `{"Base": "v100", "Title": "mine", "SMs": 40, "L1Latency": 40, "DRAMLatency": 400, "DRAMShare": 0.5, "SharedLatency": 30,
		"Units": {"fp64": {"Latency": 8, "Lanes": 2}}, "PinnedRate": 20000000000, "LaunchGap": 2500}`
	require.NoError(t, os.WriteFile(mine, []byte(text), 0o600))
	first := calibrated(t, calibration{device: "sim:" + mine, base: "v100", out: written})
	p, err := simgpu.PresetByName("sim:" + written)
	require.NoError(t, err)
	near := func(what string, got, want float64) {
		if got < 0.98*want || got > 1.02*want {
			t.Errorf("%s is %v, was %v", what, got, want)
		}
	}
	near("L1Latency", float64(p.L1Latency), 40)
	near("DRAMLatency", float64(p.DRAMLatency), 400)
	near("DRAMShare", p.DRAMShare, 0.5)
	near("SharedLatency", float64(p.SharedLatency), 30)
	near("the interval of fp64", float64(p.Interval(simgpu.UnitFP64)), 16)
	near("PinnedRate", float64(p.PinnedRate), 20e9)
	near("LaunchGap", float64(p.LaunchGap), 2500)
	if p.SMs != 40 || p.Title != "mine" {
		t.Errorf("%d SMs of %q", p.SMs, p.Title)
	}
	if !strings.Contains(first, "latency of DRAM") || !strings.Contains(first, "sim:v100 HAS") {
		t.Error(first)
	}
	calibrated(t, calibration{device: "sim:" + written, base: "v100", out: again})
	q, err := simgpu.PresetByName(again)
	require.NoError(t, err)
	near("L1Latency, again,", float64(q.L1Latency), float64(p.L1Latency))
	near("DRAMLatency, again,", float64(q.DRAMLatency), float64(p.DRAMLatency))
	near("DRAMShare, again,", q.DRAMShare, p.DRAMShare)
	p.Name, p.DRAMLatency, p.DRAMShare = q.Name, q.DRAMLatency, q.DRAMShare
	if !reflect.DeepEqual(q, p) {
		t.Errorf("calibrated again it is\n%+v\nand was\n%+v", q, p)
	}
	calibrated(t, calibration{device: "sim:v100", out: again})
	if got, err := os.ReadFile(again); err != nil || string(got) != "{\n\t\"Base\": \"v100\"\n}\n" {
		t.Errorf("v100 is itself and\n%s, %v", got, err)
	}
}

// Every kernel of the corpus is in the table of errors, and a machine predicts itself but for what samples are off.
func TestCalibrateComparesTheCorpus(t *testing.T) {
	testsize.InTurn(t, 1)
	out := calibrated(t, calibration{device: "sim:v100", corpus: true})
	for _, k := range kernels.All {
		if !regexp.MustCompile(`\| ` + k.Name + ` \| [\d.]+ \| [\d.]+ \| (0\.[89]|1\.[01])\d \|`).MatchString(out) {
			t.Errorf("%s is not predicted", k.Name)
		}
	}
	if !strings.Contains(out, "nothing of a card") {
		t.Error(out)
	}
}

// What a machine does not have stands in the table, with a reason.
func TestCalibrateOfTheFirstMachine(t *testing.T) {
	testsize.InTurn(t, 2)
	out := calibrated(t, calibration{device: "sim:g80"})
	for _, want := range []string{`latency of L1 +- +- +.*the cache is smaller, or there is none`, `latency of L2 +- +- +.*the cache is smaller, or there is none`,
		`latency of an atomic +- +- +the device has no atomics`, `latency of DRAM +\d+`, `bandwidth of DRAM +[\d.e+]+ +8.8128e\+10 +B/s`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// A card is measured through the driver, here one without a GPU: all its launches take 1 µs (cudabackend/fake), so that
// rates and latencies are none, and copies run at 1 GB/s. All ten microbenchmarks run, and what they give is a machine.
func TestCalibrateOfTheFakeDriver(t *testing.T) {
	testsize.InTurn(t, 2)
	const alone = "ARRAYREPL_TEST_ALONE"
	if os.Getenv(alone) == "" { // another test of this process may have looked for a driver already, which is done once
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), alone+"=1")
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		assert.NoError(t, err)
		return
	}
	if _, err := fake.Start(t.TempDir()); errors.Is(err, fake.ErrNone) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Setenv(gpuWorkerVariable, "off")
	c := calibration{out: filepath.Join(t.TempDir(), "card.json")}
	out := calibrated(t, c)
	for _, want := range []string{`cuda:0, Fake GPU`, `latency of L1 +- +- +the runs took too short for the device's clock`, `pinned copies to the host +1e\+09 +2.4e\+10 +B/s`,
		`latency of an atomic`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	p, err := simgpu.PresetByName(c.out)
	require.NoError(t, err)
	if a100, _ := simgpu.PresetByName("a100"); math.Abs(float64(p.PinnedRate)-1e9) > 1e7 || p.Title != "Fake GPU" || p.L1Latency != a100.L1Latency || p.L2Bytes != a100.L2Bytes {
		t.Errorf("pinned copies at %d B/s, latency of L1 %d, %d bytes of L2: %v", p.PinnedRate, p.L1Latency, p.L2Bytes, p)
	}
}

func TestCalibrateRefuses(t *testing.T) {
	for _, tt := range []struct {
		c    calibration
		says string
	}{
		{calibration{device: "sim:v101"}, `there is no simulated GPU "v101"`},
		{calibration{device: "host"}, "the host is none"},
		{calibration{device: "sim:none.json"}, "none.json"},
		{calibration{device: "sim:v100", out: "card"}, "must end in .json"},
		{calibration{device: "sim:v100", base: "other.json"}, "must be one of"},
	} {
		if err := tt.c.run(context.Background(), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v: %v", tt.c, err)
		}
	}
}
