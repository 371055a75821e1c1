package record

import (
	"testing"
	"time"
)

func TestValidate(t *testing.T) {
	cases := map[string]func(o *Options){
		"":               func(*Options) {},
		"directory":      func(o *Options) { o.Dir = "" },
		"host":           func(o *Options) { o.File.Hostname = "" },
		"hidden host":    func(o *Options) { o.File.Hostname = ".fs1" },
		"host's path":    func(o *Options) { o.File.Hostname = "../fs1" },
		"interval":       func(o *Options) { o.Interval = 0 },
		"long interval":  func(o *Options) { o.Interval = 2 * time.Hour },
		"sync":           func(o *Options) { o.Sync = 0 },
		"compression":    func(o *Options) { o.Compress = "gzip" },
		"rate":           func(o *Options) { o.CompressMB = -1 },
		"days":           func(o *Options) { o.KeepDays = -1 },
		"bytes":          func(o *Options) { o.KeepBytes = -1 },
		"writer's own":   func(o *Options) { o.File.CPUs = 0 },
		"bytes to start": func(o *Options) { o.ResumeBytes = -1 },
	}
	for name, change := range cases {
		o := DefaultOptions()
		o.Dir, o.File.Hostname = "dir", "fs1"
		change(&o)
		if err := o.Validate(); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoXZ: compression by a program that is not there is refused.
func TestNoXZ(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	o := DefaultOptions()
	o.Dir, o.File.Hostname, o.Compress = "dir", "fs1", XZ
	if err := o.Validate(); err == nil {
		t.Error("no error")
	}
}
