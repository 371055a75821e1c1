//go:build linux

package blkprobe

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"
	"golang.org/x/sys/unix"
)

// attach loads the programs of a probe and attaches them to their tracepoints. A program stays
// loaded as long as its link is open. All programs are loaded together, because each load reads the
// kernel's description of its types.
func (m *maps) attach(by probe) (attached links, err error) {
	programs := ebpf.CollectionSpec{Programs: map[string]*ebpf.ProgramSpec{}}
	for _, h := range hooks {
		if (by.has(h.tracepoint) || !h.optional) && h.tracepoint != m.deaf {
			programs.Programs[h.tracepoint] = m.program(by, h)
		}
	}
	loaded, err := ebpf.NewCollectionWithOptions(&programs, ebpf.CollectionOptions{Programs: ebpf.ProgramOptions{LogDisabled: true}})
	if err != nil {
		return nil, short(err)
	}
	defer loaded.Close()
	for tracepoint, p := range loaded.Programs {
		l, err := linkTo(tracepoint, p)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", tracepoint, err), attached.close())
		}
		attached = append(attached, l)
	}
	return attached, nil
}

func (m *maps) program(by probe, h hook) *ebpf.ProgramSpec {
	p := program{maps: *m, probe: by}
	p.time()
	by.begin(&p, h.tracepoint)
	h.body(&p)
	spec := by.spec(h.tracepoint)
	spec.Name = strings.Replace(h.tracepoint, "block_rq", "limpet", 1)
	spec.License = "Dual MIT/GPL" // the kernel offers some of its functions only to programs under the GPL
	spec.Instructions = p.end()
	return spec
}

func linkTo(tracepoint string, p *ebpf.Program) (link.Link, error) {
	switch p.Type() {
	case ebpf.Tracing:
		return link.AttachTracing(link.TracingOptions{Program: p, AttachType: ebpf.AttachTraceRawTp})
	case ebpf.RawTracepoint:
		return link.AttachRawTracepoint(link.RawTracepointOptions{Name: tracepoint, Program: p})
	}
	return link.Tracepoint("block", tracepoint, p, nil)
}

// links are the programs that are attached to tracepoints.
type links []link.Link

func (l links) close() (err error) {
	for _, one := range l {
		err = errors.Join(err, one.Close())
	}
	return err
}

// A probeSource returns probes of one kind, or an error with the reason why this kernel has none.
type probeSource func() ([]probe, error)

// probeSources have a function for each kind of probes, the fastest first. tracefs is used only if
// nothing else works.
var probeSources = []probeSource{byShape, byTracefs}

func byShape() ([]probe, error) {
	shape, err := kernelShape()
	return []probe{direct{shape}, raw{shape}}, err
}

func byTracefs() ([]probe, error) {
	s, err := openTracefs()
	return []probe{s}, err
}

func kernelShape() (*requestShape, error) {
	spec, err := btf.LoadKernelSpec()
	if err != nil {
		return nil, fmt.Errorf("the kernel has no BTF type information, which the recorder needs: use a kernel with CONFIG_DEBUG_INFO_BTF (%w)", short(err))
	}
	return shapeOf(spec)
}

// explain returns an error of one line: the reason why no program can be attached, and the cure.
func explain(err error) error {
	what := "the recorder cannot trace block requests, because BPF does not work on this kernel"
	switch {
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		what = "the kernel does not permit the recorder to trace block requests: give this process CAP_BPF and CAP_PERFMON (CAP_SYS_ADMIN before Linux 5.8), and turn off kernel lockdown"
		if text, _ := os.ReadFile("/sys/kernel/security/lockdown"); strings.Contains(string(text), "[confidentiality]") {
			what = "the kernel does not permit the recorder to trace block requests, because the mode of kernel lockdown is confidentiality: start the kernel with lockdown=integrity, or record without latencies (--no-latency)"
		}
	case errors.Is(err, unix.ENOSYS):
		what = "the kernel was built without BPF (CONFIG_BPF_SYSCALL)"
	}
	return fmt.Errorf("%s: %s", what, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// short returns an error without the kernel's log of the program.
func short(err error) error {
	if v, ok := errors.AsType[*ebpf.VerifierError](err); ok {
		return v.Cause
	}
	return err
}

// start attaches the programs of the first probe that works. If none works, the error is one line
// with the reason and the cure.
func start(o options) (*attachedPrograms, error) {
	if o.Processors == 0 {
		o.Processors = runtime.NumCPU()
	}
	_ = rlimit.RemoveMemlock() // kernels before 5.11 count maps as locked memory; newMaps reports the error
	m, err := newMaps(o)
	if err != nil {
		return nil, explain(short(err))
	}
	attached, name, err := m.attachAny(o.HookKind)
	debug.FreeOSMemory() // the description of the kernel's types is large, and is used only once
	if err != nil {
		return nil, explain(errors.Join(err, m.close()))
	}
	memory, err := m.memory()
	if err != nil {
		return nil, explain(errors.Join(err, attached.close(), m.close()))
	}
	return &attachedPrograms{HookKind: name, Memory: memory, close: func() error { return errors.Join(attached.close(), m.close()) }}, nil
}

// attachAny attaches the programs of the first probe that works; only, unless it is "", is the name
// of the one probe to try.
func (m *maps) attachAny(only string) (attached links, name string, err error) {
	for _, w := range probeSources {
		probes, whyNot := w()
		if whyNot != nil {
			err, probes = errors.Join(err, whyNot), nil
		}
		for _, by := range probes {
			if only != "" && only != by.name() {
				continue
			}
			attached, whyNot := m.attach(by)
			if whyNot == nil {
				return attached, by.name(), nil
			}
			err = errors.Join(err, fmt.Errorf("%s: %w", by.name(), whyNot))
		}
	}
	return nil, "", err
}
