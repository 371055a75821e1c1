package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A tmux is a server of tmux with one window, in which a shell runs commands.
type tmux struct {
	t      *testing.T
	dir    string
	socket string
}

// newTmux starts a shell in a window of 80 × 24.
func newTmux(t *testing.T) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux")
	}
	m := &tmux{t: t, dir: t.TempDir()}
	m.socket = filepath.Join(m.dir, "tmux")
	t.Cleanup(func() { _ = m.command("kill-server").Run() })
	m.do("new-session", "-d", "-x", "80", "-y", "24", "PS1='$ ' exec sh")
	m.do("set-option", "-g", "window-size", "manual")
	return m
}

func (m *tmux) command(args ...string) *exec.Cmd {
	c := exec.Command("tmux", append([]string{"-S", m.socket, "-f", "/dev/null"}, args...)...)
	c.Env = append(os.Environ(), "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=xterm-256color")
	return c
}

// do runs a command of tmux, and returns what it prints.
func (m *tmux) do(args ...string) string {
	m.t.Helper()
	out, err := m.command(args...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

// run types a line into the shell.
func (m *tmux) run(line string) { m.t.Helper(); m.do("send-keys", "-l", line+"\n") }

// keys presses keys by the names that tmux has for them.
func (m *tmux) keys(names ...string) {
	m.t.Helper()
	m.do(append([]string{"send-keys"}, names...)...)
}

func (m *tmux) screen() string { m.t.Helper(); return m.do("capture-pane", "-p") }

// await waits until the window fulfils a condition.
func (m *tmux) await(what string, is func(screen string) bool) string {
	m.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if s := m.screen(); is(s) {
			return s
		}
	}
	m.t.Fatalf("the window does not show %s:\n%s", what, m.screen())
	return ""
}

// has waits for a text in the window.
func (m *tmux) has(text string) string {
	m.t.Helper()
	return m.await(strconv.Quote(text), func(s string) bool { return strings.Contains(s, text) })
}

// modes returns what programs may change of a terminal: the second screen, the cursor, the wrapping of
// lines, the mouse.
func (m *tmux) modes() string {
	m.t.Helper()
	return m.do("display-message", "-p", "second screen #{alternate_on}, cursor #{cursor_flag}, wrapping #{wrap_flag}, mouse #{mouse_any_flag} #{mouse_sgr_flag}")
}

// settings returns the settings of the terminal, by stty.
func (m *tmux) settings() string {
	m.t.Helper()
	file := filepath.Join(m.dir, fmt.Sprint("stty", time.Now().UnixNano()))
	m.run("stty -a > " + file + "; mv " + file + " " + file + ".whole")
	var text []byte
	m.await("the prompt after stty", func(string) bool {
		var err error
		text, err = os.ReadFile(file + ".whole")
		return err == nil
	})
	return string(text)
}

// top starts limpet top below the shell, and returns its process number.
func (m *tmux) top(args string) int {
	m.t.Helper()
	limpet, err := exec.LookPath("limpet-main")
	if err != nil {
		m.t.Fatal(err)
	}
	file := filepath.Join(m.dir, "pid")
	_ = os.Remove(file)
	m.run("sh -c 'echo $$ > " + file + "; exec " + limpet + " top " + args + "'; echo ended with $?")
	m.has("COMPONENT")
	text, err := os.ReadFile(file)
	if err != nil {
		m.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		if isTop(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return pid
}

// isTop reports whether a process runs that is limpet top.
func isTop(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && strings.Contains(string(line), "limpet-main\x00top\x00")
}

// ends waits until a process has ended.
func (m *tmux) ends(pid int) {
	m.t.Helper()
	for deadline := time.Now().Add(time.Minute); isTop(pid); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			m.t.Fatalf("process %d does not end", pid)
		}
	}
}

// slowSite simulates a day with a slow LUN, and returns the options of top for it.
func slowSite(t *testing.T) string {
	t.Helper()
	site := slowLUN(t)
	return "--topology " + filepath.Join(site, "topology.yaml") + " --since 12h " + filepath.Join(site, "activity")
}

// TestTopTmux drives limpet top in a window of tmux as a person does: keys, other sizes, the loss of the
// client, and a hang-up. After each end the terminal is as it was.
func TestTopTmux(t *testing.T) {
	m := newTmux(t)
	site := slowSite(t)
	modes, settings := m.modes(), m.settings()
	restored := func(how string) {
		t.Helper()
		// The line that was typed has these words too, without a number. On a busy machine the line is typed
		// before the shell prints its prompt: the prompt then stands before the words.
		m.await("the end of top", regexp.MustCompile(`ended with \d`).MatchString)
		if now := m.modes(); now != modes {
			t.Errorf("after %s: %s; before: %s", how, now, modes)
		}
		if now := m.settings(); now != settings {
			t.Errorf("after %s stty prints\n%s\nbefore\n%s", how, now, settings)
		}
		if s := m.screen(); strings.Contains(s, "COMPONENT") {
			t.Errorf("after %s the table is still shown:\n%s", how, s)
		}
		m.run("clear")
	}

	pid := m.top(site)
	m.await("the slow LUN as an incident", func(s string) bool { return strings.Contains(s, "\n# ") && strings.Contains(s, "incident ") })
	if now := m.modes(); now == modes {
		t.Errorf("the modes of the terminal are %s while top runs", now)
	}
	m.keys("?")
	m.has("press any key to go back")
	m.keys("x")
	m.has("q quit")
	m.keys("g", "g")
	m.has("g group: server")
	m.keys("g")
	m.has("g group: none")
	m.keys("/")
	m.do("send-keys", "-l", "7.04")
	m.keys("Enter", "Enter")
	m.has("esc back")
	m.has("7.04.")
	m.keys("Escape")
	m.has("q quit")
	m.keys("Down", "PageDown", "End", "Home", "Space")
	m.has("FROZEN")
	m.keys("Left")
	m.has("PAST")
	m.keys("Space")
	m.await("the present", func(s string) bool { return !strings.Contains(s, "PAST") && !strings.Contains(s, "FROZEN") })
	for _, size := range [][2]string{{"200", "50"}, {"40", "10"}, {"20", "5"}, {"80", "24"}} {
		m.do("resize-window", "-x", size[0], "-y", size[1])
		m.await("the whole screen at "+size[0]+" × "+size[1], func(s string) bool {
			lines := strings.Split(s, "\n")
			return strings.HasPrefix(lines[0], "limpet top") && strings.HasPrefix(lines[len(lines)-1], "q quit") && strconv.Itoa(len(lines)) == size[1]
		})
	}
	m.keys("q")
	m.ends(pid)
	restored("the key q")

	for how, signal := range map[string]syscall.Signal{"TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "INT": syscall.SIGINT} {
		pid := m.top(site)
		if err := syscall.Kill(pid, signal); err != nil {
			t.Fatal(err)
		}
		m.ends(pid)
		restored("the signal " + how)
	}

	// A client that is killed leaves the window, and another client finds it.
	pid = m.top(site)
	for range 2 {
		client := m.command("-C", "attach-session")
		in, err := client.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Start(); err != nil {
			t.Fatal(err)
		}
		m.await("its client", func(string) bool { return m.do("list-clients") != "" })
		if err := client.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = client.Wait()
		_ = in.Close()
		m.await("no client", func(string) bool { return m.do("list-clients") == "" })
		m.keys("?")
		m.has("press any key to go back")
		m.keys("x")
		m.has("q quit")
	}
	// The window is closed, and top hangs up.
	m.do("kill-pane")
	m.ends(pid)
	// The whole server of tmux dies, and top hangs up. It is another server, because the first one ends with
	// its last window: sometimes it refused a new session.
	m = newTmux(t)
	pid = m.top(site)
	server, err := strconv.Atoi(m.do("display-message", "-p", "#{pid}"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(server, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	m.ends(pid)
}
