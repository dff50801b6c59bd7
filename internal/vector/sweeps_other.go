//go:build !amd64

package vector

// rotate does p on as many of the columns as a loop takes, and returns how many.
func (p *Sweep) rotate(int) int {
	p.rotatePlainly()
	return SweepColumns
}
