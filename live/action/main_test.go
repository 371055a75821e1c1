package action

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// tools are the names under which the test binary is the storage.
var tools = []string{"ceph", "ssh", "zpool", "multipathd"}

func TestMain(m *testing.M) {
	if dir := os.Getenv(toolDir); dir != "" && slices.Contains(tools, filepath.Base(os.Args[0])) {
		if err := tool(dir, append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv(childDir); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
