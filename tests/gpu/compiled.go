package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// writeCorpus compiles the kernels of the corpus, which takes the go command and their source, into a file for machines
// without those.
func writeCorpus(file string) error {
	var list []gosrc.Entry
	for _, k := range kernels.All {
		made, err := kernels.Compile(k.Name, gosrc.Options{})
		if err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		e := gosrc.Entry{
			Name:   runtime.FuncForPC(reflect.ValueOf(k.Func).Pointer()).Name(),
			Kernel: gosrc.Encode(made.Func), Prints: made.Prints, Dynamic: made.Dynamic,
		}
		for _, p := range made.Params {
			e.Params = append(e.Params, p.Name)
			for _, leaf := range p.Leaves {
				if leaf.Writes {
					e.Writes = append(e.Writes, leaf.First)
				}
			}
		}
		for _, v := range made.Variables {
			e.Variables = append(e.Variables, gosrc.EntryVariable{Name: v.Name, Bytes: v.Bytes, Writes: v.Writes})
		}
		list = append(list, e)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// readCorpus makes the kernels of such a file known.
func readCorpus(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var list []gosrc.Entry
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for i := range list {
		for j := range list[i].Variables {
			v := &list[i].Variables[j]
			v.Address = kernels.Addresses[v.Name]
		}
	}
	gosrc.Register(nil, list...) // no sources to compare with
	return nil
}
