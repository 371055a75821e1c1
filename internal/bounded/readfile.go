package bounded

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// Largest sizes of files, in bytes. People write YAML files by hand. Models and results grow with
// the number of components.
const (
	MaxYAML   = 4 << 20
	MaxModel  = 64 << 20
	MaxResult = 16 << 20
	MaxPEM    = 1 << 20
	MaxSecret = 64 << 10
)

// ReadFile reads a file of at most most bytes. If the file is larger, it returns an error without
// reading the whole file, which may be a wrong file, or a device or a pipe without an end. The
// parameter what is the kind of the file in the error: "a model".
func ReadFile(path string, most int64, what string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if room := info.Size(); room <= most {
		if !info.Mode().IsRegular() {
			room = most // a buffer that grows needs twice the memory
		}
		data.Grow(int(room) + bytes.MinRead + 1)
		_, err = io.Copy(&data, io.LimitReader(f, most+1))
	}
	if err != nil {
		return nil, err
	}
	if max(info.Size(), int64(data.Len())) > most {
		return nil, fmt.Errorf("%s: the file is too large: %s can have at most %s; name another file", path, what, sizeText(most))
	}
	return data.Bytes(), nil
}
