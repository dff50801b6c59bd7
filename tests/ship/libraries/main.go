// Command libraries prints the dynamic libraries that a program of any platform needs, as the standard library reads
// them.
package main

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"os"
)

func main() {
	libraries, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, l := range libraries {
		fmt.Println(l)
	}
}

func read(path string) ([]string, error) {
	if f, err := elf.Open(path); err == nil {
		defer f.Close()
		if f.Section(".dynamic") == nil {
			return nil, nil // static
		}
		return f.ImportedLibraries()
	}
	if f, err := macho.Open(path); err == nil {
		defer f.Close()
		return f.ImportedLibraries()
	}
	f, err := pe.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols() // ImportedLibraries is not implemented for PE
	seen := map[string]bool{}
	var libraries []string
	for _, s := range symbols {
		for i := range s {
			if s[i] == ':' && !seen[s[i+1:]] {
				seen[s[i+1:]] = true
				libraries = append(libraries, s[i+1:])
			}
		}
	}
	return libraries, err
}
