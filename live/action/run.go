package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/post"
	plan "github.com/limpet-storage/limpet/report/action"
)

// Runner runs the commands of drivers. It returns the output of a command, and an error if the
// command failed or did not end in time. It must not run a command twice.
type Runner interface {
	Run(ctx context.Context, c plan.Command) (answer string, err error)
}

// Commands runs the commands of drivers on this machine, and by ssh on other machines. No shell of
// this machine interprets a command. With ssh, the shell of the other machine interprets the
// command. This is safe, because the names in commands have no character that is special for a
// shell (report/action).
type Commands struct {
	// Local reports whether a server is this machine.
	Local func(server string) bool
	// SSH is the program, with its options, that runs a command on another machine.
	SSH []string
	// Root is a directory that is put before the paths of kernel files. Only tests use it.
	Root string
}

// NewCommands returns a runner for this machine. A server is this machine if the name of the server
// is the host name of this machine, with or without the domain.
func NewCommands() (*Commands, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("the name of this machine is unknown: %w", err)
	}
	short := func(name string) string { name, _, _ = strings.Cut(strings.ToLower(name), "."); return name }
	local := func(server string) bool {
		if strings.Contains(server, ".") && strings.Contains(host, ".") {
			return strings.EqualFold(server, host)
		}
		return short(server) == short(host)
	}
	return &Commands{Local: local, SSH: []string{"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"}}, nil
}

const (
	// mostAnswer is the largest output of a command that limpet reads, in bytes. The OSD map of a
	// cluster with 10,000 OSDs has about 15 MB.
	mostAnswer = 64 << 20
	// mostPosted is the largest answer of a web service that limpet reads, in bytes.
	mostPosted = 1 << 20
	// mostErrors is the largest number of bytes that limpet keeps of a command's standard error.
	mostErrors = 4000
	// graceful is the longest time for which the pipes of a command may stay open after limpet has
	// ended the command.
	graceful = time.Second
	// kernelFiles is the directory of the kernel's files that commands may read and write.
	kernelFiles = "/sys/block/"
)

// Run does one of three things: it runs a program on the command's server, sends a request to a web
// service, or reads or writes a file of the kernel. The fields of the command decide which of these
// three things Run does.
func (r *Commands) Run(ctx context.Context, c plan.Command) (string, error) {
	switch {
	case c.URL != "":
		return r.post(ctx, c)
	case c.Server != "" && !r.Local(c.Server):
		return execute(ctx, append(append([]string(nil), r.SSH...), "--", c.Server, c.Line()), "")
	case c.File != "":
		return r.file(c)
	}
	return execute(ctx, c.Args, c.Input)
}

// post sends JSON to a web service that the operator's site has written as a driver. A new
// connection is used for each request, so that no request is sent twice.
func (r *Commands) post(ctx context.Context, c plan.Command) (answer string, err error) {
	limit := post.Options{URL: c.URL, BearerFile: c.BearerFile}
	if deadline, ok := ctx.Deadline(); ok {
		limit.Timeout = max(time.Until(deadline), time.Millisecond)
	}
	client, err := post.New(limit)
	if err != nil {
		return "", err
	}
	got, err := client.Ask(ctx, http.MethodPost, "", nil, []byte(c.Input), http.Header{"Content-Type": {"application/json"}, "Connection": {"close"}})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, got.Body.Close()) }()
	text, err := io.ReadAll(io.LimitReader(got.Body, mostPosted))
	return string(text), err
}

// file reads the file c.File of the kernel, or writes c.Text into it.
func (r *Commands) file(c plan.Command) (answer string, err error) {
	if name := filepath.Clean(c.File); name != c.File || !strings.HasPrefix(name, kernelFiles) {
		return "", fmt.Errorf("file %s cannot be used: only files below %s are allowed", c.File, kernelFiles)
	}
	flags := os.O_RDONLY
	if c.Text != "" {
		flags = os.O_WRONLY
	}
	f, err := os.OpenFile(r.Root+c.File, flags, 0)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if c.Text != "" {
		_, err = f.WriteString(c.Text + "\n") // a single system call, because the kernel treats each write as one value
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(f, mostErrors))
	return string(text), err
}

// execute runs a program and returns its output. If the context ends first, execute ends the
// program and all processes that the program started.
func execute(ctx context.Context, args []string, input string) (string, error) {
	if len(args) == 0 {
		return "", errors.New("internal error: the command is empty")
	}
	out, errs := &limited{maxBytes: mostAnswer}, &limited{maxBytes: mostErrors}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), out, errs
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = graceful
	endWithChildren(cmd)
	err := cmd.Run()
	answer := out.String()
	said := strings.Join(strings.Fields(toValid(errs.String())), " ")
	switch {
	case ctx.Err() != nil:
		return answer, fmt.Errorf("the command was ended, because it took too long: %w", ctx.Err())
	case err != nil && said != "":
		return answer, fmt.Errorf("%w: %s", err, said)
	case err != nil:
		return answer, err
	case out.cut:
		return answer, fmt.Errorf("the output of the command has more than %d bytes, which is the limit", mostAnswer)
	}
	return answer, nil
}

// limited is a writer that keeps only the first maxBytes bytes.
type limited struct {
	bytes.Buffer
	maxBytes int
	cut      bool
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.maxBytes - l.Len(); room < len(p) {
		l.cut = true
		l.Buffer.Write(p[:room])
		return len(p), nil
	}
	return l.Buffer.Write(p)
}
