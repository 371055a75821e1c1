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
		"--dir=":                 "no directory to record into",
		"--interval 0":           "interval 0s: give",
		"--interval 2h":          "interval 2h0m0s: give",
		"--sync -1s":             "sync interval -1s",
		"--compress gz":          `compression "gz": give zst, xz or none`,
		"--compress-rate -1":     "a negative bound",
		"--keep-bytes 20GB":      "no number of bytes: write one such as 500M",
		"--keep-bytes -1":        "no number of bytes",
		"--keep-bytes 99999999T": "no number of bytes",
		"--devices sd*,":         "an empty pattern",
		"--devices [":            `pattern "["`,
		"--interfaces [":         `pattern "["`,
		"--listen 9819":          `address "9819" to listen at`,
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

func TestSize(t *testing.T) {
	for text, want := range map[string]size{"0": 0, "1023": 1023, "1K": 1 << 10, "500M": 500 << 20, "20G": 20 << 30, "8T": 8 << 40} {
		var s size
		if err := s.Set(text); err != nil || s != want || s.String() != text {
			t.Errorf("%s is %d, written %s, error %v; want %d", text, int64(s), s.String(), err, int64(want))
		}
	}
}

// FuzzSize checks that what was read is written so that the same is read.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"0", "20G", "0K", "9223372036854775807", "8388608T", "G"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s, again size
		if s.Set(text) != nil {
			return
		}
		if s < 0 {
			t.Fatalf("%q is %d", text, int64(s))
		}
		if err := again.Set(s.String()); err != nil || again != s {
			t.Fatalf("%q is %d, written %q, which is %d, error %v", text, int64(s), s.String(), int64(again), err)
		}
	})
}
