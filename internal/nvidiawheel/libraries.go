package nvidiawheel

import (
	"os"
	"path/filepath"
)

// Libraries returns the paths where a library of the CUDA toolkit may be that has one of the names: in the folders that
// variables of the environment name, in Python environments where wheels (patterns, see [Find]) bring it, in the usual
// places of a toolkit, and, as names alone, where the loader looks.
func Libraries(names []string, wheels ...string) (out []string) {
	add := func(dir string) {
		for _, name := range names {
			files, _ := filepath.Glob(filepath.Join(dir, name))
			out = append(out, files...)
		}
	}
	for _, env := range []string{"ARRAYREPL_CUDA_PATH", "CUDA_HOME", "CUDA_PATH"} {
		if dir := os.Getenv(env); dir != "" {
			add(dir)
			add(filepath.Join(dir, "lib64"))
			add(filepath.Join(dir, "lib"))
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")) {
		add(dir)
	}
	if path, err := Find(wheels...); err == nil {
		out = append(out, path)
	}
	if dir := os.Getenv("CONDA_PREFIX"); dir != "" {
		add(filepath.Join(dir, "lib"))
	}
	add("/usr/local/cuda/lib64")
	add("/usr/lib/x86_64-linux-gnu")
	add("/usr/lib/aarch64-linux-gnu")
	return append(out, names...)
}
