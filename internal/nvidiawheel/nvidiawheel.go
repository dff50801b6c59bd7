// Package nvidiawheel finds files of NVIDIA's Python packages (nvidia-cuda-nvcc, nvidia-cuda-nvrtc): the compiler parts
// of a CUDA toolkit, without a GPU or a driver.
package nvidiawheel

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Find returns the first file that matches one of the patterns (of package filepath, relative to the folder nvidia of a
// Python environment's site-packages, such as "cuda_nvcc/bin/ptxas"). Environments are asked in this order: the one of
// ARRAYREPL_PYTHON, VIRTUAL_ENV, CONDA_PREFIX, python3 and python of PATH.
func Find(patterns ...string) (string, error) {
	var seen []string
	for _, root := range sitePackages() {
		for _, pattern := range patterns {
			if files, _ := filepath.Glob(filepath.Join(root, "nvidia", pattern)); len(files) > 0 {
				slices.Sort(files)
				return files[len(files)-1], nil
			}
		}
		seen = append(seen, filepath.Join(root, "nvidia"))
	}
	if seen == nil {
		return "", fmt.Errorf("no Python environment was found (ARRAYREPL_PYTHON, VIRTUAL_ENV, CONDA_PREFIX, PATH)")
	}
	return "", fmt.Errorf("no %s in %s", strings.Join(patterns, " or "), strings.Join(seen, ", "))
}

var sitePackages = sync.OnceValue(func() (out []string) {
	add := func(dir string) {
		if dir != "" && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	ask := func(python string) {
		if python == "" {
			return
		}
		text, err := exec.Command(python, "-c", "import sysconfig; print(sysconfig.get_path('platlib')); print(sysconfig.get_path('purelib'))").Output()
		if err == nil {
			for line := range strings.Lines(string(text)) {
				add(strings.TrimSpace(line))
			}
		}
	}
	ask(os.Getenv("ARRAYREPL_PYTHON"))
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(env); dir != "" {
			ask(filepath.Join(dir, "bin", "python"))
		}
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			ask(path)
		}
	}
	return out
})
