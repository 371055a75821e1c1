package nbd

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/listener"
)

// LoadTLS reads the certificates of a server from a directory. The names of the files are the same
// as for other NBD servers: ca-cert.pem, server-cert.pem and server-key.pem. Clients must show a
// certificate that the authority signed.
func LoadTLS(dir string) (*tls.Config, error) {
	own, err := tls.LoadX509KeyPair(filepath.Join(dir, "server-cert.pem"), filepath.Join(dir, "server-key.pem"))
	if err != nil {
		return nil, fmt.Errorf("the certificates in directory %s cannot be read: %w", dir, err)
	}
	path := filepath.Join(dir, "ca-cert.pem")
	pem, err := bounded.ReadFile(path, bounded.MaxPEM, "a file of certificate authorities")
	if err != nil {
		return nil, err
	}
	authority := x509.NewCertPool()
	if !authority.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("file %s has no certificate: name a PEM file with certificates", path)
	}
	return &tls.Config{
		Certificates: []tls.Certificate{own}, ClientCAs: authority,
		ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12, CipherSuites: listener.Suites(),
	}, nil
}

var errInjected = errors.New("the client sent data before encryption began")

// startTLS answers STARTTLS, and goes on with encryption. All earlier agreements are reset, because
// without encryption they may come from anybody.
func (n *negotiation) startTLS(data []byte) error {
	switch {
	case n.tls == nil:
		return n.answer(optStartTLS, ansUnsup, nil)
	case len(data) > 0 || n.encrypted:
		return n.answer(optStartTLS, ansInvalid, nil)
	}
	if err := n.answer(optStartTLS, ansAck, nil); err != nil {
		return err
	}
	if n.in.Buffered() > 0 {
		return errInjected
	}
	c := tls.Server(n.conn, n.tls)
	if err := c.Handshake(); err != nil {
		return err
	}
	n.conn, n.in = c, bufio.NewReaderSize(c, readBuffer)
	n.encrypted, n.structured, n.allocation = true, false, false
	return nil
}

// secured reports whether an option may be answered. If the server has TLS, all options but
// STARTTLS and ABORT need encryption.
func (n *negotiation) secured(opt option) bool {
	return n.tls == nil || n.encrypted || opt == optStartTLS || opt == optAbort
}
