package simulate

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/outfile"
)

// ManifestFile has the checksum of each file that limpet wrote into a directory, in the format of
// sha256sum:
//
//	4c1a7ef5…  topology.yaml
//
// Another run replaces only files that are listed and unchanged since.
const ManifestFile = ".limpet-manifest"

// A manifest has the lines of a ManifestFile. While files are being replaced, a name may have
// several lines: a file with any of these checksums was written by limpet.
type manifest []manifestLine

type manifestLine struct{ sum, name string }

// readManifest reads the manifest of a directory. It is empty if there is no file.
func readManifest(dir string) (manifest, error) {
	text, err := bounded.ReadFile(filepath.Join(dir, ManifestFile), bounded.MaxResult, "a list of written files")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m manifest
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if sum, name, ok := strings.Cut(lines.Text(), "  "); ok {
			m = append(m, manifestLine{sum, name})
		}
	}
	return m, nil
}

// write writes the manifest into its directory.
func (m manifest) write(dir string) error {
	return outfile.Write(context.Background(), filepath.Join(dir, ManifestFile), func(w io.Writer) error {
		for _, line := range m {
			fmt.Fprintf(w, "%s  %s\n", line.sum, line.name)
		}
		return nil
	})
}

// without returns the manifest without the lines of some names.
func (m manifest) without(names []string) manifest {
	return slices.DeleteFunc(slices.Clone(m), func(l manifestLine) bool { return slices.Contains(names, l.name) })
}

// allNames returns the names of the files, each as often as it has lines.
func (m manifest) allNames() []string {
	var names []string
	for _, line := range m {
		names = append(names, line.name)
	}
	return names
}

// lists reports whether the manifest has a file of this name and this checksum.
func (m manifest) lists(name, sum string) bool {
	return slices.Contains(m, manifestLine{sum, filepath.ToSlash(name)})
}

// MayReplace returns an error if writing the files would destroy a file that limpet did not write.
func MayReplace(dir string, names ...string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := m.mayReplace(filepath.Join(dir, name), name); err != nil {
			return err
		}
	}
	return nil
}

// OnlyOurs returns an error if a folder of a directory has files that limpet did not write: a
// reader would read them together with the files of limpet.
func OnlyOurs(dir, folder string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	found, err := os.ReadDir(filepath.Join(dir, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range found {
		if name := filepath.Join(folder, e.Name()); !m.names(name) {
			return notOurs(filepath.Join(dir, name))
		}
	}
	return err
}

// notOurs returns the error for a file that limpet did not write.
func notOurs(path string) error {
	return fmt.Errorf("file %s exists, and limpet did not write this file: name another directory, or move the file to another directory", path)
}

func (m manifest) mayReplace(path, name string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory, but limpet must write a file there: write to another directory", path)
	}
	if !m.names(name) {
		return notOurs(path)
	}
	if info.Mode().IsRegular() {
		if sum, err := sumOf(path); err != nil || m.lists(name, sum) {
			return err
		}
	}
	return fmt.Errorf("file %s was changed after limpet wrote the file: name another directory, or move the file to another directory", path)
}

// names reports whether limpet wrote a file of this name.
func (m manifest) names(name string) bool {
	return slices.ContainsFunc(m, func(l manifestLine) bool { return l.name == filepath.ToSlash(name) })
}

// sumOf returns the checksum of a file.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// WriteBeside writes a file into the directory of a simulation and adds it to the manifest, so that
// another run may replace it.
func WriteBeside(dir, name string, write func(io.Writer) error) error {
	if err := MayReplace(dir, name); err != nil {
		return err
	}
	var content bytes.Buffer
	if err := write(&content); err != nil {
		return err
	}
	before, err := readManifest(dir)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content.Bytes())
	line := manifestLine{hex.EncodeToString(sum[:]), filepath.ToSlash(name)}
	if err := append(slices.Clone(before), line).write(dir); err != nil {
		return err
	}
	err = outfile.Write(context.Background(), filepath.Join(dir, name), func(w io.Writer) error {
		_, err := w.Write(content.Bytes())
		return err
	})
	if err != nil {
		return err
	}
	return append(before.without([]string{line.name}), line).write(dir)
}
