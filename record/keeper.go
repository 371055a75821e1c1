package record

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"time"
)

// keepEvery is how often the directory is looked through without being told:
// the file being written grows too.
const keepEvery = 10 * time.Minute

// A keeper looks after closed files: it compresses them and removes the
// oldest. It is alone in that, and gives way to all others.
type keeper struct {
	dir, host string
	opts      Options
	log       *slog.Logger
	woken     chan struct{}
	left      map[string]bool // files that cannot be compressed, by path
	stuck     map[string]bool // likewise that cannot be removed
	foreign   map[string]bool // likewise that are not the recorder's
	seals     map[string]seal // by path
	reached   func(step string)
}

func newKeeper(o Options) *keeper {
	return &keeper{
		dir: o.Dir, host: o.File.Hostname, opts: o, log: o.Log,
		woken: make(chan struct{}, 1), left: map[string]bool{}, stuck: map[string]bool{},
		foreign: map[string]bool{}, seals: map[string]seal{}, reached: func(string) {},
	}
}

// wake has the keeper look through the directory soon.
func (k *keeper) wake() {
	select {
	case k.woken <- struct{}{}:
	default:
	}
}

// run keeps until ctx is done. The thread has its low priority to itself and
// ends with it.
func (k *keeper) run(ctx context.Context) {
	runtime.LockOSThread()
	if err := yield(); err != nil {
		k.log.Warn("the recorder cannot compress closed files at idle priority, so compression may slow down other programs", "error", err)
	}
	every := time.NewTicker(keepEvery)
	defer every.Stop()
	for {
		k.pass(ctx)
		select {
		case <-ctx.Done():
			return
		case <-k.woken:
		case <-every.C:
		}
	}
}

// pass looks through the directory once. What is to go is removed first, for
// compressing needs room.
func (k *keeper) pass(ctx context.Context) {
	files, err := list(k.dir, k.host)
	if err != nil {
		k.log.Error("the recorder cannot list its closed files, so it does not compress or remove any file", "error", err)
		return
	}
	for _, path := range strangers(k.dir, k.host) {
		k.passOver(path)
	}
	files = k.genuine(files)
	k.retain(files)
	if k.opts.Compress == Plain {
		return
	}
	for _, f := range files {
		if f.packing == Plain && !k.left[f.path] && ctx.Err() == nil {
			k.compress(ctx, f)
		}
	}
}

// compress replaces a file unless it is in use. One that fails stays as it
// is; a full disk or an end of the recorder may be over the next time.
func (k *keeper) compress(ctx context.Context, f file) {
	switch err := k.pack(ctx, f.path); {
	case err == nil:
		k.log.Info("the recorder compressed a file", "file", f.path)
	case errors.Is(err, errBusy), errors.Is(err, os.ErrNotExist), ctx.Err() != nil:
	default:
		k.left[f.path] = !isFull(err)
		k.log.Error("the recorder cannot compress a file", "file", f.path, "error", err)
	}
}
