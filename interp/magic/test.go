package magic

import (
	"errors"
	"flag"
	"fmt"
	"go/types"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// testFlags are the flags of package testing that have a meaning for cells. The others are about the process that go
// test makes, and most of them end it when they are wrong.
var testFlags = strings.Fields("v run skip bench benchtime benchmem count short failfast parallel shuffle list")

// test is %test: it runs what the cell declares, or all that cells have declared, by the package testing that go test
// uses.
func test(c *Call) (display.Bundle, error) {
	found := c.tests()
	var own []string
	for _, name := range c.functions {
		if found[name] != "" {
			own = append(own, name)
		}
	}
	args, err := testArgs(splitWords(c.Arg))
	if err != nil {
		return display.Bundle{}, err
	}
	if c.Arg == "" {
		args = testArgsFor(own, found)
	}
	suite, err := c.suite(found)
	if err != nil {
		return display.Bundle{}, err
	}
	return display.Bundle{}, c.runSuite(suite, args)
}

// callsLast puts %test and %exec behind the other parts of a cell: what they call may be declared below them.
func callsLast(parts []part) []part {
	calls := func(p part) bool { return p.magic != nil && (p.magic.name == "%test" || p.magic.name == "%exec") }
	if !slices.ContainsFunc(parts, calls) {
		return parts
	}
	var rest, last []part
	for _, p := range parts {
		if calls(p) {
			last = append(last, p)
		} else {
			rest = append(rest, p)
		}
	}
	return append(rest, last...)
}

// The kinds of functions of tests: the beginnings of their names, and what they take.
var testKinds = map[string]string{"Test": "*testing.T", "Benchmark": "*testing.B", "TestMain": "*testing.M"}

// tests returns the kinds of the functions for tests that cells have declared, by name.
func (c *Call) tests() map[string]string {
	found := map[string]string{}
	for name, obj := range c.Names() {
		f, ok := obj.(*types.Func)
		if !ok || f.Signature().Params().Len() != 1 || f.Signature().Results().Len() > 0 {
			continue
		}
		takes := types.TypeString(f.Signature().Params().At(0).Type(), nil)
		for kind, param := range testKinds {
			rest, ok := strings.CutPrefix(name, kind)
			if ok && takes == param && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
				found[name] = kind
			}
		}
	}
	return found
}

// testArgsFor are the flags when none are given: what the cell has declared, in detail, or all tests when it has
// declared none.
func testArgsFor(own []string, found map[string]string) []string {
	args := []string{"-test.v"}
	var names [2][]string
	for _, name := range own {
		switch found[name] {
		case "Test":
			names[0] = append(names[0], name)
		case "Benchmark":
			names[1] = append(names[1], name)
		}
	}
	pattern := func(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }
	if len(names[0])+len(names[1]) > 0 {
		args = append(args, "-test.run="+pattern(names[0]))
	}
	if len(names[1]) > 0 {
		args = append(args, "-test.bench="+pattern(names[1]))
	}
	return args
}

// testArgs checks flags: package testing ends the process when it gets some of them.
func testArgs(words []string) ([]string, error) {
	var args []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "" {
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimLeft(word, "-"), "test."), "=")
		switch {
		case word[0] != '-':
			return nil, fmt.Errorf("%q is not a flag: write -test.run=%s", word, word)
		case !slices.Contains(testFlags, name):
			return nil, fmt.Errorf("the flag %s has no meaning for cells; there are -test.%s", word, strings.Join(testFlags, ", -test."))
		}
		if !given && !slices.Contains([]string{"v", "benchmem", "short", "failfast"}, name) {
			if i++; i == len(words) {
				return nil, fmt.Errorf("the flag %s takes a value: %s=…", word, word)
			}
			value, given = words[i], true
		}
		if slices.Contains([]string{"run", "skip", "bench", "list"}, name) {
			if err := checkPattern(value); err != nil {
				return nil, fmt.Errorf("the flag %s: %w", word, err)
			}
		}
		arg := "-test." + name
		if given {
			arg += "=" + value
		}
		args = append(args, arg)
	}
	return args, nil
}

// checkPattern complains about an expression that selects no tests because it is none. A slash parts those of subtests.
func checkPattern(text string) error {
	_, err := regexp.Compile(text)
	for _, one := range strings.Split(text, "/") {
		if _, wrong := regexp.Compile(one); wrong == nil {
			return nil // a slash may also stand in brackets
		}
	}
	return err
}

// suite is what cells have declared for package testing.
type suite struct {
	Tests      []testing.InternalTest
	Benchmarks []testing.InternalBenchmark
	Main       func(*testing.M)
}

// suite gets the functions from the session: a cell that mentions them evaluates to them.
func (c *Call) suite(found map[string]string) (s suite, err error) {
	names := map[string][]string{}
	for name, kind := range found {
		names[kind] = append(names[kind], name)
	}
	list := func(kind string) string {
		var b strings.Builder
		slices.Sort(names[kind])
		for _, name := range names[kind] {
			fmt.Fprintf(&b, "{%q, %s}, ", name, name)
		}
		return b.String()
	}
	get := func(src string) (v any) {
		if err == nil {
			v, err = c.Session.Session.Evaluate(c.ctx, interp.Cell{Number: c.cell.Number, Source: "import testing \"testing\"\n" + src, Transient: true})
		}
		return v
	}
	if len(names["Test"]) > 0 {
		s.Tests, _ = get("[]testing.InternalTest{" + list("Test") + "}").([]testing.InternalTest)
	}
	if len(names["Benchmark"]) > 0 {
		s.Benchmarks, _ = get("[]testing.InternalBenchmark{" + list("Benchmark") + "}").([]testing.InternalBenchmark)
	}
	if len(names["TestMain"]) > 0 {
		s.Main, _ = get("TestMain").(func(*testing.M))
	}
	for i, t := range s.Tests {
		s.Tests[i].F = c.GuardTest(t.F)
	}
	for i, b := range s.Benchmarks {
		s.Benchmarks[i].F = c.GuardBenchmark(b.F)
	}
	return s, err
}

// runSuite runs the tests as the code of a cell. Their output keeps its order with what they print.
func (c *Call) runSuite(s suite, args []string) error {
	if len(s.Tests)+len(s.Benchmarks) == 0 {
		return errors.New("no cell has declared a test: func TestX(t *testing.T), or func BenchmarkX(b *testing.B)")
	}
	testing.Init()
	defer ownTestFlags()()
	setArgs(args)
	if err := c.parseFlags(); err != nil {
		return err
	}
	end, err := c.divert(func(stream io.Writer) io.Writer { return stream })
	if err != nil {
		return err
	}
	code := 0
	err = c.Session.Session.Call(c.ctx, func() {
		m := testing.MainStart(testDeps{}, s.Tests, s.Benchmarks, nil, nil)
		if s.Main != nil {
			s.Main(m)
		} else {
			code = m.Run()
		}
	})
	end()
	setArgs(nil)
	c.parseFlags() // the cells' flags, as they were
	if err = exited(err); err == nil && code != 0 {
		err = errors.New("tests have failed; see above")
	}
	return err
}

// ownTestFlags gives the flags of package testing their defaults, until the function that it returns is called. The
// process may be a test itself: its log, which go test wants, is not the cell's.
func ownTestFlags() (restore func()) {
	was := map[string]string{}
	flag.VisitAll(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "test.") {
			was[f.Name] = f.Value.String()
			f.Value.Set(f.DefValue)
		}
	})
	return func() {
		for name, value := range was {
			flag.Set(name, value)
		}
	}
}
