//go:build linux

package bench

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Processes run at the same time until they are stopped.
type Processes struct {
	Log io.Writer
	all []*process

	// What runs in this process, beside the others.
	cancel context.CancelFunc
	inside sync.WaitGroup
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

// Start starts a command.
func (p *Processes) Start(args ...string) error {
	cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = p.Log, p.Log
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

// Go runs a function until the processes are stopped.
func (p *Processes) Go(run func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	if before := p.cancel; before != nil {
		context.AfterFunc(ctx, before)
	}
	p.cancel = cancel
	p.inside.Go(func() { run(ctx) })
}

// Running reports a process that has ended by itself.
func (p *Processes) Running() error {
	for _, one := range p.all {
		select {
		case <-one.ended:
			return fmt.Errorf("the program \"%s\" has ended unexpectedly: %v", strings.Join(one.cmd.Args, " "), one.err)
		default:
		}
	}
	return nil
}

// Stop ends them and waits, kindly first where they have something to write.
func (p *Processes) Stop(signal syscall.Signal) {
	if p.cancel != nil {
		p.cancel()
		p.inside.Wait()
	}
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

// Sleep waits, and less long where the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Patiently tries something every second until it works, for a minute.
func Patiently(ctx context.Context, try func() error) error {
	var err error
	for range 60 {
		if err = try(); err == nil {
			return nil
		}
		if err := Sleep(ctx, time.Second); err != nil {
			return err
		}
	}
	return err
}

// Finish waits until all have ended well.
func (p *Processes) Finish(ctx context.Context) error {
	defer p.Stop(syscall.SIGKILL)
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
