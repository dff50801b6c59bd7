//go:build !unix

package kernel

func (k *kernel) watchUse() {}
