package goldens

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rows are those of cuda-scan-brook.md A.4 and B.4 but textures and graphics, each with what shows it: tests, as
// "directory: TestName", cells of notebooks, as "notebook#cell", and lines of transcripts, as "file: text".
var rows = []struct {
	row   string
	shown []string
}{
	{"A.4 kernel from ordinary Go", []string{"tests/goldens: TestGuardedThreads", "gpu/kernels: TestCorpus", "10-from-a-loop-to-a-grid#grid-kernel-claim"}},
	{"A.4 1-3D grids and blocks", []string{"tests/goldens: TestGridsOfOddBlocks"}},
	{"A.4 shared memory and barrier", []string{"tests/goldens: TestPlusReduce", "tests/goldens: TestPlusReduceOfAMillion", "10-from-a-loop-to-a-grid#grid-reduce-claim"}},
	{"A.4 atomics", []string{"interp/internal/gokernels: TestFloatSums", "gpu/kernels: TestBlockOrder"}},
	{"A.4 block independence", []string{"gpu/kernels: TestBlockOrder", "10-from-a-loop-to-a-grid#grid-shuffle-claim"}},
	{"A.4 inter-grid barrier from the lazy graph", []string{"offload: TestTasksWaitForTheirMakers", "offload: TestIndependentTasksOverlap"}},
	{"A.4 explicit and implicit copies", []string{"offload: TestRunCopiesOnlyWhatMustMove", "gpu: TestStreams"}},
	{"A.4 model errors", []string{
		"interp/symbols/testdata/kernels.txt: kernel code cannot call k27 again while it runs: recursion",
		"interp/symbols/testdata/kernels.txt: kernel code cannot call gpu.Launch",
		"gpu/kernels: TestCheck", "simgpu: TestBarrierThatHalfAWarpSkips",
	}},
	{"A.4 shared-memory race detector", []string{"simgpu: TestCheckFindsAMissingBarrier", "kir/check: TestScanOf1024", "10-from-a-loop-to-a-grid#grid-missing-check"}},
	{"A.4 transparent scaling", []string{"tests/goldens: TestTransparentScaling", "10-from-a-loop-to-a-grid#grid-sweep-claim"}},
	{"A.4 SpMV pair", []string{"tests/goldens: TestCSRLanes", "tests/goldens: TestCSRCacheHits", "tests/goldens: TestCachedProductOnAMesh"}},
	{"A.4 multicore engine", []string{"gpu/kernels: TestDevices", "gpu/kernels: TestCorpus"}},

	{"B.4 presets, editable", []string{"simgpu: TestPeaksAreThoseOfTheDataSheet", "simgpu: TestCustomMachinesDifferByEveryField", "11-inside-an-sm#sm-05"}},
	{"B.4 roofline and timing floor", []string{"tests/goldens: TestSaxpyOnTheFirstCardTakesItsBytes"}},
	{"B.4 warp scheduler view", []string{"simgpu: TestIssuesAlternate", "simgpu: TestSixWarpsHideADependence", "simgpu: TestLanesAndSpecialUnitsAreBothBusy"}},
	{"B.4 divergence report", []string{"tests/goldens: TestLanesOfBranches", "11b-what-an-sm-waits-for#sm-26"}},
	{"B.4 coalescing report", []string{"simgpu: TestTransactionsOfThreeRules", "11b-what-an-sm-waits-for#sm-32"}},
	{"B.4 bank-conflict report", []string{"simgpu: TestConflictsOfSixteenBanks", "11b-what-an-sm-waits-for#sm-43"}},
	{"B.4 occupancy calculator", []string{"simgpu: TestOccupancyOfOldMachines", "11b-what-an-sm-waits-for#sm-47"}},
	{"B.4 block Gantt, distributor", []string{"simgpu: TestBlocksGoToWhoeverIsFree"}},
	{"B.4 Tesla1 arithmetic", []string{"simgpu: TestArithmeticOfTheFirstMachines", "kir/cpu: TestTesla1", "11b-what-an-sm-waits-for#sm-54", "11b-what-an-sm-waits-for#sm-56"}},
	{"B.4 SFU model", []string{"simgpu: TestSweep", "19-special-functions#sfu-09"}},
	{"B.4 n-body showcase", []string{"gpu: TestNBodyAtTheRateOfThePaper", "19-special-functions#sfu-15c"}},
}

// Each row is shown by something that is there.
func TestEveryRowOfTheSpecIsShown(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, r := range rows {
		require.NotEmpty(t, r.shown, r.row)
		for _, s := range r.shown {
			notebook, cell, isCell := strings.Cut(s, "#")
			where, name, _ := strings.Cut(s, ": ")
			switch {
			case isCell:
				assert.True(t, hasCell(t, filepath.Join(root, "notebooks", notebook+".ipynb"), cell), "%s: there is no cell %s", r.row, s)
			case strings.HasPrefix(name, "Test"):
				assert.True(t, hasTest(t, filepath.Join(root, where), name), "%s: there is no test %s", r.row, s)
			default:
				text, err := os.ReadFile(filepath.Join(root, where))
				require.NoError(t, err)
				assert.Contains(t, string(text), name, r.row)
			}
		}
	}
}

func hasTest(t *testing.T, dir, name string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if regexp.MustCompile(`(?m)^func ` + name + `\(t `).Match(text) {
			return true
		}
	}
	return false
}

// hasCell reports whether a notebook has a cell whose text claims what its output shows.
func hasCell(t *testing.T, path, id string) bool {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var nb struct {
		Cells []struct {
			ID       string
			Metadata struct{ Tags []string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &nb))
	for _, c := range nb.Cells {
		if c.ID == id {
			return strings.Contains(strings.Join(c.Metadata.Tags, " "), "claim")
		}
	}
	return false
}
