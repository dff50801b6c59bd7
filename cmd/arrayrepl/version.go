package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
)

// release is the version of a release, as v1.2.3: its build writes it here with the linker's -X main.release.
var release string

// development is the version of a build that is not a release and that nobody has fetched by a version.
const development = "0.1-dev"

// version is what the binary was built from: of a release its version, of `go install` the module's.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return development
}

// inside is what `version --full` says.
type inside struct {
	Version  string       `json:"version"`
	Commit   string       `json:"commit,omitempty"`
	Time     string       `json:"time,omitempty"` // of the commit
	Go       string       `json:"go"`
	Platform string       `json:"platform"`
	Settings string       `json:"build,omitempty"` // what the go command was told
	Engines  []string     `json:"engines"`
	Modules  []linked     `json:"modules"`
	Assets   []asset      `json:"assets"`
	State    []statePlace `json:"files"`
}

// linked is a module that is linked in, with its checksum as go.sum has it.
type linked struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"`
}

// asset is something embedded that is not Go.
type asset struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Licence string `json:"licence"`
}

// assets lists them; viz/assets/README.md says more.
var assets = []asset{{"Apache ECharts", "6.1.0", "Apache-2.0, with parts of d3 under BSD-3-Clause"}}

// showVersion prints the version, and with --full what the binary is made of.
func showVersion(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("version", flag.ExitOnError)
	full := flags.Bool("full", false, "also what is inside: the commit, the modules with their checksums, scripts; and where files are kept")
	asJSON := flags.Bool("json", false, "the same as JSON")
	if rest := parseArgs(flags, args); len(rest) > 0 {
		return fmt.Errorf("version takes options only, not %q", rest[0])
	}
	if !*full && !*asJSON {
		fmt.Println("arrayrepl", version())
		return nil
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this binary was built without a record of its modules")
	}
	in := insideOf(info)
	if *asJSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(in)
	}
	return in.print(os.Stdout)
}

func insideOf(info *debug.BuildInfo) inside {
	in := inside{
		Version: version(), Go: info.GoVersion, Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Assets: assets, State: statePlaces(),
	}
	for name := range engines {
		in.Engines = append(in.Engines, name)
	}
	slices.Sort(in.Engines)
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		in.Modules = append(in.Modules, linked{m.Path, m.Version, m.Sum})
	}
	var settings []string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			in.Commit = s.Value + in.Commit
		case "vcs.modified":
			if s.Value == "true" {
				in.Commit += " and changes that are not committed"
			}
		case "vcs.time":
			in.Time = s.Value
		case "CGO_ENABLED", "-tags", "-trimpath", "GOAMD64", "GOARM64", "GOEXPERIMENT":
			settings = append(settings, s.Key+"="+s.Value)
		}
	}
	in.Settings = strings.Join(settings, " ")
	return in
}

func (in inside) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	line("arrayrepl", in.Version)
	line("commit", strings.TrimSpace(in.Commit+" "+in.Time))
	line("built with", strings.TrimSpace(in.Go+" for "+in.Platform+" "+in.Settings))
	line("engines", strings.Join(in.Engines, ", "))
	for _, p := range in.State {
		line(p.Name, p.Path)
	}
	fmt.Fprintf(w, "\nMODULE\tVERSION\tCHECKSUM\n")
	for _, m := range in.Modules {
		fmt.Fprintf(w, "%s\t%s\t%s\n", m.Path, m.Version, m.Sum)
	}
	fmt.Fprintf(w, "\nSCRIPTS\tVERSION\tLICENCE\n")
	for _, a := range in.Assets {
		fmt.Fprintf(w, "%s\t%s\t%s\n", a.Name, a.Version, a.Licence)
	}
	return w.Flush()
}
