package vector

// rotate does p on as many of the columns as a loop takes, and returns how many.
func (p *Sweep) rotate(columns int) int {
	switch {
	case hasAVX512 && columns >= 64:
		sweep512x64(p)
		return 64
	case hasAVX512:
		sweep512x16(p)
	case hasAVX2:
		sweep256x16(p)
	default:
		p.rotatePlainly()
	}
	return SweepColumns
}
