package bounded

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// Most that files of a kind may have, in bytes. People write the first by
// hand; models and results grow with the components of a system.
const (
	MaxYAML   = 4 << 20
	MaxModel  = 64 << 20
	MaxResult = 16 << 20
	MaxPEM    = 1 << 20
	MaxSecret = 64 << 10
)

// ReadFile reads a file that is small by its nature, and refuses one that has
// more than so many bytes before memory is taken for it: a wrong file, a device
// or a pipe that never ends. What is what it should be: "a model".
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
			room = most // who grows a buffer holds it twice
		}
		data.Grow(int(room) + bytes.MinRead + 1)
		_, err = io.Copy(&data, io.LimitReader(f, most+1))
	}
	if err != nil {
		return nil, err
	}
	if max(info.Size(), int64(data.Len())) > most {
		return nil, fmt.Errorf("%s: the file is too large for %s (limit: %s bytes); name another file", path, what, FormatBytes(most))
	}
	return data.Bytes(), nil
}
