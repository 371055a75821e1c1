package jetstream

import (
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// reconnectEvery is the wait before the client tries to connect to a server again.
const reconnectEvery = 200 * time.Millisecond

// nats returns the options of the NATS client. It reads the token from TokenFile, and the password
// from PasswordFile.
func (o *Options) nats() ([]nats.Option, error) {
	list := []nats.Option{
		nats.Name(o.Cluster + "/" + o.Node), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectEvery), nats.ReconnectJitter(reconnectEvery, reconnectEvery),
		nats.RetryOnFailedConnect(true), nats.Timeout(answerWithin),
		nats.PingInterval(answerWithin), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.warn(fmt.Sprintf("the connection to NATS is lost: %v; limpet tries again", err))
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { o.Report("limpet is connected to NATS again, at " + c.ConnectedUrlRedacted()) }),
	}
	if o.CredentialsFile != "" {
		list = append(list, nats.UserCredentials(o.CredentialsFile))
	}
	if o.TokenFile != "" {
		token, err := secret(o.TokenFile)
		if err != nil {
			return nil, yamlfile.InSetting("token_file", err)
		}
		list = append(list, nats.Token(token))
	}
	if o.User != "" {
		password, err := secret(o.PasswordFile)
		if err != nil {
			return nil, yamlfile.InSetting("password_file", err)
		}
		list = append(list, nats.UserInfo(o.User, password))
	}
	if o.CAFile != "" {
		list = append(list, nats.RootCAs(o.CAFile))
	}
	if o.CertificateFile != "" {
		list = append(list, nats.ClientCert(o.CertificateFile, o.KeyFile), nats.Secure())
	}
	return list, nil
}

func (o *Options) warn(sentence string) {
	if o.Warn == nil {
		o.Report(sentence)
		return
	}
	o.Warn(sentence)
}

// CheckFiles returns an error if a file of the options cannot be read. It does not connect to NATS.
func (o *Options) CheckFiles() error {
	list, err := o.nats()
	to := nats.GetDefaultOptions()
	for _, option := range list {
		if err == nil {
			err = option(&to)
		}
	}
	return err
}

// secret returns the first line of a file.
func secret(file string) (string, error) {
	data, err := bounded.ReadFile(file, bounded.MaxSecret, "a secret")
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	line = strings.TrimSuffix(line, "\r")
	if line == "" {
		return "", fmt.Errorf("the first line of file %s is empty: write the secret on the first line", file)
	}
	return line, nil
}
