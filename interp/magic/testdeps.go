package magic

import (
	"errors"
	"io"
	"reflect"
	"regexp"
	"time"
)

// testDeps is what package testing wants of the program that go test writes. Most of it is for flags that cells cannot
// give.
type testDeps struct{}

// corpusEntry is what package testing calls so.
type corpusEntry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

var errNoFuzzing = errors.New("cells cannot be fuzzed")

func (testDeps) MatchString(pat, str string) (bool, error) {
	re, err := regexp.Compile(pat)
	// an error would end the process; checkPattern has complained about it
	return err == nil && re.MatchString(str), nil
}

func (testDeps) ImportPath() string                                       { return "" }
func (testDeps) ModulePath() string                                       { return "" }
func (testDeps) SetPanicOnExit0(bool)                                     {}
func (testDeps) StartCPUProfile(io.Writer) error                          { return nil }
func (testDeps) StopCPUProfile()                                          {}
func (testDeps) StartTestLog(io.Writer)                                   {}
func (testDeps) StopTestLog() error                                       { return nil }
func (testDeps) WriteProfileTo(string, io.Writer, int) error              { return nil }
func (testDeps) CheckCorpus([]any, []reflect.Type) error                  { return nil }
func (testDeps) ResetCoverage()                                           {}
func (testDeps) SnapshotCoverage()                                        {}
func (testDeps) RunFuzzWorker(func(corpusEntry) error) error              { return errNoFuzzing }
func (testDeps) ReadCorpus(string, []reflect.Type) ([]corpusEntry, error) { return nil, errNoFuzzing }

func (testDeps) CoordinateFuzzing(time.Duration, int64, time.Duration, int64, int, []corpusEntry, []reflect.Type, string, string) error {
	return errNoFuzzing
}

func (testDeps) InitRuntimeCoverage() (mode string, tearDown func(string, string) (string, error), snapcov func() float64) {
	return "", nil, nil
}
