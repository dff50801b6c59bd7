package kernel

import (
	"encoding/json"
	"fmt"
	"net"
	"strconv"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/kernel/zmtp"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Connection is the content of a connection file: where to listen and how to sign.
type Connection struct {
	Transport       string `json:"transport"` // "tcp" or "ipc"
	IP              string `json:"ip"`        // with ipc, the beginning of a path
	ShellPort       int    `json:"shell_port"`
	ControlPort     int    `json:"control_port"`
	StdinPort       int    `json:"stdin_port"`
	IOPubPort       int    `json:"iopub_port"`
	HBPort          int    `json:"hb_port"`
	SignatureScheme string `json:"signature_scheme"`
	Key             string `json:"key"`
	CurvePublicKey  string `json:"curve_publickey"` // with the secret one: clients must encrypt
	CurveSecretKey  string `json:"curve_secretkey"`

	curve *zmtp.KeyPair
}

// ReadConnection reads and checks the connection file at path.
func ReadConnection(path string) (Connection, error) {
	c := Connection{Transport: "tcp", SignatureScheme: "hmac-sha256"}
	data, err := budget.ReadFile(path, "it", budget.SmallFile)
	if err != nil {
		return c, fmt.Errorf("kernel: the connection file: %w", err)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("kernel: the connection file %s: %w", path, err)
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("kernel: the connection file %s: %w", path, err)
	}
	return c, nil
}

func (c *Connection) check() (err error) {
	if c.Transport != "tcp" && c.Transport != "ipc" {
		return fmt.Errorf("transport %s; tcp and ipc are known", brief.Quoted(c.Transport))
	}
	if c.IP == "" {
		return fmt.Errorf("no ip")
	}
	if c.Key != "" && c.SignatureScheme != "hmac-sha256" {
		return fmt.Errorf("signature scheme %s; only hmac-sha256 is known", brief.Quoted(c.SignatureScheme))
	}
	if c.CurvePublicKey != "" || c.CurveSecretKey != "" {
		if c.curve, err = zmtp.ParseKeyPair(c.CurvePublicKey, c.CurveSecretKey); err != nil {
			return fmt.Errorf("curve_publickey and curve_secretkey: %w", err)
		}
	}
	for name, port := range map[string]int{"shell_port": c.ShellPort, "control_port": c.ControlPort,
		"stdin_port": c.StdinPort, "iopub_port": c.IOPubPort, "hb_port": c.HBPort} {
		if port <= 0 || c.Transport == "tcp" && port > 65535 {
			return fmt.Errorf("%s is %d", name, port)
		}
	}
	return nil
}

// endpoint is where the socket with the given port listens.
func (c Connection) endpoint(port int) string {
	if c.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", c.IP, port)
	}
	ip := c.IP
	if ip == "*" {
		ip = ""
	}
	return "tcp://" + net.JoinHostPort(ip, strconv.Itoa(port))
}
