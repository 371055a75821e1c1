package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	plan "github.com/limpet-storage/limpet/report/action"
)

// storage is a cluster of OSDs that answers the commands of the drivers for Ceph, and keeps its state.
type storage struct {
	OSDs     int             `json:"osds"`
	Relieved map[string]bool `json:"relieved"` // primary_affinity is 0
	Out      map[string]bool `json:"out"`
	PGs      string          `json:"pgs"` // the state of all PGs; empty: active+clean
}

func newStorage(osds int) *storage {
	return &storage{OSDs: osds, Relieved: map[string]bool{}, Out: map[string]bool{}}
}

// command answers a command.
func (s *storage) command(args []string) (string, error) {
	switch text := strings.Join(args, " "); {
	case text == "ceph pg stat --format json":
		name := s.PGs
		if name == "" {
			name = "active+clean"
		}
		return fmt.Sprintf(`{"pg_ready":true,"pg_summary":{"num_pg_by_state":[{"name":%q,"num":33}],"num_pgs":33}}`, name), nil
	case text == "ceph health detail --format json":
		return `{"status":"HEALTH_OK","checks":{}}`, nil
	case text == "ceph osd dump --format json":
		var list []map[string]any
		for i := range s.OSDs {
			name, in, affinity := fmt.Sprintf("osd.%d", i), 1, 1
			if s.Out[name] {
				in = 0
			}
			if s.Relieved[name] {
				affinity = 0
			}
			list = append(list, map[string]any{"osd": i, "up": 1, "in": in, "primary_affinity": affinity})
		}
		out, err := json.Marshal(map[string]any{"osds": list})
		return string(out), err
	case len(args) == 5 && strings.HasPrefix(text, "ceph osd primary-affinity osd."):
		if args[4] == "0" {
			s.Relieved[args[3]] = true
		} else {
			delete(s.Relieved, args[3])
		}
		return "set " + args[3], nil
	case len(args) == 4 && strings.HasPrefix(text, "ceph osd out osd."):
		s.Out[args[3]] = true
		return "marked out", nil
	case len(args) == 4 && strings.HasPrefix(text, "ceph osd in osd."):
		delete(s.Out, args[3])
		return "marked in", nil
	case len(args) == 4 && strings.HasPrefix(text, "ceph osd ok-to-stop osd."):
		return "", nil
	}
	return "", fmt.Errorf("the storage has no command %q", args)
}

// changes reports whether a command changes something.
func changes(args []string) bool {
	return len(args) > 2 && (args[2] == "primary-affinity" || args[2] == "out" || args[2] == "in")
}

// memory is a Runner with a storage in memory.
type memory struct {
	mu    sync.Mutex
	s     *storage
	calls []string // that change something, in order
	all   int
	// fail makes a command fail: before it had an effect, or after it.
	fail func(line string) (before, after error)
	// do is called before each command.
	do func(line string)
}

func newMemory() *memory { return &memory{s: newStorage(8)} }

func (m *memory) Run(_ context.Context, c plan.Command) (string, error) {
	if m.do != nil {
		m.do(c.String())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all++
	var after error
	if changes(c.Args) {
		m.calls = append(m.calls, c.String())
	}
	if m.fail != nil {
		var before error
		if before, after = m.fail(c.String()); before != nil {
			return "", before
		}
	}
	answer, err := m.s.command(c.Args)
	return answer, errors.Join(err, after)
}

func (m *memory) changed() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.calls...)
}

// A tool is the same storage as a program of its own, with its state in a directory. The test binary is
// the tool if it is called ceph.
const toolDir = "LIMPET_TEST_STORAGE"

// tool answers one call. The log of calls is written before the effect, the state after it.
func tool(dir string, args []string) error {
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	s, err := readStorage(dir)
	if err != nil {
		return err
	}
	if changes(args) {
		log, err := os.OpenFile(filepath.Join(dir, "calls"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		if _, err := log.WriteString(strings.Join(args, " ") + "\n"); err != nil {
			return err
		}
		log.Close()
	}
	answer, err := s.command(args)
	if err != nil {
		return err
	}
	if changes(args) {
		if err := s.save(dir); err != nil {
			return err
		}
	}
	fmt.Println(answer)
	return nil
}

func readStorage(dir string) (*storage, error) {
	text, err := os.ReadFile(filepath.Join(dir, "state"))
	if err != nil {
		return nil, err
	}
	s := newStorage(0)
	return s, json.Unmarshal(text, s)
}

func (s *storage) save(dir string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	next := filepath.Join(dir, "state.next")
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, filepath.Join(dir, "state"))
}
