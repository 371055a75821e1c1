package record

import (
	"errors"
	"os"
)

// retain removes the files that are not kept. It logs once if a file cannot be removed.
func (k *keeper) retain(files []file) {
	for _, f := range expired(files, k.opts.KeepDays, k.opts.KeepBytes) {
		switch err := removeClosed(f); {
		case err == nil:
			k.log.Info("the recorder removed an old file", "file", f.path)
		case errors.Is(err, errBusy), errors.Is(err, os.ErrNotExist):
		case !k.stuck[f.path]:
			k.stuck[f.path] = true
			k.log.Error("the recorder cannot remove an old file", "file", f.path, "error", err)
		}
	}
}

// removeClosed removes a file that is not being written.
func removeClosed(f file) error {
	if f.packing == Plain {
		lock, err := openLocked(f.path, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer lock.Close()
	}
	return os.Remove(f.path)
}

// expired returns the files to remove. The files must be in order of time. Only days with files are
// counted, so that a clock that is wrong by years does not make all files old. The newest file is
// always kept.
func expired(files []file, days int, bytes int64) []file {
	kept, size := 0, int64(0)
	for i := len(files) - 1; i >= 0; i-- {
		f := &files[i]
		if i == len(files)-1 || dayOf(f.begin) != dayOf(files[i+1].begin) {
			kept++
		}
		size += f.size
		tooOld, tooMuch := days > 0 && kept > days, bytes > 0 && size > bytes
		if i < len(files)-1 && (tooOld || tooMuch) {
			return files[:i+1]
		}
	}
	return nil
}
