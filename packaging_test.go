package limpet

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPackagesAreChecked holds what packages install against what packaging/check.sh
// looks for: make package is too long for every day.
func TestPackagesAreChecked(t *testing.T) {
	check, err := os.ReadFile("packaging/check.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, config := range []string{"packaging/nfpm.yaml", "packaging/nfpm-record.yaml"} {
		text, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^ *(?:- )?dst: (\S+[^/\s])$`).FindAllStringSubmatch(string(text), -1) {
			counted := strings.HasPrefix(m[1], "/usr/share/man/") || strings.HasPrefix(m[1], "/usr/share/doc/")
			if !counted && !strings.Contains(string(check), "echo "+m[1]+"\n") && !strings.Contains(string(check), "echo "+m[1]+" ") {
				t.Errorf("%s installs %s, and packaging/check.sh does not look for it", config, m[1])
			}
		}
	}
}
