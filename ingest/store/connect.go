package store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/post"
)

// A Store is a connection to the metrics database of a site. Open returns a Store only after the
// database has answered.
type Store struct {
	Options Options
	Kind    string // protocol by which raw samples are read from the store

	client *post.Client
	reader Reader
}

// Open connects to a store. If o.Kind is `auto`, Open tries the protocols one after the other, and
// uses the first protocol that the store supports.
func Open(ctx context.Context, o Options) (*Store, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	client, err := post.New(o.Post)
	if err != nil {
		return nil, err
	}
	s := &Store{Options: o, client: client}
	kinds := []string{remoteRead, export, query}
	if o.Kind != auto {
		kinds = []string{o.Kind}
	}
	for _, kind := range kinds {
		s.Kind, s.reader = kind, s.newReader(kind)
		if err = s.probe(ctx); err == nil || isFinal(err) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the store cannot be read: %w%s", err, hint(err))
	}
	return s, nil
}

func (s *Store) newReader(kind string) Reader {
	switch h := s.Options.header(); kind {
	case export:
		return &exportReader{Client: s.client, Header: h}
	case query:
		return &queryReader{Client: s.client, Header: h}
	default:
		return &remoteReader{Client: s.client, Header: h}
	}
}

// probe tests whether the store supports the protocol of s.reader. It requests samples of a series
// that no store has. So the answer is empty.
func (s *Store) probe(ctx context.Context) error {
	a := Request{Matches: []Match{{Name: "__name__", Value: "limpet_asks_for_nothing"}}, From: 1, To: 2}
	read := func() ([]string, error) { return s.reader.Read(ctx, a, nil) }
	_, err := read()
	if err != nil && isTemporary(err) && !isUnreachable(err) {
		_, err = s.withRetries(ctx, read)
	}
	return err
}

// Read reads samples of series, and passes them to the function `each`. If the store fails, Read
// tries again. It calls the function `begin` before each attempt. The function `begin` must discard
// the samples of the previous attempt.
func (s *Store) Read(ctx context.Context, a Request, begin func(), each SeriesFunc) ([]string, error) {
	a.Matches = slices.Concat(a.Matches, s.Options.matches())
	return s.withRetries(ctx, func() ([]string, error) {
		begin()
		return s.reader.Read(ctx, a, each)
	})
}

// longestPause is the longest pause between two attempts. Each pause is twice as long as the pause
// before, up to longestPause.
const longestPause = 15 * time.Second

// withRetries calls a function. If the call fails with a temporary error, withRetries repeats the
// call. It makes at most Options.Attempts calls.
func (s *Store) withRetries(ctx context.Context, try func() ([]string, error)) (warnings []string, err error) {
	pause := s.Options.FirstPause
	for attempt := 1; ; attempt++ {
		warnings, err = try()
		err = classify(err)
		if err == nil || !isTemporary(err) || attempt == s.Options.Attempts {
			return warnings, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-timer.C:
		}
		pause = min(2*pause, longestPause)
	}
}

// classify adds ErrTooMuch to the error if the store reports that its answer would be too large.
// Each store has a different text for this case.
func classify(err error) error {
	f, ok := errors.AsType[*post.Failure](err)
	if !ok {
		return err
	}
	said := strings.ToLower(f.Answer)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
	}
	refused := f.Code == http.StatusUnprocessableEntity || f.Code == http.StatusBadRequest || f.Code == http.StatusRequestEntityTooLarge
	slow := f.Code == http.StatusServiceUnavailable || f.Code == http.StatusGatewayTimeout
	if refused && has("limit", "too many", "exceed", "maxsamples", "more than") || slow && has("timed out", "timeout", "deadline") {
		return fmt.Errorf("%w: %w", ErrTooMuch, err)
	}
	return err
}

// isTemporary reports whether the same request may succeed if it is repeated.
func isTemporary(err error) bool {
	if errors.Is(err, ErrTooMuch) || errors.Is(err, ErrNoStore) || errors.Is(err, context.Canceled) {
		return false
	}
	f, ok := errors.AsType[*post.Failure](err)
	return !ok || f.Code >= http.StatusInternalServerError && f.Code != http.StatusNotImplemented ||
		f.Code == http.StatusTooManyRequests || f.Code == http.StatusRequestTimeout
}

// isFinal reports whether all other protocols would fail with the same error.
func isFinal(err error) bool {
	f, ok := errors.AsType[*post.Failure](err)
	return errors.Is(err, context.Canceled) || ok && (f.Code == http.StatusUnauthorized || f.Code == http.StatusForbidden || f.Moved != "") ||
		!ok && isUnreachable(err)
}

// hint returns advice for an error, or an empty text.
func hint(err error) string {
	f, ok := errors.AsType[*post.Failure](err)
	switch {
	case !ok:
		return ""
	case f.Code == http.StatusUnauthorized || f.Code == http.StatusForbidden:
		return ": check the settings \"basic\", \"bearer_file\" and \"tenant\" in the file that describes the store"
	case f.Code == http.StatusNotFound:
		return ": check whether the address of the store needs a path, such as /prometheus (Mimir) or /select/0/prometheus (VictoriaMetrics cluster)"
	}
	return ""
}
