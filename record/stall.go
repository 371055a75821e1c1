package record

import (
	"strings"
	"time"
)

const (
	// retryEvery is how often writing is tried again once it failed.
	retryEvery = 10 * time.Second
	// resumeShare of a disk is room enough where it is smaller than what
	// usually has to be free.
	resumeShare = 10
)

// A stall is the time in which nothing can be written.
type stall struct {
	err   error         // why; nil: there is none
	since time.Duration // by elapsed time
	retry time.Duration // likewise
}

// store writes the sample. Once writing failed, that is tried now and then.
func (r *Recorder) store(now moment) {
	r.inspect(now)
	if r.stall.err != nil {
		if r.ready(now) {
			r.retry(now)
		}
		return
	}
	if err := r.write(now); err != nil {
		r.stop(now, err)
	}
}

// retry writes the sample with a remark on what is missing.
func (r *Recorder) retry(now moment) {
	r.remarks.first(r.stall.remark(now))
	if err := r.write(now); err != nil {
		r.remarks.dropFirst()
		r.stall.err = err
		return
	}
	r.log.Info("recording continues", "gap", now.elapsed-r.stall.since)
	r.stall = stall{}
}

// ready says whether writing may be tried again.
func (r *Recorder) ready(now moment) bool {
	if now.elapsed < r.stall.retry {
		return false
	}
	r.stall.retry = now.elapsed + retryEvery
	if !isFull(r.stall.err) {
		return true
	}
	free, all, err := space(r.opts.Dir)
	return err != nil || free >= min(r.opts.ResumeBytes, all/resumeShare)
}

// stop begins a stall, and logs it once.
func (r *Recorder) stop(now moment, err error) {
	r.stall = stall{err, now.elapsed, now.elapsed + retryEvery}
	r.log.Error("recording stopped: the recorder cannot write, and continues when it can write again", "error", err, "hint", hint(err))
	r.keeper.wake()
}

func hint(err error) string {
	if isFull(err) {
		return "free space on the disk, or use a smaller --keep-days or --keep-bytes"
	}
	return "check the disk and the directory's permissions"
}

// remark is the comment on a stall that is over.
func (s stall) remark(now moment) string {
	why := s.err.Error()
	if i := strings.LastIndex(why, ": "); i >= 0 {
		why = why[i+2:]
	}
	return "gap " + seconds(now.elapsed-s.since) + ": " + why
}
