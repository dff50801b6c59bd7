// Package nvrtc compiles CUDA C to PTX and to kernels of package kir, with NVIDIA's runtime compiler. It needs the
// compiler's library (the Python package nvidia-cuda-nvrtc-cu12 is enough), no GPU and no driver. The compiler runs in
// a process of its own (package compiler).
//
// Start with [Compile] and [Kernels]. Binaries with the build tag nocuda have neither; their functions say so.
package nvrtc
