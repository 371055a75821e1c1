package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/server/api/client"
)

func newBackup() *cobra.Command {
	var o client.Options
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "copy the saved state of a running server into a tar archive",
		Long: `backup copies everything that a running limpet serve needs to continue on another
machine, all from the same moment: its journal (the state of the diagnosis), its ledger
(incidents and operators' commands) and its history (measured values). The server
continues to run during the backup. FILE appears when the archive is complete, and only
the owner of FILE may read it. If FILE exists, the archive replaces it.

The archive has one directory, limpet-YYYYMMDDThhmmssZ. Unpack the archive, and give
this directory to limpet serve --state. The new server then continues from the saved
state.`,
		Example: `  limpet backup limpet.tar
  limpet backup --server https://limpet.example.net:9714 --ca site.pem --token-file operator.token limpet.tar
  tar -xf limpet.tar && limpet serve --state limpet-20260301T120000Z /var/log/limpet`,
		Args: one("the name of the backup file is missing: write limpet backup FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return backup(cmd, &o, args[0]) },
	}
	bindServer(cmd, &o)
	return cmd
}

func backup(cmd *cobra.Command, o *client.Options, path string) error {
	c, err := client.New(*o)
	if err != nil {
		return err
	}
	var size int64
	before, _ := os.Stat(path)
	err = outfile.WritePrivate(cmd.Context(), path, func(w io.Writer) (err error) {
		size, err = c.Backup(cmd.Context(), w)
		return err
	})
	if err != nil {
		return interrupted(err)
	}
	text := fmt.Sprintf("%s now holds the saved state of the server at %s. The file has %s bytes.", path, o.Server, bounded.FormatBytes(size))
	if before != nil && before.Mode().IsRegular() {
		text += fmt.Sprintf(" It has replaced the file %s of %s.", path, before.ModTime().UTC().Format(time.RFC3339))
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
	return err
}
