package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH"), os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "sbom: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string, epoch string, w io.Writer) error {
	if len(args) < 3 {
		return errors.New("say sbom NAME VERSION PROGRAM…, with one program or more")
	}
	parts := map[string]component{}
	for _, program := range args[2:] {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		addModules(parts, info)
	}
	b := bill{
		Format: "CycloneDX", Spec: "1.5", Version: 1,
		Metadata: metadata{Component: component{Type: "application", Ref: args[0], Name: args[0], Version: args[1]}},
	}
	if seconds, err := strconv.ParseInt(epoch, 10, 64); err == nil {
		b.Metadata.Timestamp = time.Unix(seconds, 0).UTC().Format(time.RFC3339)
	}
	for _, ref := range slices.Sorted(maps.Keys(parts)) {
		b.Components = append(b.Components, parts[ref])
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(b)
}

// A bill is a document of CycloneDX.
type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// addModules adds what a program is made of: its modules, and the standard library.
func addModules(parts map[string]component, info *buildinfo.BuildInfo) {
	add := func(name, version, sum string) {
		purl := fmt.Sprintf("pkg:golang/%s@%s", name, version)
		c := component{Type: "library", Ref: purl, Name: name, Version: version, PURL: purl}
		if sum != "" {
			c.Properties = []property{{"go.sum", sum}}
		}
		parts[purl] = c
	}
	add("stdlib", strings.TrimPrefix(info.GoVersion, "go"), "")
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		add(m.Path, m.Version, m.Sum)
	}
}
