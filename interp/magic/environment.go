package magic

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// cd changes the directory.
func cd(c *Call) (display.Bundle, error) {
	was, _ := os.Getwd()
	dir := unquote(c.Arg)
	c.mu.Lock()
	back := c.back
	c.mu.Unlock()
	switch {
	case dir == "" && c.opts.GoNB:
		return pwd(c)
	case dir == "" || dir == "~":
		home, err := os.UserHomeDir()
		if err != nil {
			return display.Bundle{}, err
		}
		dir = home
	case dir == "-" && back == "":
		return display.Bundle{}, fmt.Errorf("there is no directory to go back to yet")
	case dir == "-":
		dir = back
	default:
		dir = expandHome(dir)
	}
	if err := os.Chdir(dir); err != nil {
		return display.Bundle{}, err
	}
	c.mu.Lock()
	c.back = was
	c.mu.Unlock()
	if c.opts.GoNB {
		c.enterGoNB()
	}
	return pwd(c)
}

func pwd(c *Call) (display.Bundle, error) {
	dir, err := os.Getwd()
	if err == nil {
		c.Printf("%s\n", dir)
	}
	return display.Bundle{}, err
}

// env shows or sets variables of the environment.
func env(c *Call) (display.Bundle, error) {
	name, value, set := strings.Cut(c.Arg, "=")
	if !set {
		name, value, set = strings.Cut(c.Arg, " ")
	}
	name, value = strings.TrimSpace(name), unquote(strings.TrimSpace(value))
	switch {
	case name == "" && !set:
		all := os.Environ()
		slices.Sort(all)
		for _, v := range all {
			c.Printf("%s\n", v)
		}
	case set:
		if err := os.Setenv(name, value); err != nil {
			return display.Bundle{}, err
		}
		c.Printf("%s=%s\n", name, value)
	default:
		v, ok := os.LookupEnv(name)
		if !ok {
			return display.Bundle{}, fmt.Errorf("the environment has no variable %s", name)
		}
		c.Printf("%s\n", v)
	}
	return display.Bundle{}, nil
}

// unquote takes away the quotes around an argument.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

// expandHome replaces a ~ at the beginning of a path.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if home, err := os.UserHomeDir(); err == nil {
			return home + rest
		}
	}
	return path
}
