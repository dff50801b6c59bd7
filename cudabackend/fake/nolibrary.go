//go:build nocuda || !linux

package fake

// Start returns ErrNone.
func Start(dir string) (*Driver, error) { return nil, ErrNone }

// Attach returns ErrNone.
func Attach() error { return ErrNone }

// Libraries returns ErrNone.
func Libraries(dir string) error { return ErrNone }
