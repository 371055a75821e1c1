//go:build linux

package gluster

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// processes run beside each other until they are stopped.
type processes struct {
	log io.Writer
	all []*process
}

type process struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when it has
	err   error
}

// apart gives a command a process group of its own, so that it ends with all
// that it has started, and not by a ctrl-C that is meant for the driver.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

// start starts a command.
func (p *processes) start(args ...string) error {
	cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = p.log, p.log
	apart(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	one := &process{cmd: cmd, ended: make(chan struct{})}
	go func() {
		one.err = cmd.Wait()
		close(one.ended)
	}()
	p.all = append(p.all, one)
	return nil
}

// running reports a process that has ended by itself.
func (p *processes) running() error {
	for _, one := range p.all {
		select {
		case <-one.ended:
			return fmt.Errorf("%s ended by itself: %v", strings.Join(one.cmd.Args, " "), one.err)
		default:
		}
	}
	return nil
}

// stop ends them and waits, kindly first where they have something to write.
func (p *processes) stop(signal syscall.Signal) {
	for _, one := range p.all {
		_ = syscall.Kill(-one.cmd.Process.Pid, signal) // it may have ended
	}
	patience := time.After(10 * time.Second)
	for _, one := range p.all {
		select {
		case <-one.ended:
		case <-patience:
			_ = syscall.Kill(-one.cmd.Process.Pid, syscall.SIGKILL)
		}
	}
	p.all = nil
}

// sleep waits, and less long where the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// finish waits until all have ended well.
func (p *processes) finish(ctx context.Context) error {
	defer p.stop(syscall.SIGKILL)
	for _, one := range p.all {
		select {
		case <-one.ended:
			if one.err != nil {
				return fmt.Errorf("%s: %w", strings.Join(one.cmd.Args, " "), one.err)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
