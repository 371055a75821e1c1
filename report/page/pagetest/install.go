package pagetest

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// driver holds the driver and the exact versions and hashes of its dependencies.
//
//go:embed driver.mjs package.json package-lock.json
var driver embed.FS

// need returns the path of a program, or skips the test.
func need(t testing.TB, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is absent: pages are not tried by mouse and keyboard", program)
	}
	return path
}

// oldestNode is the oldest version of node that playwright-core supports. package.json has it, too.
const oldestNode = 20

// modernNode returns the path of a node that is new enough, or skips the test. Node prints its
// version as v20.19.2.
func modernNode(t testing.TB) string {
	t.Helper()
	node := need(t, "node")
	version, err := exec.CommandContext(t.Context(), node, "--version").Output()
	if err != nil {
		t.Fatalf("node --version: %v", err)
	}
	var major int
	if _, err := fmt.Sscanf(string(version), "v%d.", &major); err != nil || major < oldestNode {
		t.Skipf("node %s is older than %d, which playwright-core needs: pages are not tried by mouse and keyboard", firstLine(version), oldestNode)
	}
	return node
}

// installed returns the directory of the driver and its dependencies in the user's cache. Its name
// is a hash of its content, so the directory is made only once. If tests of several packages make
// it at the same time, the first one is kept.
func installed(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "limpet-pagetest")
	dir := filepath.Join(cache, fingerprint(t))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Skipf("no directory for the driver of browsers: %v", err)
	}
	fresh, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		t.Skipf("no directory for the driver of browsers: %v", err)
	}
	defer os.RemoveAll(fresh)
	install(t, fresh)
	if err := os.Rename(fresh, dir); err != nil {
		if _, err := os.Stat(dir); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// install installs the driver with npm. Without a network npm fails at once, and the test is
// skipped.
func install(t testing.TB, dir string) {
	t.Helper()
	npm := need(t, "npm")
	if err := os.CopyFS(dir, driver); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0", "--loglevel=error")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install playwright-core: pages are not tried by mouse and keyboard (%v: %s)", err, firstLine(out))
	}
}

func firstLine(out []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

// fingerprint returns a hash of the driver.
func fingerprint(t testing.TB) string {
	t.Helper()
	sum := sha256.New()
	for _, name := range []string{"driver.mjs", "package-lock.json", "package.json"} {
		text, err := driver.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
