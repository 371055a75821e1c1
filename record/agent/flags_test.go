package agent

import (
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

// parsed is the options that a command line gives.
func parsed(args ...string) (Options, error) {
	o := DefaultOptions()
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.Flags(fs)
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	return o, o.Validate()
}

func TestFlags(t *testing.T) {
	for line, want := range map[string]func(*Options){
		"":                                  func(*Options) {},
		"--interval 1":                      func(o *Options) { o.Record.Interval = time.Second },
		"--dir d --interval 5s --sync 1m":   func(o *Options) { o.Record.Dir, o.Record.Interval, o.Record.Sync = "d", 5*time.Second, time.Minute },
		"--compress none --compress-rate 3": func(o *Options) { o.Record.Compress, o.Record.CompressMB = "none", 3 },
		"--keep-days 7 --keep-bytes 20G":    func(o *Options) { o.Record.KeepDays, o.Record.KeepBytes = 7, 20<<30 },
		"--devices sd*,nvme* --devices md0": func(o *Options) { o.Kernel.Devices = []string{"sd*", "nvme*", "md0"} },
		"--interfaces ib[0-3]":              func(o *Options) { o.Kernel.Interfaces = []string{"ib[0-3]"} },
		"--no-tcp --once":                   func(o *Options) { o.NoTCP, o.Once = true, true },
		"--listen :9819":                    func(o *Options) { o.Listen = ":9819" },
	} {
		got, err := parsed(strings.Fields(line)...)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		expected := DefaultOptions()
		want(&expected)
		if !reflect.DeepEqual(got, expected) {
			t.Errorf("%q gave\n%+v, want\n%+v", line, got, expected)
		}
	}
}

func TestFlagsRefused(t *testing.T) {
	for line, want := range map[string]string{
		"--dir=":                 "no directory is given for the recorded files",
		"--interval 0":           "must be between 1ms and 1h, not 0",
		"--interval 2h":          "must be between 1ms and 1h, not 2h",
		"--interval often":       `must be a time between 1ms and 1h (such as 30s or 5m), not "often"`,
		"--sync -1s":             "must be between 1ms and 24h, not -1s",
		"--compress gz":          `compression "gz" is unknown: give zst, xz or none`,
		"--compress-rate -1":     "must be between 0 and 1000000 MB a second, not -1",
		"--keep-days 9999999":    "must be between 0 and 100000 days, not 9999999",
		"--keep-bytes 20GB":      "must be a number of bytes between 0 and 1048576T (such as 64M, 20G or 1T), not",
		"--keep-bytes -1":        "must be between 0 and 1048576T, not -1",
		"--keep-bytes 99999999T": "must be between 0 and 1048576T, not 99999999T",
		"--devices sd*,":         "a pattern is empty",
		"--devices [":            `pattern "["`,
		"--interfaces [":         `pattern "["`,
		"--listen 9819":          `cannot listen on address "9819"`,
	} {
		if _, err := parsed(strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", line, err, want)
		}
	}
}

func TestDefaultDir(t *testing.T) {
	for _, c := range []struct{ logs, state, want string }{
		{"", "", "/var/log/limpet"},
		{"", "/var/lib/a", "/var/lib/a"},
		{"/var/log/b:/var/log/c", "/var/lib/a", "/var/log/b"},
	} {
		env := map[string]string{"LOGS_DIRECTORY": c.logs, "STATE_DIRECTORY": c.state}
		if got := defaultDir(func(key string) string { return env[key] }); got != c.want {
			t.Errorf("logs %q, state %q: %q, want %q", c.logs, c.state, got, c.want)
		}
	}
}
