package serve

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/server/serve/config"
)

// begin has the first three lines of each configuration.
const begin = "directories: [a]\nstate: s\nlisten: 127.0.0.1:0\n"

// TestCheckFindsWhatStartRefuses: for each bad configuration, Check returns the error with which Open
// refuses it, with the line of the configuration, and creates no file.
func TestCheckFindsWhatStartRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"short.secret": "abcd\n", "empty": "", "broken.yaml": "mode: [propose\n", "two.yaml": "modes: ask\nserver: x\n", "notes.txt": "no certificate\n",
		"users.yaml": "users: []\nx: 1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("dir", 0o700); err != nil {
		t.Fatal(err)
	}
	receiver := func(list, text string) string { return begin + "alerts:\n  " + list + ":\n    - name: a\n" + text }
	for text, want := range map[string][]string{
		begin + "topology: nosuch.yaml\n":                                {"f.yaml:4: open nosuch.yaml: "},
		begin + "topology: broken.yaml\n":                                {"f.yaml:4: broken.yaml has mistakes; they are listed below", "broken.yaml:1: a list begins with [ and has no ]"},
		begin + "policy: nosuch.yaml\n":                                  {"f.yaml:4: open nosuch.yaml: "},
		begin + "policy: two.yaml\n":                                     {"f.yaml:4: two.yaml has mistakes", "two.yaml:1: ", "two.yaml:2: "},
		begin + "policy: broken.yaml\ntopology: nosuch.yaml\n":           {"f.yaml:4: broken.yaml has mistakes", "broken.yaml:1: ", "f.yaml:5: open nosuch.yaml"},
		receiver("webhooks", "      url: htp://x\n"):                     {"f.yaml:7: alerts: receiver a: the address of a receiver cannot be read"},
		receiver("alertmanagers", "      url: 127.0.0.1:9093\n"):         {"f.yaml:7: alerts: receiver a: the address of a receiver cannot be read"},
		receiver("alertmanagers", "      url_file: short.secret\n"):      {"f.yaml:7: alerts: receiver a: the address of a receiver cannot be read"},
		receiver("alertmanagers", "      url_file: nosuch\n"):            {"f.yaml:7: alerts: receiver a: open nosuch"},
		receiver("webhooks", web+"      secret_file: nosuch\n"):          {"f.yaml:8: alerts: receiver a: open nosuch"},
		receiver("webhooks", web+"      secret_file: short.secret\n"):    {"f.yaml:8: alerts: receiver a: the secret in file short.secret has 4 characters"},
		receiver("webhooks", web+"      bearer_file: empty\n"):           {"f.yaml:8: alerts: receiver a: empty is empty"},
		receiver("webhooks", web+"      ca: notes.txt\n"):                {"f.yaml:8: alerts: receiver a: notes.txt contains no certificate"},
		receiver("webhooks", web+"      key: nosuch\n"):                  {"f.yaml:6: alerts: receiver a: http://127.0.0.1:1: the certificate and the key belong together"},
		receiver("alertmanagers", web+"      labels: {a-b: c}\n"):        {"f.yaml:8: alerts: receiver a: label a-b is not allowed"},
		receiver("logs", "      to: nodir/alerts.jsonl\n"):               {"f.yaml:7: alerts: receiver a: nodir/alerts.jsonl: the directory nodir does not exist"},
		receiver("logs", "      to: dir\n"):                              {"f.yaml:7: alerts: receiver a: dir: this is a directory"},
		receiver("logs", "      to: empty/alerts.jsonl\n"):               {"f.yaml:7: alerts: receiver a: "},
		receiver("logs", "      to: stdout\n    - to: nodir/x\n"):        {"f.yaml:8: alerts: receiver log nodir/x: "},
		begin + "access: {users: nosuch.yaml}\n":                         {"f.yaml:4: open nosuch.yaml"},
		begin + "access:\n  users: users.yaml\n":                         {"f.yaml:5: users.yaml has mistakes", "users.yaml:2: "},
		begin + "access:\n  tls:\n    certificate: empty\n    key: no\n": {"f.yaml:7: tls: open no: "},
		begin + "access:\n  tls: {certificate: empty, key: empty}\n":     {"f.yaml:5: tls: empty and empty do not belong together"},
		begin + "results:\n  url: x\n":                                   {"f.yaml:5: the address of a receiver cannot be read"},
		"directories: [a]\nstate: empty\nlisten: 127.0.0.1:0\n":          {"f.yaml:2: empty is not a directory"},
		"directories: [a]\nstate: s\nlisten: unix:nodir/socket\n":        {"f.yaml:3: listen: nodir/socket: the directory nodir does not exist"},
		"directories: [a]\nstate: s\nlisten: unix:empty\n":               {"f.yaml:3: listen: empty is not a socket"},
		"state: s\nlisten: 127.0.0.1:0\npush: {enabled: false}\n":        {"no data are given: name a directory of activity files"},
		begin + "topology: dir\npolicy: nosuch.yaml\n":                   {"f.yaml:4: ", "f.yaml:5: open nosuch.yaml"},
	} {
		c, err := config.Parse("f.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: the parser refuses it: %v", text, err)
			continue
		}
		o := Options{Version: "test", Now: time.Now, Report: func(string) {}}
		before := filesHere(t)
		checked := Check(c, o)
		s, started := Open(t.Context(), c, o)
		switch {
		case started == nil:
			s.Close()
			t.Errorf("%s: it starts", text)
			continue
		case checked == nil || checked.Error() != started.Error():
			t.Errorf("%s: the start is refused with\n%v\nand the check with\n%v", text, started, checked)
			continue
		case !slices.Equal(filesHere(t), before):
			t.Errorf("%s: the files are now %v", text, filesHere(t))
		}
		lines := strings.Split(checked.Error(), "\n")
		if len(lines) != len(want) {
			t.Errorf("%s: got\n%v", text, checked)
			continue
		}
		for i := range want {
			if !strings.HasPrefix(lines[i], want[i]) {
				t.Errorf("%s: got\n%s\nwant\n%s", text, lines[i], want[i])
			}
		}
	}
}

// web is the address of a receiver, on a line of its own.
const web = "      url: http://127.0.0.1:1/\n"

// TestCheckAcceptsWhatStarts: Check creates nothing, and accepts logs and a socket in the directory of
// the saved state and above it, which the start creates.
func TestCheckAcceptsWhatStarts(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := config.Parse("f.yaml", []byte("directories: [a]\nstate: new/s\nlisten: unix:new/s/socket\nalerts:\n  logs: [{to: new/s/a.jsonl}, {to: new/b.jsonl}, {to: c.jsonl}, {to: stdout}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Version: "test", Now: time.Now, Report: func(string) {}}
	if err := Check(c, o); err != nil || len(filesHere(t)) != 0 {
		t.Fatalf("%v, files %v", err, filesHere(t))
	}
	s, err := Open(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestCheckFindsAllAtOnce: mistakes of the text and of the files that it names are listed together, in
// the order of their lines, and one cause is listed once.
func TestCheckFindsAllAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := config.Parse("f.yaml", []byte("directories: [a]\nstate: s\ntopology: nosuch.yaml\nlisten: 127.0.0.1:99999\naccess: {users: nousers.yaml}\nalerts:\n  webhooks:\n    - name: a\ninsecure_open_to_network: true\n"))
	if err == nil {
		t.Fatal("the configuration has no mistakes")
	}
	err = CheckRest(err, c, Options{Version: "test", Now: time.Now, Report: func(string) {}})
	want := []string{
		"f.yaml:3: open nosuch.yaml: ", "f.yaml:4: listen: 127.0.0.1:99999 has the port 99999", "f.yaml:5: open nousers.yaml: ", "f.yaml:8: the setting \"url\" is missing",
		"f.yaml:9: the setting \"insecure_open_to_network\" is unknown in the configuration; write it into the section access, or into the section cluster",
	}
	lines := strings.Split(err.Error(), "\n")
	if !slices.EqualFunc(lines, want, strings.HasPrefix) {
		t.Errorf("got\n%v\nwant\n%s", err, strings.Join(want, "\n"))
	}
}

// TestStateAmongOtherFiles: a new state is not written among other files, and these files stay as they
// are. Files that the configuration names, hidden files, lost+found, and a file of limpet diagnose
// --changes may be there before the state.
func TestStateAmongOtherFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "directories: [a]\nstate: s\nalerts:\n  logs: [{to: s/logs/alerts.jsonl}]\n"
	for _, dir := range []string{"a", "s/logs", "s/lost+found"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"s/f.yaml", "s/.hidden"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("s/told", []byte("limpet-changes 1 sha256 7e\n{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Parse("s/f.yaml", []byte(strings.ReplaceAll(text, "s/", "")))
	if err != nil {
		t.Fatal(err)
	}
	c.State, c.Directories = "s", []string{"a"}
	o := Options{Version: "test", Now: time.Now, Report: func(string) {}}
	if err := Check(c, o); err != nil {
		t.Errorf("the directory has only files that may be there: %v", err)
	}
	if err := os.WriteFile("s/thesis.txt", []byte("chapter 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := filesHere(t)
	_, opened := Open(t.Context(), c, o)
	for name, err := range map[string]error{"Check": Check(c, o), "Open": opened, "Once": Once(t.Context(), c, o, io.Discard)} {
		if want := "directory s has other files, such as thesis.txt, and no saved state of limpet: name a new or an empty directory"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
	if now := filesHere(t); !slices.Equal(now, before) {
		t.Errorf("files are %v; want %v", now, before)
	}
	if kept, err := os.ReadFile("s/thesis.txt"); err != nil || string(kept) != "chapter 1" {
		t.Errorf("the file has %q, %v", kept, err)
	}
}

// filesHere lists the files below the working directory.
func filesHere(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != "." {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestCheckReportsOnce: a value that the parser refuses is one mistake, at its own line, although the
// options of the watch check this value again.
func TestCheckReportsOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"diagnosis: {recover_after: 3h}":          "f.yaml:4: recover_after is 3h, but clear_after is 2h by default: ",
		"diagnosis: {metrics: [await, await]}":    "f.yaml:4: metric await is listed twice: ",
		"history: {steps: {days: 0, size: 1G}}\n": "f.yaml:4: steps: the setting days must be above 0, not 0",
	} {
		c, err := config.Parse("f.yaml", []byte(begin+text))
		if err == nil {
			t.Fatalf("%s has no mistakes", text)
		}
		err = CheckRest(err, c, Options{Version: "test", Now: time.Now, Report: func(string) {}})
		if got := err.Error(); !strings.HasPrefix(got, want) || strings.Contains(got, "\n") {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
