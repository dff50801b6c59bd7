package programs

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var faultPrograms = flag.Int("faults", 0, "put old faults back, one after the other, and run so many programs with each")

// oldFaults are faults that gave wrong answers before there were random programs, and the change that puts each back.
var oldFaults = []struct{ name, file, mended, old string }{
	{
		"an element of an array value that needs more than one register",
		"../../tier/lowerops.go", "if elem.class == word && shapeOf(a).class == flat {", "if true {",
	},
	{
		"phis of a block that are assigned one after the other",
		"../../ixgo/corrections.go", "mendPhis(f, instrs, code)\n", "\n",
	},
	{
		"error in the signature of a generic function is another type",
		"../../ixgo/types.go", "if t == universeError {", "if false {",
	},
	{
		"a struct or an array that is one pointer loses it when it is converted",
		"../../ixgo/corrections.go", "mendConvert, mendChangeType,", "mendConvert,",
	},
}

var differs = regexp.MustCompile(`seed (\d+), (\w+ \w+): (.*); again`)

// TestOldFaults puts faults back by an overlay of the go command and notes which random programs show them. Without the
// flag, it looks whether the changes can still be made.
func TestOldFaults(t *testing.T) {
	for _, f := range oldFaults {
		t.Run(f.name, func(t *testing.T) {
			text, err := os.ReadFile(f.file)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), f.mended); n != 1 {
				t.Fatalf("%q stands %d times in %s", f.mended, n, f.file)
			}
			if *faultPrograms == 0 {
				return
			}
			first := firstProgramSeed()
			dir := t.TempDir()
			target, err := filepath.Abs(f.file)
			if err != nil {
				t.Fatal(err)
			}
			changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
			list, err := json.Marshal(map[string]map[string]string{"Replace": {target: changed}})
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{changed: strings.Replace(string(text), f.mended, f.old, 1), overlay: string(list)} {
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			out, err := exec.Command("go", "test", "-overlay", overlay, ".", "-count", "1", "-timeout", "60m", "-run", "TestPrograms$", "-v",
				"-programs", fmt.Sprint(*faultPrograms), "-programseed", fmt.Sprint(first), "-programmode", *programMode).CombinedOutput()
			found := differs.FindAllStringSubmatch(string(out), -1)
			if len(found) == 0 {
				t.Fatalf("%d programs from seed %d on do not show it: %v\n%.2000s", *faultPrograms, first, err, out)
			}
			t.Logf("%d of %d programs from seed %d on differ", len(found), *faultPrograms, first)
			for _, m := range found[:min(len(found), 5)] {
				t.Logf("seed %s, %s: %.300s", m[1], m[2], m[3])
			}
		})
	}
}
