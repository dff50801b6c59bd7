// Package install makes the kernel known to Jupyter: it writes, lists and removes kernelspecs, the directories in which
// Jupyter looks for kernels.
//
// [Install] writes one for a binary, [List] shows those that Jupyter would find, [Remove] deletes one. Where they lie
// on Linux, macOS and Windows is in paths.go, after jupyter_core; what they hold in spec.go. The logo is drawn by hand
// as SVG; its PNG forms are made from the same shapes by `go generate`.
//
// The package must never know how the kernel works: a kernelspec holds the command that starts it and no more.
package install

//go:generate go run ./internal/logo
