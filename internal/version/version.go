package version

import (
	"cmp"
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// tag and commit are set by the linker.
var tag, commit string

// archive holds the commit if the source comes from git archive, such as a tarball of
// GitHub. Otherwise it holds the pattern that git archive replaces.
//
//go:embed archive.txt
var archive string

// unknown is the commit if go build has not recorded one: with -buildvcs=false, or without a
// directory .git. In a worktree of git, .git is a file.
const unknown = "unknown (go build did not record the version; build with make build)"

// Build holds the version, the commit, the Go version and the platform of a build.
type Build struct{ Version, Commit, Go, Platform string }

// Get returns the build of this program.
func Get() Build {
	b := Build{Version: tag, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.fill(info)
	}
	b.Version, b.Commit = cmp.Or(strings.TrimPrefix(b.Version, "v"), unversioned), cmp.Or(b.Commit, archived(archive), unknown)
	return b
}

// unversioned is the version of a build from a directory without git.
const unversioned = "(devel)"

// fill sets the fields that the linker has not set, from the build information of Go.
func (b *Build) fill(info *debug.BuildInfo) {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if b.Commit == "" && settings["vcs.revision"] != "" {
		b.Commit = settings["vcs.revision"]
		if settings["vcs.modified"] == "true" {
			b.Commit += " with local changes"
		}
	}
	b.Version = cmp.Or(b.Version, info.Main.Version)
}

// archived returns the commit in the text of archive.txt; empty if git archive has not
// written one.
func archived(text string) string {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "$") {
		return text
	}
	return ""
}

// String returns one line: 0.3.0 (commit 1a2b3c4, go1.26.8, linux/amd64).
func (b Build) String() string {
	short, _, _ := strings.Cut(b.Commit, " (")
	return fmt.Sprintf("%s (commit %s, %s, %s)", b.Version, short, b.Go, b.Platform)
}
