package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/arrayrepl/arrayrepl/cudabackend"
)

// gpuWorkerVariable is "off" where NVIDIA's driver is to be opened in the session's own process. Sessions inherit it
// from what starts them, Jupyter too.
const gpuWorkerVariable = "ARRAYREPL_GPU_WORKER"

func setGPUWorker(value string) error {
	if value != "on" && value != "off" {
		return fmt.Errorf("--gpu-worker is on or off, not %q", value)
	}
	return os.Setenv(gpuWorkerVariable, value)
}

// gpuWorker returns the command of the process in which work on GPUs runs; none where it runs in this one.
func gpuWorker() []string {
	self, err := os.Executable()
	if err != nil || runtime.GOOS != "linux" || os.Getenv(gpuWorkerVariable) == "off" {
		return nil
	}
	return []string{self, "gpu-worker"}
}

// serveGPUWorker is that process.
func serveGPUWorker(context.Context, []string) error { return cudabackend.ServeWorker() }
