package agent

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// listen is the socket of a service manager, and what it is told.
func listen(t *testing.T, name string) *net.UnixConn {
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// told are the messages that wait.
func told(t *testing.T, conn *net.UnixConn) (messages []string) {
	for {
		message, ok := next(t, conn, 50*time.Millisecond)
		if !ok {
			return messages
		}
		messages = append(messages, message)
	}
}

// next is a message that comes soon enough.
func next(t *testing.T, conn *net.UnixConn, within time.Duration) (message string, ok bool) {
	if err := conn.SetReadDeadline(time.Now().Add(within)); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 256)
	n, err := conn.Read(buffer)
	return string(buffer[:n]), err == nil
}

func env(pairs ...string) func(string) string {
	return func(key string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == key {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestManager(t *testing.T) {
	const second = 100 // of uptime
	pid := strconv.Itoa(os.Getpid())
	for _, c := range []struct {
		name     string
		env      []string
		interval time.Duration
		want     []string
	}{
		{"without a watchdog", nil, time.Second, []string{"READY=1", "STOPPING=1"}},
		{
			"at most twice as often as asked for",
			[]string{"WATCHDOG_USEC", "8000000", "WATCHDOG_PID", pid},
			time.Second,
			[]string{"READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"}, // at 0, 4 and 8 s
		},
		{
			"with patience for rare samples",
			[]string{"WATCHDOG_USEC", "3000000"},
			time.Second,
			[]string{"READY=1\nWATCHDOG_USEC=4000000", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"},
		},
		{
			"watching another process",
			[]string{"WATCHDOG_USEC", "8000000", "WATCHDOG_PID", pid + "0"},
			time.Second,
			[]string{"READY=1", "STOPPING=1"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, socket := range []string{filepath.Join(t.TempDir(), "notify"), "@limpet-test-" + pid} {
				conn := listen(t, socket)
				m, err := dialManager(env(append(c.env, "NOTIFY_SOCKET", socket)...), c.interval)
				if err != nil {
					t.Fatal(err)
				}
				for i := range uint64(9) {
					m.Hear(time.Time{}, 5000+i*second, nil)
				}
				m.stopping()
				m.close()
				m.stopping() // is heard by nobody
				if got := told(t, conn); !slices.Equal(got, c.want) {
					t.Errorf("%s was told %q, want %q", socket, got, c.want)
				}
				conn.Close()
			}
		})
	}
}

// TestManagerBusy has a manager that reads nothing: it is not waited for, and
// told once it can hear again.
func TestManagerBusy(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	conn := listen(t, socket)
	m, err := dialManager(env("NOTIFY_SOCKET", socket), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	for m.tell("X=1") {
	}
	m.Hear(time.Time{}, 0, nil)
	if m.ready {
		t.Error("a message that was not taken counts as told")
	}
	told(t, conn)
	m.Hear(time.Time{}, 100, nil)
	if got := told(t, conn); !slices.Equal(got, []string{"READY=1"}) {
		t.Errorf("told %q", got)
	}
}

func TestNoManager(t *testing.T) {
	m, err := dialManager(env(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	m.Hear(time.Time{}, 0, nil)
	m.stopping()
	m.close()
	if _, err := dialManager(env("NOTIFY_SOCKET", filepath.Join(t.TempDir(), "nobody")), time.Second); err == nil {
		t.Error("no error about a socket that is not there")
	}
}
