package agent

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A manager is the service manager that started this process. As in sd_notify(3), it gets datagrams
// of lines such as READY=1 at the socket $NOTIFY_SOCKET. Without a service manager nothing is sent.
type manager struct {
	mu       sync.Mutex
	socket   int           // -1: there is no service manager
	watchdog time.Duration // longest time without a sign of life; 0: no limit
	extended bool          // watchdog is longer than the service manager has set
	ready    bool
	next     uint64 // uptime at which the next sign of life is due
}

// dialManager connects to the service manager, if there is one. A message that cannot be sent at
// once is dropped.
func dialManager(getenv func(string) string, interval time.Duration) (*manager, error) {
	m := &manager{socket: -1}
	path := getenv("NOTIFY_SOCKET")
	if path == "" {
		return m, nil
	}
	socket, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return m, err
	}
	if err := unix.Connect(socket, &unix.SockaddrUnix{Name: path}); err != nil {
		unix.Close(socket)
		return m, fmt.Errorf("$NOTIFY_SOCKET %s: %w", path, err)
	}
	m.socket = socket
	m.watch(getenv, interval)
	return m, nil
}

// watch sets the watchdog. Samples are the signs of life. If they are too rare for the watchdog,
// the service manager is asked for a longer time.
func (m *manager) watch(getenv func(string) string, interval time.Duration) {
	micros, err := strconv.ParseUint(getenv("WATCHDOG_USEC"), 10, 40)
	pid := getenv("WATCHDOG_PID")
	if err != nil || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return
	}
	m.watchdog = time.Duration(micros) * time.Microsecond
	if least := 4 * interval; m.watchdog > 0 && m.watchdog < least {
		m.watchdog, m.extended = least, true
	}
}

// Hear sends READY after the first sample, and then signs of life twice as often as required.
func (m *manager) Hear(_ time.Time, uptime uint64, _ *sysstat.Sample) {
	if !m.ready {
		m.ready = m.tell(m.greeting())
	}
	if m.watchdog > 0 && uptime >= m.next && m.tell("WATCHDOG=1") {
		m.next = uptime + uint64(m.watchdog/2/(10*time.Millisecond))
	}
}

func (m *manager) greeting() string {
	if m.extended {
		return fmt.Sprintf("READY=1\nWATCHDOG_USEC=%d", m.watchdog.Microseconds())
	}
	return "READY=1"
}

func (m *manager) stopping() { m.tell("STOPPING=1") }

// tell sends a message and reports whether it was sent.
func (m *manager) tell(message string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.socket < 0 {
		return true
	}
	_, err := unix.Write(m.socket, []byte(message))
	return err == nil
}

func (m *manager) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.socket >= 0 {
		unix.Close(m.socket)
		m.socket = -1
	}
}
