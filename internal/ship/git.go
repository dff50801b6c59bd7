package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// commitTime is the time of the commit that is built: the only one that what is built may hold.
func commitTime() (time.Time, error) {
	text, err := git("log", "-1", "--format=%ct")
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// gitVersion is the version of the commit: its tag, or the pseudo-version that Go would give it.
func gitVersion() (string, error) {
	if tag, err := git("describe", "--tags", "--exact-match", "--match", "v*"); err == nil && semver.IsValid(tag) {
		return tag, nil
	}
	older, _ := git("describe", "--tags", "--abbrev=0", "--match", "v*") // there may be none
	at, err := commitTime()
	if err != nil {
		return "", err
	}
	commit, err := git("rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "", err
	}
	return module.PseudoVersion(semver.Major(older), older, at, commit), nil
}

func versionCommand([]string) error {
	v, err := gitVersion()
	if err == nil {
		fmt.Println(strings.TrimPrefix(v, "v"))
	}
	return err
}
