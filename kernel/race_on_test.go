//go:build race

package kernel

// underRace is set where the race detector watches, whose own memory counts.
const underRace = true
