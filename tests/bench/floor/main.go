// Command floor is a Jupyter kernel that knows the answers before the question: each cell shows 2, and nothing is run.
// Beside it the benchmark of kernels says what of a time belongs to the client and the sockets, and cannot be undercut.
//
//	floor CONNECTION_FILE
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel"
	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

type object = map[string]any

// floor is the kernel.
type floor struct {
	key     []byte
	session string
	iopub   *zmtp.Pub
	count   int // of cells
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("floor CONNECTION_FILE")
	}
	conn, err := kernel.ReadConnection(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	at := func(port int) string { return fmt.Sprintf("tcp://%s:%d", conn.IP, port) }
	router := func(port int) *zmtp.Router {
		r, err := zmtp.ListenRouter(at(port), zmtp.Options{})
		if err != nil {
			log.Fatal(err)
		}
		return r
	}
	f := &floor{key: []byte(conn.Key), session: rand.Text()}
	shell, control := router(conn.ShellPort), router(conn.ControlPort)
	router(conn.StdinPort)
	if f.iopub, err = zmtp.ListenPub(at(conn.IOPubPort), zmtp.Options{}, nil); err != nil {
		log.Fatal(err)
	}
	if _, err := zmtp.ListenEcho(at(conn.HBPort), zmtp.Options{}); err != nil {
		log.Fatal(err)
	}
	go f.serve(control)
	f.serve(shell)
}

// serve answers what comes on one socket.
func (f *floor) serve(r *zmtp.Router) {
	for {
		req, err := r.Recv()
		if err != nil {
			return
		}
		from := 0
		for from < len(req.Frames) && string(req.Frames[from]) != "<IDS|MSG>" {
			from++
		}
		if len(req.Frames) < from+6 {
			continue
		}
		parent := req.Frames[from+2]
		var header struct {
			Type string `json:"msg_type"`
		}
		json.Unmarshal(parent, &header) // an unknown type gets no answer
		f.publish("status", parent, object{"execution_state": "busy"})
		reply := object{"status": "ok"}
		switch header.Type {
		case "kernel_info_request":
			reply = object{"status": "ok", "protocol_version": "5.3", "implementation": "floor", "implementation_version": "1",
				"language_info": object{"name": "x", "version": "1", "mimetype": "text/plain", "file_extension": ".x"}, "banner": ""}
		case "execute_request":
			f.count++
			f.publish("execute_input", parent, object{"code": "", "execution_count": f.count})
			f.publish("execute_result", parent, object{"execution_count": f.count, "data": object{"text/plain": "2"}, "metadata": object{}})
			reply = object{"status": "ok", "execution_count": f.count, "payload": []any{}, "user_expressions": object{}}
		}
		r.Send(req.Peer, f.message(req.Frames[:from], strings.Replace(header.Type, "_request", "_reply", 1), parent, reply))
		f.publish("status", parent, object{"execution_state": "idle"})
		if header.Type == "shutdown_request" {
			time.AfterFunc(5*time.Millisecond, func() { os.Exit(0) }) // the reply is on its way
		}
	}
}

func (f *floor) publish(typ string, parent []byte, content object) {
	f.iopub.Publish(f.message([][]byte{[]byte(typ)}, typ, parent, content))
}

// message signs a message, behind the frames that route it.
func (f *floor) message(route [][]byte, typ string, parent []byte, content object) zmtp.Message {
	body, err := json.Marshal(content)
	if err != nil {
		log.Fatal(err)
	}
	header := fmt.Appendf(nil, `{"msg_id":%q,"session":%q,"username":"","date":%q,"msg_type":%q,"version":"5.3"}`,
		rand.Text(), f.session, time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"), typ)
	parts := [][]byte{header, parent, []byte("{}"), body}
	mac := hmac.New(sha256.New, f.key)
	mac.Write(bytes.Join(parts, nil))
	out := append(zmtp.Message{}, route...)
	return append(append(out, []byte("<IDS|MSG>"), hex.AppendEncode(nil, mac.Sum(nil))), parts...)
}
