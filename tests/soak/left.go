//go:build unix

package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// held is what a session holds, by kind.
type held struct {
	goroutines map[string]float64 // how many, by the function that they wait in or run
	heap       map[string]float64 // MB that are live, by the package that has made them
}

// hold asks the session for its profiles, after a collection.
func (k *kernel) hold(dir string) (h held, err error) {
	goroutines, heap := filepath.Join(dir, "goroutines"), filepath.Join(dir, "heap")
	reply, _, err := k.run(fmt.Sprintf(`import "runtime/pprof"
runtime.GC(); runtime.GC()
for name, path := range map[string]string{"goroutine": %q, "heap": %q} {
	f, err := os.Create(path)
	if err != nil { panic(err) }
	if err := pprof.Lookup(name).WriteTo(f, 1); err != nil { panic(err) }
	f.Close()
}`, goroutines, heap))
	if err == nil && reply.content.Status != "ok" {
		err = fmt.Errorf("the profiles: %s", reply.content.Value)
	}
	if err != nil {
		return h, err
	}
	text, err := os.ReadFile(goroutines)
	if err != nil {
		return h, err
	}
	h.goroutines = goroutinesByKind(string(text))
	if text, err = os.ReadFile(heap); err != nil {
		return h, err
	}
	h.heap = heapByPackage(string(text))
	return h, nil
}

// profile runs a cell that has to do with profiles.
func (k *kernel) profile(code string) error {
	reply, _, err := k.run("import \"runtime/pprof\"\n" + code)
	if err == nil && reply.content.Status != "ok" {
		err = fmt.Errorf("the profile: %s", reply.content.Value)
	}
	return err
}

// startProfile lets the session write a profile of its processor time to path and an ending.
func (k *kernel) startProfile(path, ending string) error {
	path, err := filepath.Abs(path + "." + ending)
	if err != nil {
		return err
	}
	return k.profile(fmt.Sprintf("cpu, err := os.Create(%q)\nif err != nil { panic(err) }\npprof.StartCPUProfile(cpu)", path))
}

// frameLine is a line of a profile that names a function.
var frameLine = regexp.MustCompile(`(?m)^#\t0x[0-9a-f]+\t(\S+?)\+0x`)

// origin is the innermost function of a stack that is not the runtime's or reflect's.
func origin(stack string) string {
	first := ""
	for _, m := range frameLine.FindAllStringSubmatch(stack, -1) {
		if first == "" {
			first = m[1]
		}
		if !slices.ContainsFunc([]string{"runtime.", "reflect.", "sync.", "internal/", "maps.", "slices."}, func(p string) bool { return strings.HasPrefix(m[1], p) }) {
			return m[1]
		}
	}
	return first
}

func goroutinesByKind(profile string) map[string]float64 {
	all := map[string]float64{}
	for group := range strings.SplitSeq(profile, "\n\n") {
		if strings.HasPrefix(group, "goroutine profile:") {
			_, group, _ = strings.Cut(group, "\n")
		}
		number, _, _ := strings.Cut(group, " ")
		if n, err := strconv.Atoi(number); err == nil {
			all[origin(group)] += float64(n)
		}
	}
	return all
}

// heapRecord begins a record of the heap's profile: objects and bytes that are live, of those that were sampled.
var heapRecord = regexp.MustCompile(`^(\d+): (\d+) \[`)

// samplingRate is runtime.MemProfileRate's default, and packageOf the package of a function's name.
const samplingRate = 512 << 10

func packageOf(function string) string {
	dir, name := "", function
	if i := strings.LastIndex(function, "/"); i >= 0 {
		dir, name = function[:i+1], function[i+1:]
	}
	name, _, _ = strings.Cut(name, ".")
	return dir + name
}

func heapByPackage(profile string) map[string]float64 {
	all := map[string]float64{}
	for record := range strings.SplitSeq(profile, "\n\n") {
		for part := range strings.SplitSeq(record, "\n") {
			m := heapRecord.FindStringSubmatch(part)
			if m == nil {
				continue
			}
			objects, _ := strconv.ParseFloat(m[1], 64)
			bytes, _ := strconv.ParseFloat(m[2], 64)
			if objects > 0 {
				kind := packageOf(origin(record))
				if strings.Contains(record, "/arrays.collect+") {
					kind = "the headroom of arrays.TuneCollector, addresses that are never touched"
				}
				all[kind] += bytes / (1 - math.Exp(-bytes/objects/samplingRate)) / 1e6
			}
		}
	}
	return all
}

// sayLeft adds tables of what has become more to the report.
func (o *options) sayLeft(before, after held) {
	table := func(title, unit string, was, is map[string]float64, least float64) {
		o.say("%s:\n\n| by | before | after |\n|---|---|---|", title)
		kinds := slices.SortedFunc(maps.Keys(is), func(a, b string) int {
			return cmp.Or(cmp.Compare(is[b]-was[b], is[a]-was[a]), strings.Compare(a, b))
		})
		for _, kind := range kinds {
			if is[kind]-was[kind] >= least {
				o.say("| %s | %s | %s |", strings.TrimPrefix(kind, "github.com/"), fmt.Sprintf(unit, was[kind]), fmt.Sprintf(unit, is[kind]))
			}
		}
		o.say("")
	}
	table("Goroutines of the session that have become more, by what they do", "%.0f", before.goroutines, after.goroutines, 1)
	table("Megabytes of the session's heap that have become more, by the package that made them (a sample)", "%.1f", before.heap, after.heap, 0.5)
}
