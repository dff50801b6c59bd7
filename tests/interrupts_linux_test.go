package tests

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/goplus/ixgo"
	"github.com/stretchr/testify/assert"
	"golang.org/x/sys/unix"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

const (
	// mostBetween is how much of the processor's time may lie between two questions whether to go on.
	mostBetween = 50 * time.Millisecond
	// callTime ends a call that asks as it should.
	callTime = 250 * time.Millisecond
	// neverAsks is when a call that has not asked at all is given up, with the whole test, as nothing can end it.
	neverAsks = 60 * time.Second
)

// threadTime is the processor's time that this thread has had: other programs on the machine do not count.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// size is a kind of large arguments: what arrays, ints and texts of a call are.
type size struct {
	name string
	x, y *arrays.Array
	n    int
	text string
}

func sizes() []size {
	r := arrays.DefaultRNG(1)
	if testsize.Short() && os.Getenv("ARRAYREPL_INTERRUPTS") == "" {
		line, texts := r.Random(400_000), r.Integers(0, 1<<40, 100_000).AsType(arrays.Str(14))
		return []size{
			{"a short line of floats", line, r.Random(400_000), 3, "f"},
			{"a small matrix", r.Random(250, 250), r.Random(250, 250), 2, "ij,jk->ik"},
			{"fewer texts", texts, texts.At(arrays.S(arrays.End, arrays.End, -1)), 3, "f"},
		}
	}
	line, square := r.Random(1_500_000), r.Random(500, 500)
	lists := r.Integers(0, 1<<40, 1_500_000)
	texts := r.Integers(0, 1<<40, 400_000).AsType(arrays.Str(14))
	return []size{
		{"a line of floats", line, r.Random(1_500_000), 3, "f"},
		{"a matrix", square, r.Random(500, 500), 2, "ij,jk->ik"},
		{"whole numbers", lists, r.Integers(0, 1<<20, 1_500_000), 3, "f"},
		{"texts", texts, texts.At(arrays.S(arrays.End, arrays.End, -1)), 3, "f"},
		{"complex numbers", line.Add(line.Mul(1i)), line.Add(1i), 2, "f"},
		{"many small matrices", r.Random(20_000, 8, 8), r.Random(20_000, 8, 8), 2, "bij,bjk->bik"},
		{"rows", r.Random(300, 5000), r.Random(300, 5000), 2, "ij,ij->i"},
		{"a short kernel", line, r.Random(2000), 1000, "f"},
	}
}

// argumentOf returns an argument of t, the i-th of a call.
func (s size) argumentOf(t reflect.Type, i int, alone bool) (v reflect.Value, ok bool) {
	x := s.x
	if i > 0 {
		x = s.y
	}
	switch {
	case t == anyType, t == eagerType:
		return reflect.ValueOf(x), true
	case t == reflect.TypeFor[arrays.Out]():
		return reflect.ValueOf(arrays.Into(arrays.New(x.DType(), x.Shape()...))), true
	case t == axisType:
		return reflect.ValueOf(-1), true
	case t == reflect.TypeFor[*arrays.RNG]():
		return reflect.ValueOf(arrays.DefaultRNG(1)), true
	case t == reflect.TypeFor[arrays.DType]():
		return reflect.ValueOf(arrays.Float32), true
	case t == reflect.TypeFor[[]int]():
		return reflect.ValueOf(x.Shape()), true
	case t.Kind() == reflect.Slice && (t.Elem() == anyType || t.Elem() == eagerType):
		list := reflect.MakeSlice(t, 0, 2)
		return reflect.Append(list, reflect.ValueOf(s.x), reflect.ValueOf(s.y)), true
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		if alone {
			return reflect.ValueOf(3000).Convert(t), true
		}
		return reflect.ValueOf(s.n).Convert(t), true
	case reflect.Float64:
		return reflect.ValueOf(2.0), true
	case reflect.String:
		return reflect.ValueOf(s.text).Convert(t), true
	case reflect.Bool:
		return reflect.ValueOf(true), true
	case reflect.Func, reflect.Interface, reflect.Pointer, reflect.Chan:
		return reflect.Value{}, false
	}
	return reflect.Zero(t), true
}

// arguments are those of f; of the last, if there may be several, as many as given.
func (s size) arguments(f reflect.Value, given int) (args []reflect.Value, ok bool) {
	t := f.Type()
	alone := true
	for i := range t.NumIn() {
		in := t.In(i)
		alone = alone && in != anyType && in != eagerType && in != reflect.TypeFor[arrays.Out]() && !(t.IsVariadic() && i == t.NumIn()-1 && in.Elem() == anyType)
	}
	arraysBefore := 0
	for i := range t.NumIn() {
		in, times := t.In(i), 1
		if t.IsVariadic() && i == t.NumIn()-1 {
			in, times = in.Elem(), given
		}
		for range times {
			v, ok := s.argumentOf(in, arraysBefore, alone)
			if !ok {
				return nil, false
			}
			if in == anyType || in == eagerType {
				arraysBefore++
			}
			args = append(args, v)
		}
	}
	return args, true
}

// stopped is what ends a call that has been long enough.
type stopped struct{}

// longest calls f and returns the longest time that it does not ask whether to go on; done reports whether it did
// something.
func longest(what string, f func()) (gap time.Duration, between string, done bool) {
	watch := time.AfterFunc(neverAsks, func() { panic(what + " does not ask whether to go on") })
	defer watch.Stop()
	if !testsize.Short() {
		runtime.GC()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin, own := threadTime(), unix.Gettid()
	last, before := begin, "its beginning"
	arrays.Wiring{}.OnPoll(func() {
		if unix.Gettid() != own {
			return // a helper, which has a time of its own
		}
		now := threadTime()
		if (arrays.Wiring{}).Underway() == "" { // else it goes on until its end, and says so
			here := asker()
			if now-last > gap {
				gap, between = now-last, before+" and "+here
			}
			before = here
		}
		if last = now; now-begin > callTime {
			panic(stopped{})
		}
	})
	defer arrays.Wiring{}.OnPoll(nil)
	defer func() {
		r := recover()
		if _, long := r.(stopped); !long {
			if end := threadTime() - last; end > gap {
				gap, between = end, before+" and its end"
			}
		}
		err, isError := r.(error)
		done = r == nil || r == stopped{}
		if isError && !errors.As(err, new(*arrays.Error)) && !errors.As(err, new(budget.Refused)) {
			panic(r)
		}
	}()
	f()
	return gap, between, true
}

// asker is the function that asks now, with its line.
func asker() string {
	var pcs [12]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if file := filepath.Base(f.File); !slices.Contains([]string{"poll.go", "workers.go", "interrupts_linux_test.go"}, file) || !more {
			return fmt.Sprintf("%s:%d", file, f.Line)
		}
	}
}

// TestEverythingCanBeInterrupted: whatever a function of arrays does with much data, it asks often whether to go on.
// The functions and methods are found by reflection. make test has each function with arguments of one kind, a third of
// them at a time; long tests have all kinds and files, for ten minutes, and so has ARRAYREPL_INTERRUPTS, a regular
// expression of names.
func TestEverythingCanBeInterrupted(t *testing.T) {
	chosen := os.Getenv("ARRAYREPL_INTERRUPTS")
	only, every := regexp.MustCompile(chosen), chosen != "" || testsize.Long()
	all := everything()
	if every {
		for name, f := range files(t.TempDir()) {
			all[name] = reflect.ValueOf(f)
		}
	}
	t.Chdir(t.TempDir()) // texts are names of files, too
	budget.Ask(func(what string, bytes int64) error {
		if bytes > 400<<20 {
			return fmt.Errorf("%s takes too much memory for this test", what)
		}
		return nil
	})
	defer budget.Ask(nil)
	lists := sizes()
	tried, refused := 0, []string{}
	for at, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		if !only.MatchString(name) || name == "TuneCollector" || !every && !testsize.Part(at, 3) {
			continue
		}
		if testing.Verbose() && every {
			fmt.Println(name) // a walk of minutes says where it is
		}
		kinds, most := lists, 3
		if !every {
			k := at / 3 % len(lists)
			kinds, most = lists[k:k+1], 1
		}
		did, could := false, false
		for _, s := range kinds {
			for given := range most {
				if given > 0 && !f.Type().IsVariadic() {
					break
				}
				args, ok := s.arguments(f, given)
				if !ok {
					continue
				}
				could = true
				did = asksOften(t, fmt.Sprintf("%s of %s, %d at its end,", name, s.name, given), func() { f.Call(args) }) || did
				if len(args) == 0 || !usesArrays(f.Type()) {
					break
				}
			}
			if !usesArrays(f.Type()) {
				break
			}
		}
		if could {
			tried++
			if !did {
				refused = append(refused, name)
			}
		}
	}
	t.Logf("%d functions; these refuse all that is tried: %v", tried, refused)
	assert.Greater(t, tried, len(refused))
}

// everything is what package arrays can be asked to do: its functions and methods.
func everything() map[string]reflect.Value {
	symbols.Register()
	p, _ := ixgo.LookupPackage("github.com/arrayrepl/arrayrepl/arrays")
	all := map[string]reflect.Value{}
	for name, f := range p.Funcs {
		all[name] = f
	}
	for _, of := range []reflect.Type{eagerType, reflect.TypeFor[arrays.Out](), reflect.TypeFor[*arrays.RNG]()} {
		for m := range of.Methods() {
			all[of.String()+"."+m.Name] = m.Func
		}
	}
	return all
}

// asksOften fails the test where a call does not ask within the time, and reports whether it did something.
func asksOften(t *testing.T, what string, call func()) (done bool) {
	var gap time.Duration
	var between string
	for range 4 { // what is long once is a collection of garbage, or a page that was not there
		var this time.Duration
		var where string
		if this, where, done = longest(what, call); gap == 0 || this < gap {
			gap, between = this, where
		}
		if gap < mostBetween {
			return done
		}
	}
	assert.Less(t, gap, mostBetween, "%s does not ask for so long, between %s", what, between)
	return done
}

// usesArrays reports whether a function has arguments that sizes differ in.
func usesArrays(t reflect.Type) bool {
	for i := range t.NumIn() {
		if in := t.In(i); in == anyType || in == eagerType || in.Kind() == reflect.Slice {
			return true
		}
	}
	return false
}

// files are functions that write and read large files.
func files(dir string) map[string]func() {
	r := arrays.DefaultRNG(2)
	columns := []*arrays.Array{r.Random(400_000), r.Integers(0, 1<<40, 400_000), r.Integers(0, 1<<40, 400_000).AsType(arrays.Str(14)), r.Integers(0, 20_000, 400_000).AsType(arrays.DateTime(arrays.Day))}
	names := []string{"x", "n", "text", "day"}
	picture := r.Integers(0, 256, 1500, 1500, 3).AsType(arrays.Uint8)
	all := map[string]func(){}
	add := func(name, end string, save func(path string) error, load ...func(path string) error) {
		path := filepath.Join(dir, name+end)
		must := func(err error) {
			if err != nil {
				panic(err)
			}
		}
		must(save(path))
		all["a file: Save "+name+end] = func() { must(save(path + ".new" + end)) }
		for i, l := range load {
			all[fmt.Sprintf("a file: Load %s%s %d", name, end, i)] = func() { must(l(path)) }
		}
	}
	array := func(load func(string) (*arrays.Array, error)) func(string) error {
		return func(path string) error { _, err := load(path); return err }
	}
	table := func(path string) error { _, _, err := arrays.LoadTable(path); return err }
	for _, end := range []string{".csv", ".csv.gz", ".json", ".jsonl", ".arrow", ".arrows"} {
		add("table", end, func(path string) error { return arrays.SaveTable(path, names, columns) }, table)
		add("texts", end, func(path string) error { return arrays.SaveTable(path, names[2:], columns[2:]) }, table)
	}
	for i, c := range columns {
		add("array"+names[i], ".npy", func(path string) error { return arrays.Save(path, c) }, array(arrays.Load))
		add("array"+names[i], ".json", func(path string) error { return arrays.SaveJSON(path, c) }, array(arrays.LoadJSON))
	}
	add("numbers", ".csv", func(path string) error { return arrays.SaveCSV(path, columns[0].Reshape(-1, 4)) }, func(path string) error { _, err := arrays.LoadCSV(path); return err })
	add("archive", ".npz", func(path string) error { return arrays.SaveZ(path, map[string]any{"x": columns[0], "t": columns[2]}) }, func(path string) error { _, err := arrays.LoadZ(path); return err })
	add("picture", ".png", func(path string) error { return arrays.SaveImage(path, picture) }, array(arrays.LoadImage))
	add("picture", ".jpg", func(path string) error { return arrays.SaveImage(path, picture) }, array(arrays.LoadImage))
	return all
}
