package record

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os/exec"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// How closed files are kept.
const (
	Zstd  = "zst"
	XZ    = "xz" // by the program of that name
	Plain = "none"
)

// Options are where, how often and for how long is recorded.
type Options struct {
	Dir string
	// File is what each file says of its host and of its records. The host
	// name is also that of the files; Created is set by the recorder.
	File sysstat.WriterOptions

	Interval time.Duration // between samples
	Sync     time.Duration // of recording that a loss of power may cost

	Compress   string // Zstd, XZ or Plain
	CompressMB int    // a second of a closed file are read at most; 0: no bound

	KeepDays  int   // that have files are kept, the newest; 0: all
	KeepBytes int64 // are kept, the oldest closed files go first; 0: no bound
	// ResumeBytes have to be free before writing is resumed on a disk that
	// was full, so that it does not stop and go with every file removed. Of a
	// small disk a tenth is enough.
	ResumeBytes int64

	Clock    Clock        // nil: the machine's
	Listener Listener     // nil: none
	Log      *slog.Logger // nil: none
}

// DefaultOptions record every second, and keep a month.
func DefaultOptions() Options {
	return Options{
		File:     sysstat.DefaultWriterOptions(),
		Interval: time.Second,
		Sync:     10 * time.Second,
		Compress: Zstd,
		// A day of 72 disks is 800 MB: it takes not two minutes, and no disk
		// that serves others notices.
		CompressMB:  10,
		KeepDays:    30,
		ResumeBytes: 16 << 20,
	}
}

// Bounds of the options. Shorter intervals make no sense with times in 1/100 s, and longer
// ones make none with a file a day. A sync less often than once a day would lose the file.
// The other bounds are more than any disk has.
const (
	MinInterval   = time.Millisecond
	MaxInterval   = time.Hour
	MaxSync       = 24 * time.Hour
	MaxCompressMB = 1_000_000
	MaxKeepDays   = 100_000
	MaxKeepBytes  = 1 << 60
)

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	if o.Dir == "" {
		return fmt.Errorf("no directory is given for the recorded files: name a directory")
	}
	host := o.File.Hostname
	if host == "" || host[0] == '.' || strings.ContainsAny(host, "/\x00") {
		return fmt.Errorf("host name %q cannot be used in the name of a file: give another name", host)
	}
	err := errors.Join(
		bounds.Within("interval", o.Interval, MinInterval, MaxInterval),
		bounds.Within("sync", o.Sync, 1, MaxSync),
		bounds.Within("compress-rate", o.CompressMB, 0, MaxCompressMB),
		bounds.Within("keep-days", o.KeepDays, 0, MaxKeepDays),
		bounds.Within("keep-bytes", o.KeepBytes, 0, MaxKeepBytes),
		bounds.Within("ResumeBytes", o.ResumeBytes, 0, math.MaxInt64),
	)
	if err != nil {
		return err
	}
	if err := o.validateCompress(); err != nil {
		return err
	}
	return o.File.Validate()
}

func (o *Options) validateCompress() error {
	switch o.Compress {
	case Zstd, Plain:
		return nil
	case XZ:
		if _, err := exec.LookPath("xz"); err != nil {
			return fmt.Errorf("compression %s cannot be used: %w: install xz, or choose %s", XZ, err, Zstd)
		}
		return nil
	}
	return fmt.Errorf("compression %q is unknown: give %s, %s or %s", o.Compress, Zstd, XZ, Plain)
}

// orDefaults fills in what may be nil.
func (o *Options) orDefaults() {
	if o.Clock == nil {
		o.Clock = newSystemClock()
	}
	if o.Listener == nil {
		o.Listener = deaf{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// deaf is the Listener that none is.
type deaf struct{}

func (deaf) Hear(time.Time, uint64, *sysstat.Sample) {}
