//go:build linux

package bench

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"
)

// Hog sends zeros to an address (mode "send"), or reads and discards the data that arrive there
// ("listen"), until the context ends or the other side closes the connection.
func Hog(ctx context.Context, mode, address string) error {
	switch mode {
	case "listen":
		return swallow(ctx, address)
	case "send":
		return send(ctx, address)
	}
	return fmt.Errorf("the mode %q of the network hog is unknown: write listen or send", mode)
}

func swallow(ctx context.Context, address string) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { l.Close() })
	conn, err := l.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = io.Copy(io.Discard, conn)
	return err
}

func send(ctx context.Context, address string) error {
	var conn net.Conn
	var err error
	for range 50 { // the listening process may still be starting
		if conn, err = (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", address); err == nil {
			break
		}
		if err := Sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	defer conn.Close()
	zeros := make([]byte, 64<<10)
	for ctx.Err() == nil {
		if _, err := conn.Write(zeros); err != nil {
			return err
		}
	}
	return nil
}
