package main

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

// engines are what can run cells, by the names that --engine takes.
var engines = map[string]func() interp.Engine{"ixgo": ixgo.New, "yaegi": yaegi.New}

// defaultEngine runs cells unless --engine says otherwise.
const defaultEngine = "ixgo"

// engine is the name of the one that this process uses.
var engine = defaultEngine

func setEngine(name string) error {
	if engines[name] == nil {
		return fmt.Errorf("there is no engine %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(engines)), ", "))
	}
	engine = name
	return nil
}

// engineFlag adds --engine to a command's options.
func engineFlag(flags *flag.FlagSet) {
	flags.Func("engine", "run cells on the engine `NAME`: ixgo (the default) or yaegi", setEngine)
}

// takeGlobal removes --engine NAME and --gpu-worker on|off from the front of args: of a command that takes no other
// options, or gives them to a program.
func takeGlobal(args []string) ([]string, error) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		name, value, given := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
		set := map[string]func(string) error{"engine": setEngine, "gpu-worker": setGPUWorker}[name]
		if set == nil || !given && len(args) == 1 {
			return args, nil
		}
		if args = args[1:]; !given {
			value, args = args[0], args[1:]
		}
		if err := set(value); err != nil {
			return nil, err
		}
	}
	return args, nil
}
