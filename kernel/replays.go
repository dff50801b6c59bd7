package kernel

import "sync"

// rememberSignatures is how many signatures are kept: as many as ipykernel keeps.
const rememberSignatures = 1 << 16

// replays remembers the signatures of the latest messages. Whoever can read a connection, but not the key, could send a
// message again; its signature betrays it, for no two messages have one id.
type replays struct {
	mu   sync.Mutex
	seen map[[32]byte]bool // the first half of the hexadecimal digits: 128 bits
	ring [][32]byte
	next int
}

// add reports whether a valid signature is new.
func (r *replays) add(signature []byte) bool {
	sig := [32]byte(signature)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil {
		r.seen = map[[32]byte]bool{}
	}
	if r.seen[sig] {
		return false
	}
	r.seen[sig] = true
	if len(r.ring) < rememberSignatures {
		r.ring = append(r.ring, sig)
		return true
	}
	delete(r.seen, r.ring[r.next])
	r.ring[r.next] = sig
	r.next = (r.next + 1) % rememberSignatures
	return true
}
