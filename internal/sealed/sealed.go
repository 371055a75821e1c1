// Package sealed reads and writes small JSON files with a version and a checksum:
//
//	limpet-ledger 1 sha256 5feceb66…
//	{"audits": 12}
//
// A file is replaced completely or not at all. Read returns an error for a file that was truncated
// or changed.
package sealed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/outfile"
)

var errDamaged = errors.New("the file is damaged: its checksum is wrong")

// Kind is the name and the version in the first line of a file.
type Kind struct {
	Name    string // such as "limpet-ledger"
	Version int
}

// Write replaces the file at path. Only the owner may read a new file.
func (k Kind) Write(path string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return outfile.WritePrivate(context.Background(), path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s %d sha256 %x\n%s", k.Name, k.Version, sha256.Sum256(body), body)
		return err
	})
}

// Read reads the file at path into v. The error of a missing file has the cause fs.ErrNotExist.
func (k Kind) Read(path string, v any) error {
	data, err := bounded.ReadFile(path, bounded.MaxResult, "a file of the saved state")
	if err != nil {
		return err
	}
	head, body, _ := bytes.Cut(data, []byte("\n"))
	var version int
	var sum string
	if _, err := fmt.Sscanf(string(head), k.Name+" %d sha256 %64s", &version, &sum); err != nil {
		return errDamaged
	}
	if version != k.Version {
		return fmt.Errorf("another version of limpet wrote the file (format %d; this version reads format %d): use the version that wrote the file, or remove the file", version, k.Version)
	}
	if sum != fmt.Sprintf("%x", sha256.Sum256(body)) {
		return errDamaged
	}
	return json.Unmarshal(body, v)
}
