package supervise

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strings"
)

// Reading returns the contexts of the cells, also of ended ones, with a goroutine that waits in a read of a file, such
// as os.Stdin; as those of Context they have the values of what Run got. It takes a profile of all goroutines: ask for
// it when somebody is known to wait.
func (s *Supervisor) Reading() []context.Context {
	var profile bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&profile, 1) // into memory: no error
	waiting := map[string]bool{}
	for _, group := range strings.Split(profile.String(), "\n\n") {
		if strings.Contains(group, "\tos.(*File).Read+") && strings.Contains(group, "\tinternal/poll.runtime_pollWait+") {
			waiting[labelIn(group, tagKey)] = true
		}
	}
	var found []context.Context
	s.owners.each(func(c *crew) {
		if r := c.run; waiting[r.name] {
			waiting[r.name] = false
			found = append(found, r.ctx)
		}
	})
	return found
}
