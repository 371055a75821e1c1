package record

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
)

// A directory may be others' to write in. One recorder of a host holds a lock
// on it for as long as it lives, and asks at each sample whether its file is
// still as it left it.

// lookEvery is how often is looked whether the file still has its name.
const lookEvery = time.Minute

// stake claims the directory for this recorder of the host, and clears away
// what a crash left of files being made, which can be nobody else's then.
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

// inUse is the error of a second recorder.
func inUse(path string) error {
	return fmt.Errorf("%s: %w: stop the other recorder, or record into another directory", path, errBusy)
}

// inspect gives the file up where others have removed or changed it.
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

// giveUp has another file begun. Of one that was moved nothing is lost; of
// others all may be.
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
	r.shunned, r.announce = r.out.Path, true
	r.retire()
}
