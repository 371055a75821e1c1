package clickhousetest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	driver "github.com/ClickHouse/clickhouse-go/v2"
)

// A Server is a ClickHouse server that runs until its test ends or Stop is called.
type Server struct {
	Address string // host:port of the native protocol
	Conn    driver.Conn
	t       testing.TB
	command *exec.Cmd
	stop    sync.Once
}

// Name and password of the user who may only read. The default user has no password.
const (
	Reader         = "reader"
	ReaderPassword = "secret"
)

// Start starts n servers and waits until they answer. Each server knows all servers as the
// shards of the cluster "all".
func Start(t testing.TB, n int) []*Server {
	t.Helper()
	path, err := exec.LookPath("clickhouse-server")
	if err != nil {
		t.Skip("clickhouse-server is not installed")
	}
	servers := make([]*Server, n)
	for i := range servers {
		servers[i] = &Server{t: t, Address: freeAddress(t)}
	}
	for _, s := range servers {
		s.start(path, servers)
	}
	for _, s := range servers {
		s.wait()
	}
	return servers
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (s *Server) start(path string, all []*Server) {
	s.t.Helper()
	dir, err := os.MkdirTemp("", "limpet-clickhouse-test-")
	s.must(err)
	s.must(os.WriteFile(filepath.Join(dir, "config.xml"), []byte(s.config(dir, all)), 0o600))
	s.must(os.WriteFile(filepath.Join(dir, "users.xml"), []byte(users()), 0o600))
	s.command = exec.Command(path, "--config-file="+filepath.Join(dir, "config.xml"))
	s.command.Dir = dir
	s.must(s.command.Start())
	s.t.Cleanup(func() {
		s.Stop()
		os.RemoveAll(dir)
	})
}

func (s *Server) config(dir string, all []*Server) string {
	var shards strings.Builder
	for _, other := range all {
		fmt.Fprintf(&shards, "<shard><replica><host>127.0.0.1</host><port>%s</port></replica></shard>", other.Port())
	}
	return fmt.Sprintf(`<yandex>
<logger><level>error</level><log>%[1]s/log</log><errorlog>%[1]s/errors</errorlog></logger>
<tcp_port>%[2]s</tcp_port><listen_host>127.0.0.1</listen_host>
<path>%[1]s/data/</path><tmp_path>%[1]s/tmp/</tmp_path><users_config>%[1]s/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database><mark_cache_size>16777216</mark_cache_size>
<remote_servers><all>%[3]s</all></remote_servers>
</yandex>`, dir, s.Port(), shards.String())
}

func users() string {
	return fmt.Sprintf(`<yandex><profiles><default/><reader><readonly>1</readonly></reader></profiles><quotas><default/></quotas><users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
<%[1]s><password>%[2]s</password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota></%[1]s>
</users></yandex>`, Reader, ReaderPassword)
}

// patience is the time limit for the start of a server. A server starts in 0.1 s; a busy machine
// needs longer.
const patience = 30 * time.Second

// wait waits until the server answers.
func (s *Server) wait() {
	s.t.Helper()
	conn, err := driver.Open(&driver.Options{Addr: []string{s.Address}, DialTimeout: time.Second})
	s.must(err)
	s.Conn = conn
	s.t.Cleanup(func() { conn.Close() })
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	for conn.Ping(ctx) != nil {
		if ctx.Err() != nil {
			s.t.Fatalf("the server at %s does not answer", s.Address)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Port returns the port of the native protocol.
func (s *Server) Port() string {
	_, port, _ := net.SplitHostPort(s.Address)
	return port
}

// DSN returns the DSN of the default user.
func (s *Server) DSN() string { return "clickhouse://" + s.Address + "/default" }

// Exec runs a statement on the server. An error fails the test.
func (s *Server) Exec(sql string) {
	s.t.Helper()
	s.must(s.Conn.Exec(s.t.Context(), sql))
}

// PID returns the process ID of the server.
func (s *Server) PID() int { return s.command.Process.Pid }

// Stop kills the server at once, as if its machine failed.
func (s *Server) Stop() {
	s.stop.Do(func() {
		if err := s.command.Process.Kill(); err != nil {
			s.t.Errorf("the server ended by itself: %v", err)
		}
		_ = s.command.Wait() // the error only says that the server was killed
	})
}

func (s *Server) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}
