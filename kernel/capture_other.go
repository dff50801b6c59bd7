//go:build !unix

package kernel

import "os"

// redirect puts pipes in the place of os.Stdout and os.Stderr: what is written from Go.
func (c *Capture) redirect() error {
	stdout, stderr := os.Stdout, os.Stderr
	c.restore = func() { os.Stdout, os.Stderr = stdout, stderr }
	c.stdout, c.stderr = stdout, stderr
	for name, file := range map[string]**os.File{"stdout": &os.Stdout, "stderr": &os.Stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			c.restore()
			return err
		}
		*file = w
		c.streams = append(c.streams, &captured{name: name, r: r, w: w})
	}
	return nil
}
