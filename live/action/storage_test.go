package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	plan "github.com/limpet-storage/limpet/report/action"
)

// storage is a cluster of OSDs, a pool of ZFS, a mirror of md and a map of multipath. It answers the
// commands of the drivers, and keeps its state.
type storage struct {
	OSDs     int             `json:"osds"`
	Relieved map[string]bool `json:"relieved"` // primary_affinity is 0
	Out      map[string]bool `json:"out"`
	PGs      string          `json:"pgs"` // the state of all PGs; empty: active+clean
	SitsOut  bool            `json:"sits_out"`
	Offline  bool            `json:"offline"`
	Mostly   bool            `json:"write_mostly"`
	Failed   bool            `json:"failed"` // the path
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
	return s.drive(strings.Join(args, " "))
}

// drive answers a command about the drive or the path sdb.
func (s *storage) drive(text string) (string, error) {
	pick := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	const member = "/sys/block/md0/md/dev-sdb/state"
	switch text {
	case "zpool status -p tank":
		state := pick(s.Offline, "DEGRADED", "ONLINE")
		return fmt.Sprintf("  pool: tank\n state: %s\nconfig:\n\n\tNAME STATE READ WRITE CKSUM\n\ttank %s 0 0 0\n\t  raidz2-0 %s 0 0 0\n\t    sda ONLINE 0 0 0\n\t    sdb %s 0 0 0\n\nerrors: No known data errors",
			state, state, state, pick(s.Offline, "OFFLINE", "ONLINE")), nil
	case "zpool get -H -o value sit_out tank sdb":
		return pick(s.SitsOut, "on", "off"), nil
	case "zpool set sit_out=on tank sdb", "zpool set sit_out=off tank sdb":
		s.SitsOut = strings.Contains(text, "=on")
		return "", nil
	case "zpool offline -t tank sdb", "zpool online tank sdb":
		s.Offline = strings.Contains(text, "offline")
		return "", nil
	case "multipathd show paths format %d:%m:%t:%T":
		return "dev:multipath:dm_st:chk_st\nsdb:mpatha:" + pick(s.Failed, "failed", "active") + ":ready\nsdc:mpatha:active:ready\nsdd:mpatha:active:ready", nil
	case "multipathd fail path sdb", "multipathd reinstate path sdb":
		s.Failed = strings.Contains(text, "fail")
		return "ok", nil
	case "cat /sys/block/md0/md/degraded":
		return "0", nil
	case "cat /sys/block/md0/md/sync_action":
		return "idle", nil
	case "cat " + member:
		return pick(s.Mostly, "in_sync,write_mostly", "in_sync"), nil
	case "echo writemostly > " + member, "echo -writemostly > " + member:
		s.Mostly = !strings.Contains(text, "-writemostly")
		return "", nil
	}
	return "", fmt.Errorf("the storage has no command %q", text)
}

// changes reports whether a command changes something.
func changes(args []string) bool {
	switch strings.Join(args[:min(2, len(args))], " ") {
	case "ceph osd":
		return args[2] == "primary-affinity" || args[2] == "out" || args[2] == "in"
	case "zpool set", "zpool offline", "zpool online", "multipathd fail", "multipathd reinstate":
		return true
	}
	return args[0] == "echo"
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
	line := strings.Join(args, " ")
	if at := slices.Index(args, "--"); args[0] == "ssh" { // ssh -o … -- server line
		line = fmt.Sprintf("ssh %s '%s'", args[at+1], args[at+2])
		args = strings.Fields(args[at+2])
	}
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
		if _, err := log.WriteString(line + "\n"); err != nil {
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
