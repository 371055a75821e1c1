package record

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
)

// Other users may be allowed to write into the directory. So a recorder holds a lock on the
// directory while it runs, and checks at each sample whether its file is unchanged.

// lookEvery is the interval between checks whether the file still has its name.
const lookEvery = time.Minute

// stake locks the directory for this recorder of the host, and removes unfinished files that a
// crash has left. Because of the lock, they cannot belong to another recorder.
func (r *Recorder) stake() (err error) {
	dir, host := r.opts.Dir, r.opts.File.Hostname
	path := filepath.Join(dir, lockName(host))
	if r.claim, err = openClaim(path); errors.Is(err, errBusy) {
		return inUse(path)
	} else if err != nil {
		return fmt.Errorf("cannot lock directory %s: %w", dir, err)
	}
	if err := removeParts(dir, host); err != nil {
		r.log.Warn("the recorder cannot remove unfinished files of an earlier run that crashed", "error", err)
	}
	return nil
}

// inUse returns the error of a second recorder.
func inUse(path string) error {
	return fmt.Errorf("%s: %w: stop the other recorder, or record into another directory", path, errBusy)
}

// inspect gives up the file if another program has removed or changed it.
func (r *Recorder) inspect(now moment) {
	if r.out == nil {
		return
	}
	why := r.out.Changes()
	if why == "" && now.elapsed-r.looked >= lookEvery {
		r.looked = now.elapsed
		if !r.out.HasName() {
			why = fileMoved
		}
	}
	if why != "" {
		r.giveUp(now, why)
	}
}

// giveUp closes the file, so that the recorder begins another file. If the file was moved, no
// records are lost. Otherwise all its records may be lost.
func (r *Recorder) giveUp(now moment, why string) {
	r.log.Error("the recorder starts a new file, because another program changed the current file", "file", r.out.Path, "cause", why)
	text := why
	if why != fileMoved {
		text = "gap " + seconds(max(0, now.wall.Sub(r.out.begun))) + " at most: " + why
	}
	if why == dayfile.Truncated {
		r.out.RemoveEmpty()
	}
	r.remarks.first(text)
	r.changedPath, r.announce = r.out.Path, true
	r.retire()
}
