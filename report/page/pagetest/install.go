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

// The driver and what it depends on, by its exact version and hash.
//
//go:embed driver.mjs package.json package-lock.json
var driver embed.FS

// need finds a program, or skips the test.
func need(t testing.TB, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is absent: pages are not tried by mouse and keyboard", program)
	}
	return path
}

// oldestNode is what playwright-core runs on; package.json says so, too.
const oldestNode = 20

// modernNode finds a node that is new enough, or skips the test. Node says its
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

// installed is the directory of the driver and its dependency in the user's
// cache. It is named by what is in it, so that it is made once; tests of several
// packages may make it at a time, and the first one stays.
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

// install has npm install the driver. Without a network that fails at once, and
// the test is skipped.
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

// fingerprint names the driver by its content.
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
