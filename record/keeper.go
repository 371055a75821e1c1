package record

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"time"
)

// keepEvery is the longest time between two checks of the directory. Without a call of wake, the
// size of the files still changes, because the current file grows.
const keepEvery = 10 * time.Minute

// A keeper compresses closed files and removes the oldest. Only one keeper runs, with the lowest
// priority.
type keeper struct {
	dir, host string
	opts      Options
	log       *slog.Logger
	woken     chan struct{}
	left      map[string]bool // files that cannot be compressed, by path
	stuck     map[string]bool // files that cannot be removed, by path
	foreign   map[string]bool // files that the recorder did not write, by path
	seals     map[string]seal // results of the checks of files, by path
	reached   func(step string)
}

func newKeeper(o Options) *keeper {
	return &keeper{
		dir: o.Dir, host: o.File.Hostname, opts: o, log: o.Log,
		woken: make(chan struct{}, 1), left: map[string]bool{}, stuck: map[string]bool{},
		foreign: map[string]bool{}, seals: map[string]seal{}, reached: func(string) {},
	}
}

// wake makes the keeper check the directory soon.
func (k *keeper) wake() {
	select {
	case k.woken <- struct{}{}:
	default:
	}
}

// run checks the directory until ctx is done. It sets the low priority of its own thread, which
// ends with run.
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

// pass checks the directory once. It removes old files first, because compressing needs free space.
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

// compress compresses a file unless the file is in use. If that fails, the file stays as it is.
// After a full disk or the end of the recorder, it is tried again.
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
