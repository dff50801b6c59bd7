package main

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

// engines are what can run cells, by the names that --engine takes.
var engines = map[string]func() interp.Engine{"ixgo": interp.NewIxgo, "yaegi": yaegi.New}

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

// takeEngine removes --engine NAME from the front of args: of a command that takes no other options, or gives them to a
// program.
func takeEngine(args []string) ([]string, error) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		name, ok := strings.CutPrefix(strings.TrimLeft(args[0], "-"), "engine")
		switch {
		case ok && name == "" && len(args) > 1:
			name, args = args[1], args[2:]
		case ok && strings.HasPrefix(name, "="):
			name, args = name[1:], args[1:]
		default:
			return args, nil
		}
		if err := setEngine(name); err != nil {
			return nil, err
		}
	}
	return args, nil
}
