package sorting

// Count sorts keys of so many bits, of which it counts how many of each there are.
func Count[K Key](x []K, bits int, poll func()) {
	counts := make([]int, 1<<bits)
	const step = 1 << 19
	for lo := 0; lo < len(x); lo += step {
		poll()
		for _, k := range x[lo:min(lo+step, len(x))] {
			counts[k]++
		}
	}
	at := 0
	for k, n := range counts {
		run := x[at : at+n]
		for i := range run {
			run[i] = K(k)
		}
		at += n
	}
}
