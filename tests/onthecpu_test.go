package tests

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/alone"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// noKernel is how an explanation names what the CPU does for want of a kernel, and of which dtypes.
var noKernel = regexp.MustCompile(`^there is no kernel for (.+) of ([a-z0-9 ]+)$`)

// leftToTheCPU are the operations that docs/design/placement.md gives a reason for.
func leftToTheCPU(t *testing.T) map[string]bool {
	page, err := os.ReadFile("../docs/design/placement.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "## What a GPU leaves to the CPU")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	out := map[string]bool{}
	for _, row := range strings.Split(section, "\n") {
		if cells := strings.Split(row, "|"); len(cells) > 2 {
			for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
				out[name[1]] = true
			}
		}
	}
	return out
}

// TestWhatGPUsLeaveToTheCPU: of all functions and methods, called with random arguments of bools, ints and floats while
// a GPU is in use, those steps that run on the CPU for want of a kernel are the ones that placement.md has reasons for.
func TestWhatGPUsLeaveToTheCPU(t *testing.T) {
	if !alone.Here(t) { // each explanation collects garbage
		return
	}
	testdevices.Use(t)
	lazy.Use("sim:tiny")
	all := calls(t)
	found := map[string]map[string]bool{}
	for seed := range testsize.Seeds("tests.TestWhatGPUsLeaveToTheCPU") {
		s := newSurface(all, seed, false, map[string]bool{})
		for range 150 {
			c := s.calls[s.r.IntN(len(s.calls))]
			typ := c.lazy.Type()
			var in []reflect.Value
			for i := range typ.NumIn() {
				if typ.IsVariadic() && i == typ.NumIn()-1 {
					for range s.r.IntN(3) {
						_, l := s.argument(c.eager.Type().In(i).Elem())
						in = append(in, l)
					}
					break
				}
				_, l := s.argument(c.eager.Type().In(i))
				in = append(in, l)
			}
			catch(func() []reflect.Value {
				for _, v := range c.lazy.Call(in) {
					for _, a := range arraysOf[*lazy.Array](v) {
						for _, step := range lazy.Explain(a).Steps {
							m := noKernel.FindStringSubmatch(step.Why)
							if step.Where != "the CPU" || m == nil || strings.Contains(m[2], "complex") || strings.HasPrefix(m[1], "as ") { // casts to types that kernels have not
								continue
							}
							if found[m[1]] == nil {
								found[m[1]] = map[string]bool{}
							}
							found[m[1]][c.name+":"+m[2]] = true
						}
					}
				}
				return nil
			})
		}
	}
	known := leftToTheCPU(t)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		assert.True(t, known[name], "%s runs on the CPU: %v", name, slices.Sorted(maps.Keys(found[name])))
	}
}
