package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/install"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

//go:embed lab-constraints.txt
var labConstraints []byte

// lab opens a directory of notebooks, or a notebook, in JupyterLab.
func lab(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("lab", flag.ExitOnError)
	noBrowser := flags.Bool("no-browser", false, "print the address instead of opening a browser")
	port := flags.Int("port", 8888, "port to listen on; the next free one is taken")
	private := flags.Bool("private", false, "use the private JupyterLab even where the machine has one")
	rest := parseArgs(flags, args)
	if len(rest) > 1 {
		return fmt.Errorf("lab opens one directory or notebook, not %q", rest)
	}
	dir, file, err := labTarget(ctx, rest)
	if err != nil {
		return err
	}

	jupyter, err := findLab(ctx, *private)
	if err != nil {
		return err
	}
	binary, err := keepBinary()
	if err != nil {
		return err
	}
	spec, err := install.Install(install.Options{Binary: binary})
	if err != nil {
		return err
	}
	say("The kernel is registered in %s.", spec)
	return startLab(ctx, jupyter, dir, file, *port, *noBrowser)
}

// labTarget is the directory that lab serves and the notebook in it that it opens, "" for none: of a directory, a
// notebook or the address of one. Of notebooks that a clone ships it is a directory of copies.
func labTarget(ctx context.Context, args []string) (dir, file string, err error) {
	if dir, file, err = named(ctx, args); err != nil || !isShipped(dir) {
		return dir, file, err
	}
	if dir, err = ownCopies(dir); err != nil {
		return "", "", fmt.Errorf("copying the notebooks: %w", err)
	}
	say("The notebooks are opened as copies in %s; those that you have there stay as they are.", dir)
	return dir, file, nil
}

// named is the directory and the notebook that the arguments of lab name.
func named(ctx context.Context, args []string) (dir, file string, err error) {
	dir = shippedNotebooks
	if len(args) == 0 {
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			dir = "."
		}
		return dir, "", nil
	}
	path := args[0]
	if isAddress(path) {
		if path, err = saveFromWeb(ctx, path, "."); err != nil {
			return "", "", err
		}
		say("Saved as %s.", path)
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("there is no directory or notebook %s to open", path)
	case st.IsDir():
		return path, "", nil
	}
	if nb, err := notebook.Read(path); err != nil {
		return "", "", err
	} else if note := ageNote(nb); note != "" {
		fmt.Fprint(os.Stderr, note)
	}
	return filepath.Dir(path), filepath.Base(path), nil
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// findLab returns a command line that runs JupyterLab 4: the machine's own, or one in a private virtual environment,
// which is made when it is not there.
func findLab(ctx context.Context, private bool) ([]string, error) {
	if !private {
		out, err := exec.CommandContext(ctx, "jupyter", "lab", "--version").Output()
		if v := strings.TrimSpace(string(out)); err == nil && strings.HasPrefix(v, "4.") {
			say("Using JupyterLab %s of this machine.", v)
			return []string{"jupyter", "lab"}, nil
		}
	}
	venv, err := cachePath("jupyter")
	if err != nil {
		return nil, err
	}
	python := venvPython(venv)
	stamp := filepath.Join(venv, "constraints.txt")
	if have, err := budget.ReadFile(stamp, "the list of packages", budget.SmallFile); err == nil && string(have) == string(labConstraints) {
		return []string{python, "-m", "jupyterlab"}, nil
	}
	say("JupyterLab is not on this machine. Setting it up in %s (once; about 250 MB).", venv)
	if err := makeVenv(ctx, venv); err != nil {
		return nil, err
	}
	constraints := filepath.Join(venv, "wanted.txt")
	if err := os.WriteFile(constraints, labConstraints, 0o644); err != nil {
		return nil, err
	}
	say("2/2 Downloading and installing JupyterLab (a minute or two) …")
	pip := exec.CommandContext(ctx, python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input",
		"jupyterlab", "jupyterlab_widgets", "nbconvert", "-c", constraints)
	if out, err := withProgress(pip); err != nil {
		return nil, pipError(err, out)
	}
	if err := os.Rename(constraints, stamp); err != nil { // last, so that a broken set-up is not taken for a good one
		return nil, err
	}
	return []string{python, "-m", "jupyterlab"}, nil
}

// makeVenv makes a fresh virtual environment with a Python that can.
func makeVenv(ctx context.Context, venv string) error {
	const next = "Install Python 3.10 or newer (on Debian and Ubuntu: apt install python3 python3-venv) and run the command again.\n" +
		"Without Python, `arrayrepl` is a terminal REPL and `arrayrepl run NOTEBOOK` runs notebooks"
	say("1/2 Making a virtual environment …")
	var errs []string
	for _, python := range []string{"python3", "python"} {
		path, err := exec.LookPath(python)
		if err != nil {
			continue
		}
		if err := exec.CommandContext(ctx, path, "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run(); err != nil {
			errs = append(errs, path+" is older than 3.10")
			continue
		}
		out, err := exec.CommandContext(ctx, path, "-m", "venv", "--clear", venv).CombinedOutput()
		if err == nil {
			return nil
		}
		errs = append(errs, fmt.Sprintf("%s -m venv: %v\n%s", path, err, strings.TrimSpace(string(out))))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if errs == nil {
		return errors.New("JupyterLab needs Python 3, and there is none on the PATH.\n" + next)
	}
	return fmt.Errorf("no Python here can make a virtual environment:\n%s\n%s", strings.Join(errs, "\n"), next)
}

// withProgress runs cmd and shows, on one line, what it is at. It returns all that cmd said.
func withProgress(cmd *exec.Cmd) (output []string, err error) {
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines, n := bufio.NewScanner(r), 0
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			text := strings.TrimSpace(lines.Text())
			output = append(output, text)
			if strings.HasPrefix(text, "Collecting") || strings.HasPrefix(text, "Installing") {
				n++
				fmt.Fprintf(os.Stderr, "\r\033[K    [%d] %.60s", n, text)
			}
		}
		fmt.Fprint(os.Stderr, "\r\033[K")
	}()
	err = cmd.Run()
	w.Close()
	<-done
	return output, err
}

// unreachable finds the lines in which pip says that it did not get to the package index. When it gets nothing at all,
// its last words speak of version conflicts instead.
var unreachable = lazyregexp.New(`(?i)connection broken|connection error|could not fetch url|name resolution|\(from versions: none\)`)

// pipError says why pip failed and what to do.
func pipError(err error, output []string) error {
	const otherwise = "Without JupyterLab, `arrayrepl` is a terminal REPL and `arrayrepl run NOTEBOOK` runs notebooks"
	for _, line := range output {
		if unreachable.MatchString(line) {
			return fmt.Errorf("JupyterLab could not be downloaded: pip does not reach the Python package index.\n    %.200s\n"+
				"Connect this machine, or set HTTPS_PROXY or pip's own configuration, and run the command again.\n"+otherwise, line)
		}
	}
	tail := output[max(0, len(output)-8):]
	return fmt.Errorf("installing JupyterLab with pip failed (%w); it said last:\n    %s\n"+
		"Install JupyterLab 4 in a way of your own, so that `jupyter lab` starts it, and run the command again.\n"+otherwise,
		err, strings.Join(tail, "\n    "))
}

// keepBinary returns the path of this program where it will still be tomorrow, and be the new one after an update:
// where the shell finds it, when it does; a package manager's link stays, what it leads to moves. `go run` deletes what
// it built, so that is copied to where the user's data is: who empties caches does not take the kernel away.
func keepBinary() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	if !builtByGoRun(self) {
		if found, err := exec.LookPath("arrayrepl"); err == nil && sameFile(found, self) {
			return filepath.Abs(found)
		}
		return self, nil
	}
	dir, err := dataPath("bin")
	if err != nil {
		return "", err
	}
	keep := filepath.Join(dir, filepath.Base(self))
	if err := copyFile(keep, self, 0o755); err != nil {
		return "", err
	}
	return keep, nil
}

// copyFile copies a file, which has the permissions that perm says, less what the umask takes.
func copyFile(dst, src string, perm os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
		return err
	}
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	tmp, err := os.MkdirTemp(filepath.Dir(dst), ".copy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	out, err := os.OpenFile(filepath.Join(tmp, "copy"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), dst) // a running kernel keeps the file it was started from
}

// address finds the server's own address, token included, in what it logs.
var address = lazyregexp.New(`http://(?:localhost|127\.0\.0\.1):\d+\S*`)

// startLab runs the server until it ends or ctx is cancelled. Its log goes to a file; the address to the user.
func startLab(ctx context.Context, jupyter []string, dir, file string, port int, noBrowser bool) error {
	args := append(jupyter[1:], "--notebook-dir="+dir, fmt.Sprintf("--port=%d", port))
	if file != "" {
		args = append(args, "--LabApp.default_url=/lab/tree/"+url.PathEscape(file))
	}
	if noBrowser {
		args = append(args, "--no-browser")
	}
	if os.Getuid() == 0 {
		args = append(args, "--allow-root")
	}
	cmd := exec.CommandContext(ctx, jupyter[0], args...)
	cmd.Cancel = func() error { return askToEnd(cmd.Process) }
	cmd.WaitDelay = 10 * time.Second
	extension, err := cachePath("server")
	if err != nil {
		return err
	}
	env, err := install.WriteServerExtension(extension)
	if err != nil {
		return err
	}
	cmd.Env = os.Environ()
	if self, err := os.Executable(); err == nil {
		cmd.Env = append(cmd.Env, "ARRAYREPL_PROGRAM="+self)
	}
	for name, dir := range env {
		cmd.Env = append(cmd.Env, name+"="+strings.TrimSuffix(dir+string(os.PathListSeparator)+os.Getenv(name), string(os.PathListSeparator)))
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	log, err := os.CreateTemp("", "arrayrepl-lab-*.log")
	if err != nil {
		return err
	}
	defer log.Close()
	say("Starting JupyterLab in %s (log: %s) …", dir, log.Name())
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(io.TeeReader(stderr, log))
	lines.Buffer(nil, 1<<20)
	shown := false
	var tail []string
	for lines.Scan() {
		if at := address.FindString(lines.Text()); at != "" && !shown {
			shown = true
			fmt.Println("JupyterLab is at", at)
			say("Press Ctrl-C to stop it.")
		}
		if tail = append(tail, lines.Text()); len(tail) > 5 {
			tail = tail[1:]
		}
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return nil
	}
	if err != nil || !shown {
		return fmt.Errorf("JupyterLab ended (%v); the end of its log:\n%s", err, strings.Join(tail, "\n"))
	}
	return nil
}
