package store

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// A scanner reads a store's answer in JSON while the answer is being received. An answer has
// millions of numbers and thousands of names. The scanner reads the values one after the other, and
// holds only one token at a time. A token is a number, a string, true, false or null. After the
// first error the scanner reads nothing more.
//
// Tests compare the scanner with encoding/json. The package comment states the speed of the
// scanner.
type scanner struct {
	in    *bufio.Reader
	token []byte // the token that was read last
	depth int    // number of nested calls of Skip that are running
	err   error
}

// newScanner returns a scanner that reads from `in`.
func newScanner(in io.Reader) *scanner { return &scanner{in: bufio.NewReaderSize(in, 1<<16)} }

// Err returns the first error of reading, or nil.
func (s *scanner) Err() error { return s.err }

// errJSON is the error for an answer that is not the expected JSON.
var errJSON = errors.New("the answer of the store is not valid JSON of the Prometheus API")

func (s *scanner) fail(err error) {
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("the answer of the store is incomplete: %w", io.ErrUnexpectedEOF)
	}
	if s.err == nil {
		s.err = err
	}
}

// next reads and returns the next byte that is not a space. It returns 0 after an error.
func (s *scanner) next() byte {
	for s.err == nil {
		c, err := s.in.ReadByte()
		if err != nil {
			s.fail(err)
			return 0
		}
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

// peek returns the next byte that is not a space, without reading it.
func (s *scanner) peek() byte {
	c := s.next()
	if s.err == nil {
		s.back()
	}
	return c
}

func (s *scanner) back() {
	if err := s.in.UnreadByte(); err != nil {
		s.fail(err)
	}
}

// More reports whether there is another value before the end of the input.
func (s *scanner) More() bool {
	for s.err == nil {
		c, err := s.in.ReadByte()
		if err == io.EOF {
			return false
		}
		if err != nil {
			s.fail(err)
			return false
		}
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			s.back()
			return s.err == nil
		}
	}
	return false
}

// Expect reads the next byte that is not a space. If the byte is not c, reading ends with an error.
func (s *scanner) Expect(c byte) {
	if got := s.next(); s.err == nil && got != c {
		s.fail(fmt.Errorf("%w: the answer has %q instead of %q", errJSON, got, c))
	}
}

// Object reads an object. It calls f for each key, and f must read the value.
func (s *scanner) Object(f func(key []byte)) {
	s.list('{', '}', func() {
		key := string(s.String())
		s.Expect(':')
		f([]byte(key))
	})
}

// Array reads an array. It calls f for each element, and f must read the element.
func (s *scanner) Array(f func()) { s.list('[', ']', f) }

func (s *scanner) list(open, end byte, f func()) {
	s.Expect(open)
	if s.peek() == end {
		s.next()
		return
	}
	for s.err == nil {
		f()
		switch c := s.next(); {
		case s.err != nil || c == end:
			return
		case c != ',':
			s.fail(fmt.Errorf("%w: the answer has %q instead of a comma", errJSON, c))
		}
	}
}

// mostToken is the largest length of a token, in bytes. No label is longer.
const mostToken = 1 << 20

// signs is a set of bytes: signs[c] is true if the byte c is in the set.
type signs [256]bool

func signsOf(text string) (s signs) {
	for _, c := range []byte(text) {
		s[c] = true
	}
	return s
}

var (
	endsToken = signsOf(",]} \n") // bytes that end a token without quotes
	endsPlain = signsOf(`"\`)     // bytes that end a run of plain characters in a string
)

// upTo searches the buffer for the first byte that is in the given set. It adds the bytes before
// this byte to s.token. It returns the byte, but leaves it in the buffer. If the buffer has no such
// byte, upTo changes nothing and returns 0.
func (s *scanner) upTo(ends *signs) byte {
	if s.err != nil {
		return 0
	}
	there, _ := s.in.Peek(s.in.Buffered()) // all bytes in the buffer
	for i, c := range there {
		if ends[c] {
			s.token = append(s.token, there[:i]...)
			_, _ = s.in.Discard(i) // no error: these bytes are in the buffer
			return c
		}
	}
	return 0
}

// String reads a string. The result is valid until the next call of a method.
func (s *scanner) String() []byte {
	s.Expect('"')
	s.token = s.token[:0]
	if s.upTo(&endsPlain) == '"' {
		s.next()
		return s.token
	}
	escaped := false
	for s.err == nil {
		c, err := s.in.ReadByte()
		if err != nil || len(s.token) > mostToken {
			s.fail(cmp.Or(err, errJSON))
			break
		}
		if c == '"' {
			break
		}
		s.token = append(s.token, c)
		if c == '\\' {
			escaped = true
			c, err = s.in.ReadByte()
			if err != nil {
				s.fail(err)
			}
			s.token = append(s.token, c)
		}
	}
	if escaped && s.err == nil {
		s.unescape()
	}
	return s.token
}

func (s *scanner) unescape() {
	var text string
	if err := json.Unmarshal([]byte(`"`+string(s.token)+`"`), &text); err != nil {
		s.fail(fmt.Errorf("%w: %w", errJSON, err))
		return
	}
	s.token = append(s.token[:0], text...)
}

// Word reads a number, true, false, null, or the content of a string. The result is valid
// until the next call of a method.
func (s *scanner) Word() []byte {
	if s.peek() == '"' {
		return s.String()
	}
	s.token = s.token[:0]
	if s.upTo(&endsToken) != 0 && len(s.token) > 0 {
		return s.token
	}
	for s.err == nil {
		c, err := s.in.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil || len(s.token) > mostToken {
			s.fail(cmp.Or(err, errJSON))
			break
		}
		if endsToken[c] {
			s.back()
			break
		}
		s.token = append(s.token, c)
	}
	if len(s.token) == 0 {
		s.fail(errJSON)
	}
	return s.token
}

// Number reads a number, with or without quotes. The result `ok` is false for null.
func (s *scanner) Number() (v float64, ok bool) {
	w := s.Word()
	if s.err != nil || string(w) == "null" {
		return 0, false
	}
	v, err := parse(w)
	if err != nil {
		s.fail(fmt.Errorf("%w: %.40q is not a number", errJSON, w))
	}
	return v, err == nil
}

// maxDepth is the largest depth of nested values that Skip reads. Answers have five
// levels.
const maxDepth = 100

// Skip reads and discards a value.
func (s *scanner) Skip() {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxDepth {
		s.fail(errJSON)
		return
	}
	switch s.peek() {
	case '{':
		s.Object(func([]byte) { s.Skip() })
	case '[':
		s.Array(s.Skip)
	default:
		s.Word()
	}
}

// A float64 holds every integer of at most exactDigits digits exactly. It also holds
// every power of ten exactly, if the exponent is at most exactPower.
const exactDigits, exactPower = 15, 22

// parse parses a number. For a number of at most 15 digits, one division of two exact
// numbers gives the correctly rounded result. For other numbers, parse calls
// strconv.ParseFloat.
func parse(w []byte) (float64, error) {
	var n uint64
	digits, point := 0, -1
	for i, c := range w {
		switch {
		case c >= '0' && c <= '9' && digits < exactDigits:
			n = n*10 + uint64(c-'0')
			digits++
		case c == '.' && point < 0 && i > 0:
			point = digits
		default:
			return strconv.ParseFloat(string(w), 64)
		}
	}
	if digits == 0 || point == digits {
		return strconv.ParseFloat(string(w), 64)
	}
	if point >= 0 && digits-point <= exactPower {
		return float64(n) / powers[digits-point], nil
	}
	return float64(n), nil
}

var powers = func() (p [exactPower + 1]float64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// Stop ends reading with an error.
func (s *scanner) Stop(err error) { s.fail(err) }
