package corpora

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	budget  = flag.Duration("corpora", 0, "run the tests of public modules in sessions for so long, all packages together; 0 runs none")
	whole   = flag.Bool("whole", false, "run all tests, however long that takes")
	seed    = flag.Uint64("seed", 1, "the order of the tests, of which the first run while there is time")
	others  = flag.String("packages", "", "run the packages of these patterns of the go command, with commas between, in the place of the corpora")
	only    = flag.String("only", "", "run packages whose import path has this in it")
	perTest = flag.Duration("per-test", time.Minute, "how long one test may take")
)

func TestMain(m *testing.M) {
	if text := os.Getenv(jobVariable); text != "" {
		flag.Parse()
		os.Exit(runJob(text))
	}
	flag.Parse()
	os.Exit(m.Run())
}

// expected reads expected.txt: a line has an import path, the name of a test or * for all, and the reason.
func expected(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("expected.txt")
	require.NoError(t, err)
	out := map[string]string{}
	for text := range strings.Lines(string(raw)) {
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		f := strings.Fields(text)
		require.GreaterOrEqual(t, len(f), 3, "%q has no reason", text)
		out[f[0]+" "+f[1]] = strings.Join(f[2:], " ")
	}
	return out
}

// TestCorpora compares sessions with go test, test by test. What differs must be listed, and what is listed must
// differ.
func TestCorpora(t *testing.T) {
	if *budget == 0 && !*whole {
		t.Skip("skipped: make test-corpora runs it, for some minutes")
	}
	patterns := corpora
	if *others != "" {
		patterns = strings.Split(*others, ",")
	}
	if _, err := goCommand("mod", "download"); err != nil {
		t.Skipf("skipped: the modules cannot be fetched here: %v", err)
	}
	all, err := list(patterns)
	require.NoError(t, err)
	all = slices.DeleteFunc(all, func(p corpusPackage) bool { return !strings.Contains(p.ImportPath, *only) })
	why := expected(t)
	total := map[string]int{}
	left := *budget
	for i, p := range all {
		temp := t.TempDir()
		want, err := judge(p, nil, temp)
		require.NoError(t, err, p.ImportPath)
		var overlay map[string]string
		if len(want) == 0 { // they do not compile
			overlay, err = overlayOf(p, temp)
			require.NoError(t, err, p.ImportPath)
			want, err = judge(p, overlay, temp)
			require.NoError(t, err, p.ImportPath)
		}
		if len(want) == 0 {
			t.Logf("%s: go test runs nothing of it here", p.ImportPath)
			continue
		}
		dir, err := copyOf(p, filepath.Join(temp, "copy"), overlay)
		require.NoError(t, err, p.ImportPath)
		share := left / time.Duration(len(all)-i)
		if *whole {
			share = time.Hour
		}
		began := time.Now()
		got := inSession(t, job{Package: p, Dir: dir, Seed: *seed}, share, *perTest)
		left = max(left-time.Since(began), 0)
		clocked, err := timed(p)
		require.NoError(t, err, p.ImportPath)
		compare(t, p, want, got, why, clocked, total)
	}
	t.Logf("%d packages, %d tests and examples: %d run, %d with the result of go test, %d differ as listed, %d not judged",
		len(all), total["tests"], total["run"], total["same"], total["listed"], total["late"])
}

// compare reports what differs in a package.
func compare(t *testing.T, p corpusPackage, want map[string]string, got outcome, why map[string]string, clocked map[string]bool, total map[string]int) {
	t.Helper()
	total["tests"] += len(want)
	if reason := why[p.ImportPath+" *"]; reason != "" || got.broken != "" {
		switch {
		case reason == "":
			t.Errorf("%s cannot be run in a session:\n%s", p.ImportPath, got.broken)
		case got.broken == "":
			t.Errorf("%s can be run and is listed as not (%s): take it off the list", p.ImportPath, reason)
		default:
			t.Logf("%s cannot be run, as listed: %s", p.ImportPath, reason)
		}
		return
	}
	same, listed, late := 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(got.results)) {
		result, reason := got.results[name], why[p.ImportPath+" "+name]
		agrees := result == want[name] || result == "pass" && want[name] == "skip"
		switch {
		case want[name] == "":
			t.Errorf("%s %s: go test does not have it", p.ImportPath, name)
		case result == "late" && reason == "":
			late++
			t.Logf("%s %s is not judged: %s", p.ImportPath, name, got.said[name])
		case agrees && reason != "":
			t.Errorf("%s %s: %s, as in go test, and is listed as different (%s): take it off the list", p.ImportPath, name, result, reason)
		case agrees:
			same++
		case reason != "":
			listed++
			t.Logf("%s %s differs, as listed: %s", p.ImportPath, name, reason)
		case clocked[name]:
			late++
			t.Logf("%s %s is not judged, as it counts milliseconds: %s in a session, %s in go test", p.ImportPath, name, result, want[name])
		default:
			t.Errorf("%s %s: %s in a session, %s in go test\n%s", p.ImportPath, name, result, want[name], got.said[name])
		}
	}
	total["run"] += len(got.results)
	total["same"] += same
	total["listed"] += listed
	total["late"] += late
	t.Logf("%-50s %3d of %3d run, %3d same, %d listed, %d not judged", p.ImportPath, len(got.results), len(want), same, listed, late)
}
