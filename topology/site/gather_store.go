package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// isStore reports whether a root is the address of a store of metrics.
func isStore(root string) bool {
	return strings.HasPrefix(root, "http://") || strings.HasPrefix(root, "https://")
}

// store queries a store with the API of Prometheus for the series that describe devices.
func (g *gatherer) store(ctx context.Context, address string) error {
	for _, name := range names {
		asked := strings.TrimSuffix(address, "/") + "/api/v1/query?query=" + url.QueryEscape(name)
		data, err := get(ctx, asked)
		if err != nil {
			return err
		}
		none := func(string) string { return "" } // no guess: every series names its server
		g.keep(asked, ReadText(asked, data, none))
	}
	return nil
}

func get(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the store at %s answered with status %s: check the address of the store", address, response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, maxFile))
}
