package config

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// source is the text that a configuration was read from.
type source struct {
	decoder *yamlfile.Decoder
	root    *yaml.Node
	flags   map[string]bool // settings in place of which a flag of the command line is used
}

// Override notes that a setting has its value from the command line, so that its mistakes are not on
// a line of the file.
func (c *Config) Override(setting string) {
	if c.source != nil {
		c.source.flags[setting] = true
	}
}

// At returns the error of a setting with the line of this setting in the file. The setting is named
// by its path, such as "alerts", "webhooks", "0". If the error is a [yamlfile.SettingError], its
// setting is the last part of the path. If the file does not have the setting, the line is that of
// its section; if it has no line of the file, the error is unchanged.
//
// If the error has mistakes of another file with their lines, this list of mistakes follows.
func (c *Config) At(err error, setting ...string) error {
	if err == nil || c.source == nil || c.source.root == nil || c.source.flags[setting[0]] {
		return err
	}
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		return c.atEach(list.Unwrap(), setting)
	}
	if other, ok := errors.AsType[*yamlfile.LineError](err); ok {
		return c.atEach([]error{other}, setting)
	}
	if inner, ok := errors.AsType[*yamlfile.SettingError](err); ok {
		setting = append(setting[:len(setting):len(setting)], inner.Setting)
	}
	n := c.source.find(setting)
	if n == c.source.root {
		return err
	}
	return c.source.decoder.Mistake(n, err)
}

// atEach returns the errors of a setting. Mistakes of another file stand behind one mistake of the
// setting.
func (c *Config) atEach(errs []error, setting []string) error {
	var list, inOther []error
	for _, err := range errs {
		if other, ok := errors.AsType[*yamlfile.LineError](err); ok {
			if len(inOther) == 0 {
				list = append(list, c.At(errors.New(other.File+" has mistakes; they are listed below"), setting...))
			}
			inOther = append(inOther, err)
			continue
		}
		list = append(list, c.At(err, setting...))
	}
	return errors.Join(append(list, inOther...)...)
}

// Names reports whether the configuration names a path, or a file below it. The file of the
// configuration counts, and so do the settings of the command line.
func (c *Config) Names(path string) bool {
	named := append([]string{c.File, c.Topology, strings.TrimPrefix(c.Listen, "unix:")}, c.Directories...)
	if c.source != nil && c.source.root != nil {
		for _, text := range texts(c.source.root) {
			named = append(named, text, filepath.Join(filepath.Dir(c.File), strings.TrimPrefix(text, "unix:")))
		}
	}
	return slices.ContainsFunc(named, func(name string) bool { return isBelow(path, name) })
}

// isBelow reports whether a name is a path, or lies below it. Both may be relative.
func isBelow(path, name string) bool {
	path, err := filepath.Abs(path)
	if err != nil || name == "" {
		return false
	}
	if name, err = filepath.Abs(name); err != nil {
		return false
	}
	inside, err := filepath.Rel(path, name)
	return err == nil && filepath.IsLocal(inside)
}

// texts returns all values below a node.
func texts(n *yaml.Node) []string {
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var list []string
	for _, child := range n.Content {
		list = append(list, texts(child)...)
	}
	return list
}

// find returns the node of a setting, or of the nearest section around it.
func (s *source) find(path []string) *yaml.Node {
	n := s.root
	for _, part := range path {
		next := child(n, part)
		if next == nil {
			break
		}
		n = next
	}
	return n
}

func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(key); err == nil && i < len(n.Content) {
			return n.Content[i]
		}
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// ReceiverAt returns the error of one of the receivers in [Alerts.To] with the line of the file.
func (c *Config) ReceiverAt(err error, receiver int) error {
	if c.source == nil || c.source.root == nil {
		return err
	}
	alerts := child(c.source.root, "alerts")
	for _, l := range lists() {
		if alerts == nil {
			break
		}
		entries := child(alerts, l.key)
		if entries == nil {
			continue
		}
		if receiver < len(entries.Content) {
			return c.At(err, "alerts", l.key, strconv.Itoa(receiver))
		}
		receiver -= len(entries.Content)
	}
	return err
}
