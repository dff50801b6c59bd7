package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/cmd/arrayrepl/early"
	"github.com/arrayrepl/arrayrepl/install"
	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// serveKernel serves one Jupyter client until it says goodbye.
func serveKernel(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("kernel CONNECTION_FILE", flag.ExitOnError)
	aliasFlag(flags)
	if args = parseArgs(flags, args); len(args) != 1 {
		return errors.New("kernel takes the path of a connection file; Jupyter gives it. To open a notebook: arrayrepl lab")
	}
	// All that this process does is to hand on messages from goroutine to goroutine. Between processors each time wakes
	// one.
	runtime.GOMAXPROCS(1)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return kernel.Serve(ctx, args[0], kernel.Options{
		Implementation: "arrayrepl", Version: version(),
		Session: []string{self, "session", "--engine", engine, "--as", alias}, Language: session{}.Language(),
		HistoryDir: stateFile("kernel-history"), Opened: early.Opened, CommsBeside: alias != "",
	})
}

// serveSession is the process in which the cells of a notebook run.
func serveSession(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("session", flag.ExitOnError)
	aliasFlag(flags)
	parseArgs(flags, args)
	isKernel = true
	os.Args = os.Args[:1] // what cells see
	return kernel.ServeSession(func() (kernel.Session, error) {
		s, err := newSession()
		return session{s}, err
	})
}

// alias is the name under which the notebook has asked for the kernel: that of another kernel for which it was written,
// "" for our own.
var alias string

// writtenFor is the alias under which a notebook without a Jupyter runs: the kernel of those that cells are understood
// of, when its kernelspec names one.
func writtenFor(nb *notebook.Notebook) string {
	spec, _ := nb.Metadata["kernelspec"].(map[string]any)
	if name, _ := spec["name"].(string); name == "gonb" || name == "gophernotes" {
		return name
	}
	return ""
}

// aliasFlag adds --as to the options of a command that Jupyter, or the kernel, starts.
func aliasFlag(flags *flag.FlagSet) {
	flags.StringVar(&alias, "as", "", "the notebook was written for the kernel `NAME`")
}

// installKernel registers this binary with Jupyter.
func installKernel(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("install", flag.ExitOnError)
	var o install.Options
	flags.Bool("user", true, "for this user (the default)")
	flags.BoolVar(&o.SysPrefix, "sys-prefix", false, "into the active Python environment")
	flags.StringVar(&o.Prefix, "prefix", "", "into `DIR`/share/jupyter")
	flags.StringVar(&o.Name, "name", "", "name of the kernelspec (default \""+install.DefaultName+"\"; with --engine \""+install.DefaultName+"-ENGINE\")")
	flags.StringVar(&o.DisplayName, "display-name", "", "name that Jupyter shows (default \""+install.DefaultDisplayName+"\"; with --engine \"Go (ENGINE)\")")
	engineFlag(flags)
	flags.Func("alias", "open notebooks that ask for the kernel `NAME` too: gophernotes, gonb (may be repeated)", func(s string) error {
		o.Aliases = append(o.Aliases, s)
		return nil
	})
	if rest := parseArgs(flags, args); len(rest) > 0 {
		return fmt.Errorf("install takes options only, not %q", rest[0])
	}
	if engine != defaultEngine {
		o.Engine = engine
	}
	var err error
	if o.Binary, err = keepBinary(); err != nil {
		return err
	}
	dir, err := install.Install(o)
	if err != nil {
		return err
	}
	fmt.Printf("The kernel %q is installed in %s.\n", filepath.Base(dir), dir)
	for _, alias := range o.Aliases {
		fmt.Printf("Notebooks for %q open with it.\n", alias)
	}
	return nil
}

// uninstallKernel removes a kernelspec.
func uninstallKernel(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("uninstall", flag.ExitOnError)
	name := flags.String("name", install.DefaultName, "name of the kernelspec")
	parseArgs(flags, args)
	dirs, err := install.Remove(*name)
	for _, dir := range dirs {
		fmt.Println("Removed", dir)
	}
	return err
}

// listKernels lists the kernelspecs that start an arrayrepl.
func listKernels(context.Context, []string) error {
	all, err := install.List()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Printf("No kernel is installed. %s registers one; %s does too.\n", asCommand("arrayrepl install"), asCommand("arrayrepl lab"))
		return nil
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, k := range all {
		note := ""
		if k.AliasOf != "" {
			note = "another name for " + k.AliasOf
		}
		if k.Missing != "" {
			note = "broken: " + k.Missing + " is gone; run arrayrepl install"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", k.Name, k.Spec.DisplayName, k.Dir, note)
	}
	return w.Flush()
}
