//go:build !linux

package kernel

// atomicWrite is how many bytes a pipe passes in one piece: the least that POSIX allows for PIPE_BUF.
const atomicWrite = 512
