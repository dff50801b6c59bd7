package device

// Watched is a stream that knows what its running kernel executes.
type Watched interface {
	// Where says where the kernel is that runs, or that was stopped last, in words: "kernel spin: thread (5) of block
	// (0) is at cell 1, line 4". It is "" where that is not known, and takes at most a tenth of a second.
	Where() string
}
