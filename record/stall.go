package record

import (
	"strings"
	"time"
)

const (
	// retryEvery is the interval between attempts to write after an error.
	retryEvery = 10 * time.Second
	// resumeDivisor is the divisor for small disks: 1/resumeDivisor of the disk is enough free
	// space, if that is less than Options.ResumeBytes.
	resumeDivisor = 10
)

// A stall is a time in which nothing can be written.
type stall struct {
	err   error         // reason of the stall; nil: there is no stall
	since time.Duration // elapsed time of its beginning
	retry time.Duration // elapsed time of the next attempt
}

// store writes the sample. After an error it tries again only every retryEvery.
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

// retry writes the sample, with a remark on the gap.
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

// ready reports whether writing may be tried again.
func (r *Recorder) ready(now moment) bool {
	if now.elapsed < r.stall.retry {
		return false
	}
	r.stall.retry = now.elapsed + retryEvery
	if !isFull(r.stall.err) {
		return true
	}
	free, all, err := space(r.opts.Dir)
	return err != nil || free >= min(r.opts.ResumeBytes, all/resumeDivisor)
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

// remark returns the comment on a stall that has ended.
func (s stall) remark(now moment) string {
	why := s.err.Error()
	if i := strings.LastIndex(why, ": "); i >= 0 {
		why = why[i+2:]
	}
	return "gap " + seconds(now.elapsed-s.since) + ": " + why
}
