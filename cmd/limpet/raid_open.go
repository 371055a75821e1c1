package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/policy"
)

// raidMembers returns an error if no members are given.
var raidMembers = paths("the members of the array: data members in order, then P, then Q")

// missing is the argument for a member that does not exist.
const missing = "missing"

// raidFlags holds the flags that all commands need to open an array.
type raidFlags struct {
	degraded bool
	readOnly bool
	policy   string
	deadline time.Duration
	masks    policy.MaskOptions
}

func (f *raidFlags) bind(cmd *cobra.Command) {
	f.deadline, f.masks = raid.DefaultOptions().Deadline, policy.DefaultMaskOptions()
	cmd.Flags().Var(bounded.Duration(&f.deadline, time.Second, time.Hour), "deadline", "if parity can replace a member, and the member does not answer within this time, the member is no longer used")
	cmd.Flags().BoolVar(&f.degraded, "degraded", false, "open the array even if one or two members are missing or not yet rebuilt")
}

func (f *raidFlags) bindPolicy(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.policy, "policy", policy.Default(policy.Adaptive).String(), "`POLICY` that decides which members are read: "+strings.Join(texts(policy.Kinds()), ", ")+"; settings may follow, as in adaptive:st=2,sr=3")
}

// options returns the options that the flags choose. Events of members are printed on standard
// error at once.
func (f *raidFlags) options(cmd *cobra.Command) (raid.Options, error) {
	o := raid.DefaultOptions()
	o.Degraded, o.ReadOnly = f.degraded, f.readOnly
	if f.deadline > 0 {
		o.Deadline = f.deadline
	}
	if f.masks != (policy.MaskOptions{}) {
		o.Masks = f.masks
	}
	o.Report = func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "limpet: warning: %v\n", err) }
	if f.policy == "" {
		return o, nil
	}
	var err error
	if o.Policy, err = policy.Parse(f.policy); err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// open opens the array. If wrap is not nil, the array uses wrap(i, m) in place of member m.
func (f *raidFlags) open(cmd *cobra.Command, paths []string, wrap func(i int, m raid.Member) raid.Member) (*raid.Array, error) {
	how := member.OpenFile
	if f.readOnly {
		how = member.OpenReadOnly
	}
	members, err := openMembersBy(how, paths, f.degraded)
	if err != nil {
		return nil, err
	}
	for i, m := range members {
		if m != nil && wrap != nil {
			members[i] = wrap(i, m)
		}
	}
	return f.assemble(cmd, members)
}

// assemble opens an array of members. After an error it closes the members.
func (f *raidFlags) assemble(cmd *cobra.Command, members []raid.Member) (*raid.Array, error) {
	o, err := f.options(cmd)
	if err != nil {
		closeMembers(members)
		return nil, err
	}
	a, err := raid.Open(members, o)
	if err != nil {
		closeMembers(members)
		return nil, err
	}
	return a, nil
}

// use opens the array, calls do, and closes the array.
func (f *raidFlags) use(cmd *cobra.Command, paths []string, do func(a *raid.Array) error) error {
	a, err := f.open(cmd, paths, nil)
	if err != nil {
		return err
	}
	printWarnings(cmd.ErrOrStderr(), a.Status().Warnings)
	return errors.Join(do(a), a.Close())
}

// openMembers opens files and devices for writing. A missing member is nil.
func openMembers(paths []string, degraded bool) ([]raid.Member, error) {
	return openMembersBy(member.OpenFile, paths, degraded)
}

// openMembersBy opens files and devices. The error contains the errors of all members. If degraded
// is set, the array is opened even if members are missing, so the errors do not name a flag for it.
func openMembersBy(how func(path string) (*member.File, error), paths []string, degraded bool) ([]raid.Member, error) {
	if err := givenTwice(paths); err != nil {
		return nil, err
	}
	members := make([]raid.Member, len(paths))
	var wrong []error
	for i, path := range paths {
		if path == missing {
			continue
		}
		f, err := how(path)
		if err != nil {
			wrong = append(wrong, memberError(i, path, err, raid.HintWithout(degraded)))
			continue
		}
		members[i] = f
	}
	if len(wrong) > 0 {
		closeMembers(members)
		return nil, errors.Join(wrong...)
	}
	return members, nil
}

// givenTwice returns an error if two paths are the same file.
func givenTwice(paths []string) error {
	var wrong []error
	files := make([]os.FileInfo, len(paths))
	for i, path := range paths {
		file, err := os.Stat(path)
		if path == missing || err != nil {
			continue
		}
		same := func(other os.FileInfo) bool { return other != nil && os.SameFile(file, other) }
		if first := slices.IndexFunc(files, same); first >= 0 {
			wrong = append(wrong, &raid.MemberError{
				Place: i, Name: path, Err: errors.New("this file is given as two members"), Hint: fmt.Sprintf("the file is also member %d; name another file for one of the two members", first),
			})
		}
		files[i] = file
	}
	return errors.Join(wrong...)
}

// memberError returns the error for a member that cannot be opened, with a hint. absent is the hint
// for a member that does not exist.
func memberError(place int, path string, err error, absent string) error {
	var hint string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint = absent
	case errors.Is(err, member.ErrInUse):
		hint = "another process serves or uses the array: end that process first"
	case errors.Is(err, member.ErrKind):
		hint = "give a file or a block device"
	case errors.Is(err, member.ErrMounted):
		hint = "unmount this device, or name another device"
	}
	return &raid.MemberError{Place: place, Name: path, Err: err, Hint: hint}
}

func closeMembers(members []raid.Member) {
	for _, m := range members {
		if m != nil {
			m.Close()
		}
	}
}

// openOrMake opens a member. If it does not exist and a size is given, openOrMake creates a file.
func openOrMake(path string, size int64) (m raid.Member, made bool, err error) {
	f, err := member.OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) && size > 0 {
		f, err = member.CreateFile(path, size)
		made = err == nil
	}
	return f, made, err
}

// absent returns the paths of files that do not exist.
func absent(paths []string) (list []string) {
	for _, path := range paths {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			list = append(list, path)
		}
	}
	return list
}

// remove removes files that were created before an error.
func remove(paths []string) {
	for _, path := range paths {
		os.Remove(path)
	}
}
