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

// Formats of closed files.
const (
	Zstd  = "zst"
	XZ    = "xz" // compressed by the program xz
	Plain = "none"
)

// Options say where, how often and for how long the recorder records.
type Options struct {
	Dir string
	// File holds the description of the host and of the records in each file. Its host name is also
	// part of the names of files. The recorder sets Created.
	File sysstat.WriterOptions

	Interval time.Duration // time between two samples
	Sync     time.Duration // longest time of records that a loss of power may cost

	Compress   string // Zstd, XZ or Plain
	CompressMB int    // largest rate in MB/s at which a closed file is read; 0: no limit

	KeepDays  int   // number of days with files that are kept, newest first; 0: all
	KeepBytes int64 // largest size of all files; the oldest closed files are removed first; 0: no limit
	// ResumeBytes is the space that must be free before writing resumes on a disk that was full.
	// Otherwise writing would stop and start with every file that is removed. On a small disk, a
	// tenth of the disk is enough.
	ResumeBytes int64

	Clock    Clock        // nil: clock of the machine
	Listener Listener     // nil: none
	Log      *slog.Logger // nil: none
}

// DefaultOptions returns options that record every second and keep a month.
func DefaultOptions() Options {
	return Options{
		File:     sysstat.DefaultWriterOptions(),
		Interval: time.Second,
		Sync:     10 * time.Second,
		Compress: Zstd,
		// A day of 72 disks is 800 MB. At this rate compressing takes less than two minutes and
		// does not disturb a disk that serves others.
		CompressMB:  10,
		KeepDays:    30,
		ResumeBytes: 16 << 20,
	}
}

// Bounds of the options. Shorter intervals are useless, because times are in 1/100 s. Longer
// intervals are useless, because a file holds one day. If syncs were rarer than once a day, a loss
// of power could cost a whole file. The other bounds are larger than any disk.
const (
	MinInterval   = time.Millisecond
	MaxInterval   = time.Hour
	MaxSync       = 24 * time.Hour
	MaxCompressMB = 1_000_000
	MaxKeepDays   = 100_000
	MaxKeepBytes  = 1 << 60
)

// Validate returns an error if an option is wrong.
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

// orDefaults sets the defaults of options that are nil.
func (o *Options) orDefaults() {
	if o.Clock == nil {
		o.Clock = newSystemClock()
	}
	if o.Listener == nil {
		o.Listener = discardListener{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// discardListener is a Listener that ignores samples.
type discardListener struct{}

func (discardListener) Hear(time.Time, uint64, *sysstat.Sample) {}
