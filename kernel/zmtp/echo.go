package zmtp

import "cmp"

// Echo is a REP socket that returns every message to its sender as it came, envelope included.
type Echo struct{ *socket }

// ListenEcho opens a REP on endpoint, "tcp://host:port" or "ipc://path".
func ListenEcho(endpoint string, o Options) (*Echo, error) {
	o.MaxFrame = cmp.Or(o.MaxFrame, smallFrame)
	s, err := listen(endpoint, "REP", echoRole{}, o)
	if err != nil {
		return nil, err
	}
	s.start()
	return &Echo{s}, nil
}

type echoRole struct{}

func (echoRole) joined(*conn) {}
func (echoRole) left(*conn)   {}
func (echoRole) message(c *conn, m Message) bool {
	c.send(m)
	return false
}
func (echoRole) command(*conn, string, []byte) {}
