package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed dist
var dist embed.FS

// Policy is the content security policy of the console: its own files, its own
// server, and nothing else. No script and no style stands in the page itself.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Prefix is where all files but the page itself are. Names of files below it have a
// hash of their content.
const Prefix = "/console/"

// How long browsers keep what they got.
const (
	keptForever = "public, max-age=31536000, immutable" // another content has another name
	askedAgain  = "private, no-cache"
)

// file is an answer that does not change.
type file struct {
	kind, tag, cache string
	plain, packed    []byte
}

// files are all that there are, by path; packed when they are first asked for.
var files = sync.OnceValue(load)

func load() map[string]*file {
	all := map[string]*file{}
	err := fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := dist.ReadFile(name)
		at, cache := strings.TrimPrefix(name, "dist"), keptForever
		if at == "/index.html" {
			at, cache = "/", askedAgain
		}
		all[at] = newFile(mime.TypeByExtension(path.Ext(name)), cache, body)
		return err
	})
	if err != nil {
		panic(err) // the files are a part of the program
	}
	return all
}

func newFile(kind, cache string, body []byte) *file {
	sum := sha256.Sum256(body)
	return &file{kind: kind, cache: cache, tag: `"` + hex.EncodeToString(sum[:12]) + `"`, plain: body, packed: pack(body)}
}

func pack(body []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.DefaultCompression) // the level is valid
	_, _ = w.Write(body)                                       // into memory
	_ = w.Close()
	return out.Bytes()
}

// ServeHTTP sends the file, or says that the browser has it.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Cache-Control", f.cache)
	header.Set("Content-Security-Policy", Policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Vary", "Accept-Encoding")
	header.Set("ETag", f.tag)
	if strings.Contains(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		body = f.packed
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // who has gone is told nothing
	}
}

// Handler serves the console: the page at /, all else below [Prefix]. It lets
// everybody in: whoever mounts it decides who may see it.
type Handler struct{ system *systems }

// New returns the handler of a diagnosis. The subject is asked for with each request
// for the document of the system.
func New(subject Subject) *Handler { return &Handler{&systems{subject: subject}} }

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the console answers only the HTTP methods GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	if r.URL.Path == Prefix+"system.json" {
		h.system.ServeHTTP(w, r)
		return
	}
	f, ok := files()[r.URL.Path]
	if !ok {
		http.Error(w, "this page does not exist; the console is at /", http.StatusNotFound)
		return
	}
	f.ServeHTTP(w, r)
}
