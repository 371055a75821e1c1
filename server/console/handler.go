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

// Policy is the content security policy of the console. It allows only files of the console and
// requests to its own server. The page itself contains no script and no style.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Prefix is the beginning of the paths of all files but the page itself. The names of files below
// it contain a hash of their content.
const Prefix = "/console/"

// Values of the header Cache-Control.
const (
	keptForever = "public, max-age=31536000, immutable" // a file with other content has another name
	askedAgain  = "private, no-cache"
)

// file is an answer that does not change.
type file struct {
	kind, tag, cache string
	plain, packed    []byte
}

// files returns all files of the console, by path. The first call compresses them.
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
		panic(err) // the files are part of the program, so this cannot happen
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
	_, _ = w.Write(body)                                       // writing to memory does not fail
	_ = w.Close()
	return out.Bytes()
}

// ServeHTTP sends the file, or the status 304 if the browser has it.
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
		_, _ = w.Write(body) // an error means that the client has disconnected
	}
}

// Handler serves the console: the page at /, all other files below [Prefix]. It does not check
// permissions; the server that mounts it must do so.
type Handler struct{ system *systems }

// New returns the handler of a diagnosis. Each request for the document of the system calls
// subject.
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
