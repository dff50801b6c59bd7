package magic

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// The flags of package flag are the process's, and a session outlives many programs. A cell that is run again declares
// its flags again; a flag that is not known must fail the cell and not end the session, as flag.ExitOnError would.

// newCommandLine replaces the process's flags by a set that panics about wrong arguments. It has the flags that there
// were, but for those that drop names.
func newCommandLine(drop func(name string) bool) {
	was := flag.CommandLine
	set := flag.NewFlagSet(os.Args[0], flag.PanicOnError)
	set.Usage = func() { flag.Usage() } // cells may replace it
	was.VisitAll(func(f *flag.Flag) {
		if drop == nil || !drop(f.Name) {
			set.Var(f.Value, f.Name, f.Usage)
			set.Lookup(f.Name).DefValue = f.DefValue
		}
	})
	if was.Parsed() {
		set.Parse(nil)
	}
	flag.CommandLine = set
}

// declaresFlags finds code that may declare a flag of the process.
var declaresFlags = lazyregexp.New(`\bflag\.(Bool|Duration|Float64|Func|BoolFunc|Int|Int64|String|Text|Uint|Uint64|Var)(Var|Func)?\(`)

// flagsAgain lets src declare flags that there are already. What it returns is to be called when src has run.
func flagsAgain(src string) (keep func()) {
	if !declaresFlags.MatchString(src) {
		return func() {}
	}
	was := flag.CommandLine
	newCommandLine(func(name string) bool {
		return strings.Contains(src, strconv.Quote(name)) || strings.Contains(src, "`"+name+"`")
	})
	return func() {
		was.VisitAll(func(f *flag.Flag) {
			if flag.Lookup(f.Name) == nil {
				flag.Var(f.Value, f.Name, f.Usage)
				flag.Lookup(f.Name).DefValue = f.DefValue
			}
		})
	}
}

// parseFlags gives the flags that cells have declared their values from os.Args: those that it does not name get their
// default values back, where an earlier program had set them.
func (c *Call) parseFlags() (err error) {
	flag.CommandLine.VisitAll(func(f *flag.Flag) { // a set that took another's place does not know which were set
		if strings.HasPrefix(f.Name, "test.") { // see ownTestFlags
			return
		}
		// what a function does with a default value is not known
		if _, plain := f.Value.(flag.Getter); plain && f.Value.String() != f.DefValue {
			f.Value.Set(f.DefValue)
		}
	})
	newCommandLine(nil)
	set := flag.CommandLine
	defer func() {
		if v := recover(); v != nil { // an error of the set, or a panic of a flag that is the cell's own
			err, _ = v.(error)
			if err == nil {
				err = fmt.Errorf("%v", v)
			}
			if errors.Is(err, flag.ErrHelp) {
				err = errors.New("the flags are shown above; the cell did not run")
			} else {
				err = fmt.Errorf("%w; %s -h shows the flags", err, mainCell)
			}
		}
	}()
	help := slices.ContainsFunc(os.Args[1:], func(arg string) bool {
		return strings.TrimLeft(arg, "-") == "h" || strings.TrimLeft(arg, "-") == "help"
	})
	if set.SetOutput(io.Discard); help {
		set.SetOutput(c.stderr())
	}
	defer set.SetOutput(nil)
	return set.Parse(os.Args[1:])
}
