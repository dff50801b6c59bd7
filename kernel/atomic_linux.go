package kernel

// atomicWrite is how many bytes a pipe passes in one piece: PIPE_BUF.
const atomicWrite = 4096
