package sqlfile

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var killForm = Form{Name: "test", ApplicationID: 7, Migrations: []string{`CREATE TABLE words (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT; CREATE INDEX by_text ON words (text)`}}

// killedPath is the variable that makes this program a writer that is killed.
const killedPath = "LIMPET_TEST_KILLED_SQLFILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(killedPath); path != "" {
		writeUntilKilled(path)
		return
	}
	os.Exit(m.Run())
}

// writeUntilKilled writes, shrinks, closes and opens a file, and prints the number of each committed transaction.
func writeUntilKilled(path string) {
	checkpointBytes = 40 << 10
	ctx := context.Background()
	for {
		f, err := Open(ctx, path, killForm)
		if err != nil {
			fmt.Println("refused:", err)
			return
		}
		if f.Unchecked() != "" {
			fmt.Println("unchecked:", f.Unchecked())
		}
		for i := range 60 {
			var n int64
			_, err := f.Write(ctx, func(tx *Tx) error {
				if i%20 == 19 {
					if err := tx.Exec(`DELETE FROM words WHERE n < (SELECT max(n) FROM words) - 20`); err != nil {
						return err
					}
				}
				if err := tx.Exec(`INSERT INTO words (text) VALUES (?)`, fmt.Sprint(i, strings.Repeat(" ticket", 200+i*20))); err != nil {
					return err
				}
				return tx.Row(`SELECT max(n) FROM words`).Scan(&n)
			})
			if err == nil && i%20 == 19 {
				err = f.Release(ctx)
			}
			if err != nil {
				fmt.Println("refused:", err)
				return
			}
			fmt.Println(n)
		}
		if err := f.Close(); err != nil {
			fmt.Println("refused:", err)
			return
		}
	}
}

// TestKill kills a process while it writes, copies its log, closes and opens the file. Each time all pages have the right
// checksum or are in the log, and every transaction that had returned is there.
func TestKill(t *testing.T) {
	kills := 150
	if testing.Short() {
		kills = 25
	}
	path := filepath.Join(t.TempDir(), "file.sqlite")
	rng := rand.New(rand.NewPCG(1, 38))
	last := int64(0)
	for range kills {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), killedPath+"="+path)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for in := bufio.NewScanner(out); in.Scan(); {
				n, err := strconv.ParseInt(in.Text(), 10, 64)
				if err != nil {
					t.Errorf("after a kill: %s", in.Text())
				}
				last = max(last, n)
			}
		}()
		time.Sleep(20*time.Millisecond + time.Duration(rng.IntN(300))*time.Millisecond)
		c.Process.Kill()
		<-ended
		c.Wait()
		if t.Failed() {
			return
		}
	}
	f, err := Open(t.Context(), path, killForm)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var n int64
	if err := f.Readers().QueryRowContext(t.Context(), `SELECT max(n) FROM words`).Scan(&n); err != nil || n < last || f.Unchecked() != "" {
		t.Errorf("%d of %d transactions: %v, %s", n, last, err, f.Unchecked())
	}
	if last < int64(kills) {
		t.Errorf("only %d transactions", last)
	}
}
