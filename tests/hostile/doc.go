// Hostile tries every reader of the project, of files as of what clients send, with data that is damaged or made to
// harm: files cut short, single bits flipped, sizes near 0, -1, 2^31, 2^32 and 2^63, deep nesting, contents that are
// packed very tight, wrong encodings, lengths that are not true, and what copies and disks do: ends of zeros, blocks in
// other places, lines ended otherwise, bytes read as text.
//
//	go run ./tests/hostile                            # all formats, a minute
//	go run ./tests/hostile -cases 20000 -seed 7       # longer
//	go run ./tests/hostile -formats png,npz -v        # some formats; each case and what the reader said
//
// Each format (see formats.go) has good inputs, special inputs of its own, and the real reader. Of them the cases are
// made, the same ones for the same seed. They run in a child process whose address space is bounded, one process for a
// format; each case is named before it runs, so that a process that dies names it, and the next process goes on behind
// it. A case must end with a value, or with an error that says what is wrong. Never may it panic, hang, or take more
// memory than a constant and a multiple of the input's size. Where the format has checksums, what one wrong bit leaves
// must be an error or the same value.
//
// The test of this package runs it, with a few random cases of each format: internal/testsize.
package main
