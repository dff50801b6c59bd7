package offload

// Policy sets which of several devices a launch runs on: by the name of a policy, with the threshold of one that has
// such, or by a function that returns one of the devices it is given.
//
//	offload.Policy("round-robin")                // in turn
//	offload.Policy("stream-aware")               // the one with the fewest streams that have work
//	offload.Policy("min-transfer-size", 0.1)     // the one that has the most bytes of the arguments
//	offload.Policy("earliest-finish", 0.1)       // the one where it would be over first; as at first
//	offload.Policy("min-max-transfer-time", 0.1) // the one to which copies take the shortest time at worst
//	offload.Policy("key-affinity")               // the one that has the most of the largest argument
//	offload.Policy("estimator")                  // the one where computing and copying cost least, as in Bach
//	offload.Policy("exhaustive")                 // the best of all placements of the program; slow, to compare with
//	offload.Policy(func(c offload.Candidates) int { return c.Least(c.Bytes) })
//
// A threshold is a part of the arguments' bytes, from 0 to 1, 0.1 where none is given: devices that have less are
// taken in turn. Policy panics where there is no policy of that name.
func Policy[P string | func(Candidates) int](policy P, threshold ...float64) {
	switch policy := any(policy).(type) {
	case string:
		PolicyNamed(policy, threshold...)
	case func(Candidates) int:
		PolicyFunc(policy, threshold...)
	}
}
