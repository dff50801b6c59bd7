// Command ship makes what goreleaser does not know of what is handed out: wheels for Python, bills of materials, the
// licences of what is inside. .goreleaser.yaml, the Makefile, and packages of others call it.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

var commands = []struct {
	name, args, help string
	run              func(args []string) error
}{
	{"prefix", "[-version V] PREFIX [PLATFORM]", "build into an installation prefix, for package managers; NOTICES.txt into this directory", prefixCommand},
	{"wheel", "[-o DIR] [-version V] [BINARY]", "pack a binary as a wheel; without one, build it for this machine", wheelCommand},
	{"sbom", "BINARY", "print the bill of materials of a binary (CycloneDX)", sbomCommand},
	{"licences", "BINARY", "list the licences of what is in a binary; fails on one that may not be there", licencesCommand},
	{"notices", "BINARY", "print the texts of these licences", noticesCommand},
	{"version", "", "print the version of the commit, without its v", versionCommand},
	{"proxy", "[-version V] DIR", "write a module proxy with this module alone", proxyCommand},
}

func main() {
	name, args := "", os.Args[1:]
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	for _, c := range commands {
		if c.name != name {
			continue
		}
		if err := c.run(args); err != nil {
			fmt.Fprintln(os.Stderr, "ship "+name+":", err)
			os.Exit(1)
		}
		return
	}
	for _, c := range commands {
		fmt.Fprintf(os.Stderr, "ship %-45s %s\n", c.name+" "+c.args, c.help)
	}
	os.Exit(2)
}

// options are those that several commands have.
type options struct {
	out     string
	version string
}

func parse(name string, args []string, wantArgs int) (o options, rest []string, err error) {
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	flags.StringVar(&o.out, "o", "dist", "write to `DIR`")
	flags.StringVar(&o.version, "version", "", "`VERSION` of what is built; default: from git")
	flags.Parse(args)
	if wantArgs >= 0 && flags.NArg() != wantArgs {
		return o, nil, fmt.Errorf("%d arguments, not %d", flags.NArg(), wantArgs)
	}
	if o.version == "" {
		if o.version, err = gitVersion(); err != nil {
			return o, nil, err
		}
	}
	if !strings.HasPrefix(o.version, "v") {
		return o, nil, fmt.Errorf("a version begins with v, as v1.2.3: %q", o.version)
	}
	return o, flags.Args(), nil
}
