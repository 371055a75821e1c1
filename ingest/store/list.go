package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

func isUnreachable(err error) bool {
	_, ok := errors.AsType[*net.OpError](err)
	return ok
}

// mostList is the largest size of a list of series, in bytes. The list of a million series takes
// about 300 MB.
const mostList = 1 << 30

// List calls each(labels) for every series that matches the request, and has samples in the period
// of the request. It returns the warnings of the store.
func (s *Store) List(ctx context.Context, a Request, each func(labels map[string]string)) ([]string, error) {
	a.Matches = slices.Concat(a.Matches, s.Options.matches())
	query := url.Values{"match[]": {a.Selector()}, "start": {seconds(a.From)}, "end": {seconds(a.To)}}
	var all listing
	_, err := s.withRetries(ctx, func() ([]string, error) {
		answer, err := s.client.Ask(ctx, http.MethodGet, "api/v1/series", query, nil, s.Options.header())
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		all = listing{}
		return nil, json.NewDecoder(http.MaxBytesReader(nil, answer.Body, mostList)).Decode(&all)
	})
	if err != nil {
		return nil, fmt.Errorf("the store does not list its series: %w%s", err, hint(err))
	}
	for _, labels := range all.Data {
		each(labels)
	}
	return all.Warnings, nil
}

// listing is the store's answer to a request for a list of series (api/v1/series).
type listing struct {
	Data     []map[string]string `json:"data"`
	Warnings []string            `json:"warnings"`
}

func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64) }
