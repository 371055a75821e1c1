package limpet

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	// contents is the first page of the documentation. It lists all others in order.
	contents = "docs/README.md"
	// longestPage is the number of words that are read in ten minutes. Tables are looked up, not
	// read, and do not count.
	longestPage = 2200
)

// generated are pages that a command writes. They have no length, question or next page.
var generated = []string{"docs/phrases.md"}

var (
	tourLink   = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)
	tourNext   = regexp.MustCompile(`\nNext: \[([^\]]+)\]\(([^)\s]+)\)\n$`)
	tourHead   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	fencedText = regexp.MustCompile("(?ms)^```.*?^```$")
	// plainPage finds a page that is named and not linked.
	plainPage = regexp.MustCompile(`\bdocs/[a-z/-]+\.md`)
	// paper finds the name of a paper, in short or in full.
	paper = regexp.MustCompile(`\b(L13|F10|T16|Kasick|Hao et al|The Tail at Store|Black-Box Problem Diagnosis|Making Problem Diagnosis Work|ToleRAID|LISA 2013|FAST'?\s?(2010|10|2016|16))\b`)
)

// tourPages reads all pages below docs, by their paths.
func tourPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := filepath.WalkDir("docs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		pages[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// tourOrder returns the pages in the order of the contents.
func tourOrder(t *testing.T, pages map[string]string) (order []string) {
	t.Helper()
	for line := range strings.Lines(pages[contents]) {
		if line[0] < '0' || line[0] > '9' {
			continue
		}
		if m := tourLink.FindStringSubmatch(line); m != nil {
			order = append(order, path.Join("docs", m[1]))
		}
	}
	if len(order) < 10 {
		t.Fatalf("%s lists only %d pages", contents, len(order))
	}
	return order
}

// TestContentsListEveryPage checks that each page stands once in the contents, with its title.
func TestContentsListEveryPage(t *testing.T) {
	pages := tourPages(t)
	order := tourOrder(t, pages)
	for i, name := range order {
		if slices.Contains(order[:i], name) {
			t.Errorf("%s lists %s twice", contents, name)
		}
		if link := "[" + tourTitle(pages[name]) + "](" + strings.TrimPrefix(name, "docs/") + ")"; !strings.Contains(pages[contents], link) {
			t.Errorf("%s does not have %s", contents, link)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if name != contents && !slices.Contains(generated, name) && !slices.Contains(order, name) {
			t.Errorf("%s does not list %s", contents, name)
		}
	}
}

// TestPagesLeadToTheNext checks that each page ends with a link to the page that follows it in the
// contents, and the last page with one to the contents.
func TestPagesLeadToTheNext(t *testing.T) {
	pages := tourPages(t)
	order := append([]string{contents}, tourOrder(t, pages)...)
	for i, name := range order {
		next := order[(i+1)%len(order)]
		m := tourNext.FindStringSubmatch(pages[name])
		switch {
		case m == nil:
			t.Errorf("%s does not end with a line Next: [title](page)", name)
		case path.Join(path.Dir(name), m[2]) != next:
			t.Errorf("%s leads to %s: the contents have %s next", name, m[2], next)
		case m[1] != tourTitle(pages[next]):
			t.Errorf("%s calls its next page %q: its title is %q", name, m[1], tourTitle(pages[next]))
		}
	}
}

// TestPagesAreShort checks that a page has one title, which is a question, and is read in ten
// minutes.
func TestPagesAreShort(t *testing.T) {
	for name, text := range tourPages(t) {
		if name == contents || slices.Contains(generated, name) {
			continue
		}
		if title := tourTitle(text); !strings.HasSuffix(title, "?") {
			t.Errorf("%s: the title %q is no question", name, title)
		}
		words := 0
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "|") {
				words += len(strings.Fields(line))
			}
		}
		if words > longestPage {
			t.Errorf("%s has %d words beside its tables: at most %d are read in ten minutes", name, words, longestPage)
		}
	}
}

// TestPapersAreNamedInMethodAndEvaluate checks that an operator meets no name of a paper: only the
// pages on the method and on its evaluation have them.
func TestPapersAreNamedInMethodAndEvaluate(t *testing.T) {
	pages := tourPages(t)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages["README.md"] = string(readme)
	for name, text := range pages {
		base := path.Base(name)
		if strings.HasPrefix(base, "method") || strings.HasPrefix(base, "evaluate") || slices.Contains(generated, name) {
			continue
		}
		for _, m := range paper.FindAllString(text, -1) {
			t.Errorf("%s names the paper %s: only the pages method and evaluate do", name, m)
		}
	}
}

// TestLinksLeadSomewhere checks the links of all pages: the file exists, and the chapter in it. A
// page is linked, not only named, so that a reader can follow.
func TestLinksLeadSomewhere(t *testing.T) {
	pages := tourPages(t)
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(text)
	}
	for name, text := range pages {
		text = fencedText.ReplaceAllString(text, "")
		if m := plainPage.FindString(text); m != "" && strings.HasPrefix(name, "docs/") && !slices.Contains(generated, name) {
			t.Errorf("%s names %s and does not link it", name, m)
		}
		for _, m := range tourLink.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") || strings.Contains(m[0], "`") {
				continue
			}
			file, chapter, _ := strings.Cut(m[1], "#")
			at := name
			if file != "" {
				at = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(at); err != nil {
				t.Errorf("%s links %s, which does not exist", name, m[1])
			} else if chapter != "" && !slices.Contains(anchors(pages[at]), chapter) {
				t.Errorf("%s links %s: that page has no chapter %q", name, m[1], chapter)
			}
		}
	}
}

// tourTitle returns the title of a page.
func tourTitle(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(line, "# ")
}

// anchors returns the names by which links address the headings of a page.
func anchors(text string) (list []string) {
	for _, m := range tourHead.FindAllStringSubmatch(fencedText.ReplaceAllString(text, ""), -1) {
		list = append(list, strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

// TestNamedPagesExist checks the pages that code, scripts and settings name: a comment or an error
// that sends its reader to a page that was moved is worse than none.
func TestNamedPagesExist(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "bin" || d.Name() == "node_modules" || d.Name() == "dist") {
			return filepath.SkipDir
		}
		named := slices.Contains([]string{".go", ".md", ".sh", ".yaml", ".yml", ".service"}, path.Ext(name)) || name == "Makefile"
		if d.IsDir() || !named || name == "CHANGELOG.md" || slices.Contains(generated, filepath.ToSlash(name)) {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, page := range plainPage.FindAllString(string(text), -1) {
			found++
			if _, err := os.Stat(page); err != nil {
				t.Errorf("%s names %s, which does not exist", name, page)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 50 {
		t.Errorf("only %d pages are named", found)
	}
}
