// This file reads the files in which a site keeps the output of its tools: plain and
// compressed, archives of them, copies of /sys, and activity files.

package site

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/topology"
)

// Options choose how files are read.
type Options struct {
	// Host returns the server that printed a file, if the file itself does not name it. If Host is
	// nil, the server comes from the name of the file or of its folder.
	Host func(path string) string
}

// A Source describes the content of one file.
type Source struct {
	File    string
	Formats []string
	Devices int
	Volumes int
	Refused string // reason why nothing was taken; "": something was taken
	Guessed string // server, if only the file's name names it
}

// maxFile is the largest file that is read: the outputs of a thousand servers are smaller.
const maxFile = 256 << 20

// maxDepth is the largest number of archives around an archive.
const maxDepth = 2

// ReadFiles reads files, folders and stores of metrics. A file that cannot be opened is an error; a
// file that cannot be understood is a refused source.
func ReadFiles(ctx context.Context, roots []string, o Options) (Inventory, []Source, error) {
	g := gatherer{options: o, trees: map[string][]entry{}, lustre: map[string]string{}}
	var folders []string
	for _, root := range roots {
		if !isStore(root) {
			folders = append(folders, root)
		} else if err := g.store(ctx, root); err != nil {
			return Inventory{}, nil, err
		}
	}
	files, err := paths.List(folders)
	if err != nil {
		return Inventory{}, nil, err
	}
	slices.SortFunc(files, topology.Compare)
	if g.options.Host == nil && ofOneFolder(files) {
		g.options.Host = HostOfOneFolder
	}
	for _, file := range slices.Compact(files) {
		if err := ctx.Err(); err != nil {
			return Inventory{}, nil, err
		}
		if err := g.open(file); err != nil {
			return Inventory{}, nil, err
		}
	}
	g.readTrees()
	return g.inv, g.sources, nil
}

// ofOneFolder reports whether all files are in one folder: then the name of the folder does not
// distinguish servers.
func ofOneFolder(files []string) bool {
	return !slices.ContainsFunc(files, func(file string) bool { return path.Dir(file) != path.Dir(files[0]) })
}

type gatherer struct {
	options Options
	inv     Inventory
	sources []Source
	trees   map[string][]entry // copies of /sys, by folder
	lustre  map[string]string  // copies of /proc/fs/lustre as parameters, by folder
}

func (g *gatherer) open(file string) error {
	if isActivity(file) {
		inv, err := File(file)
		if err != nil {
			return err
		}
		g.keep(file, Result{Inventory: inv, Formats: []string{"recorder"}})
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	g.take(file, data, 0)
	return nil
}

// take reads the bytes of a file, or of a file within an archive.
func (g *gatherer) take(file string, data []byte, depth int) {
	plain, err := unpacked(data)
	switch {
	case err != nil:
		g.refuse(file, "the file cannot be unpacked: "+err.Error())
	case len(plain) > maxFile:
		g.refuse(file, fmt.Sprintf("the file has more than %d MB; split the file", maxFile>>20))
	case isTar(plain) && depth == maxDepth:
		g.refuse(file, "the archive is inside too many other archives; unpack the archive first")
	case isTar(plain):
		g.untar(file, plain, depth)
	default:
		g.text(file, plain)
	}
}

// text reads a plain file: a file of a copy of /sys, or the output of tools.
func (g *gatherer) text(file string, data []byte) {
	if before, rest, ok := pathOf(file); ok && len(data) < 64<<10 {
		g.trees[before] = append(g.trees[before], entry{At: At{File: file}, Path: rest, Value: string(data)})
		return
	}
	if before, _, ok := cutTree(file, "sys"); ok { // a file of /sys without a block device
		g.trees[before] = append(g.trees[before], entry{})
		return
	}
	if before, rest, ok := cutTree(file, "proc/fs/lustre"); ok {
		g.lustre[before] += lustreParam(rest, data)
		return
	}
	g.keep(file, ReadText(file, data, g.options.Host))
}

func (g *gatherer) keep(file string, r Result) {
	g.inv.Add(r.Inventory)
	g.sources = append(g.sources, Source{file, r.Formats, len(r.Devices), len(r.Volumes), r.Refused, r.Guessed})
}

func (g *gatherer) refuse(file, why string) {
	g.sources = append(g.sources, Source{File: file, Refused: why})
}

// readTrees reads the copies of /sys, each as one source.
func (g *gatherer) readTrees() {
	for _, folder := range slices.SortedFunc(maps.Keys(g.trees), topology.Compare) {
		inv := devices(g.hostOf(folder), g.trees[folder])
		r := Result{Inventory: inv, Formats: []string{"sysfs"}}
		if inv.Empty() {
			r.Refused = "the copy of /sys has no block devices; copy /sys/block and /sys/devices too"
		}
		g.keep(path.Join(folder, "sys"), r)
	}
	for _, folder := range slices.SortedFunc(maps.Keys(g.lustre), topology.Compare) {
		file := path.Join(folder, "proc/fs/lustre")
		g.keep(file, ReadText(file, []byte(g.lustre[folder]), func(string) string { return g.hostOf(folder) }))
	}
}

// cutTree splits a path at the beginning of a copy of /sys or /proc.
func cutTree(file, tree string) (before, rest string, ok bool) {
	at := strings.LastIndex("/"+file, "/"+tree+"/")
	if at < 0 {
		return "", "", false
	}
	return strings.Trim(file[:at], "/."), file[at+len(tree)+1:], true
}

// lustreParam formats a file of /proc/fs/lustre like the output of lctl get_param.
func lustreParam(file string, data []byte) string {
	first, _, _ := strings.Cut(string(data), "\n")
	return strings.ReplaceAll(file, "/", ".") + "=" + first + "\n"
}

// hostOf returns the server of a copy of /sys, from the folder that holds the copy.
func (g *gatherer) hostOf(folder string) string {
	if g.options.Host != nil {
		return g.options.Host(folder)
	}
	return HostOfFile(path.Join(folder, "sys"))
}

func isTar(data []byte) bool {
	const at = 257
	return len(data) > at+5 && bytes.Equal(data[at:at+5], []byte("ustar"))
}

// inside returns a name for a file within an archive.
func inside(archive, name string) string {
	for _, end := range []string{".tgz", ".tar.gz", ".tar.zst", ".tar"} {
		archive = strings.TrimSuffix(archive, end)
	}
	return path.Join(archive, path.Clean("/"+name))
}
