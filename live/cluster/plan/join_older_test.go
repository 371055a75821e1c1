package plan

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
)

// secondForm is the step of TestSent in the form of version 2.
const secondForm = "020200000001000000dc0500000000000001000000000000000104000000010000000000f87f01000000" +
	"0000f87f010000000000f87ff6a1b9216515ee3f0400000052291acdbeded63f6f8e7835f83eef3f0bc9d3769bfee93f" +
	"e8b557e41a44c43f0003010000000000"

// TestOlderSteps: the server and the end time of an older version's step can be read. Its values are
// refused, with an error.
func TestOlderSteps(t *testing.T) {
	s, schema := world(t)
	step, err := hex.DecodeString(secondForm)
	if err != nil {
		t.Fatal(err)
	}
	if end, err := End(step); err != nil || end != 1500 {
		t.Errorf("it ends at %d: %v", end, err)
	}
	if generation, err := Generation(step); err != nil || generation != 2 {
		t.Errorf("it is of generation %d: %v", generation, err)
	}
	if err := NewJoin(2, s, schema, time.Hour).Take(step, time.Unix(1, 0), func(*table.Row) { t.Error("a row is made") }); !errors.Is(err, ErrOlder) {
		t.Errorf("it is taken: %v", err)
	}
	if _, err := Moved(step, []int{0, 1, 2}); !errors.Is(err, ErrOlder) {
		t.Errorf("it is moved: %v", err)
	}
	for version, newer := range map[byte]bool{1: false, formVersion + 1: true, formVersion + 2: true, firstNotVersion: false, '{': false} {
		step[0] = version
		if _, err := End(step); err == nil || errors.Is(err, ErrOlder) || errors.Is(err, ErrNewer) != newer {
			t.Errorf("version %d: %v", version, err)
		}
	}
}

// thirdForm is the step of TestSent in the form of version 3.
const thirdForm = "030200000001000000dc050000000000000100000000000000010f0000000000000000010000000000f87f0100" +
	"00000000f87f010000000000f87ff6a1b9216515ee3f0f000000000000000052291acdbeded63f6f8e7835f83e" +
	"ef3f0bc9d3769bfee93fe8b557e41a44c43f0003010000000000"

// TestThirdSteps: the values of a step of version 3 are read. Ingest nodes of the version before send
// such steps, and so do ingest nodes of this version for servers without traffic by client.
func TestThirdSteps(t *testing.T) {
	s, schema := world(t)
	step, err := hex.DecodeString(thirdForm)
	if err != nil {
		t.Fatal(err)
	}
	want := rows(schema, 1)[0]
	var got *table.Row
	j := NewJoin(2, s, schema, time.Hour)
	for at := range s.Servers {
		one := step
		if at != 1 {
			one = NewCut(2, s, schema).Step(want, at, at)
		}
		if err := j.Take(one, time.Unix(want.End, 0), func(row *table.Row) { got = row }); err != nil {
			t.Fatal(err)
		}
	}
	if got == nil || fmt.Sprint(got.Values) != fmt.Sprint(want.Values) { // NaN is not equal to itself
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestStepForms: a step with traffic by client has version 4, which nodes of the version before do not
// read. Without this traffic, or if the Cut leaves it out, the bytes are those of version 3, which
// these nodes read. A step of version 3 that has traffic by client, as one version of limpet has sent,
// is read too.
func TestStepForms(t *testing.T) {
	s, schema := world(t)
	row := rows(schema, 1)[0]
	cut := NewCut(2, s, schema)
	plain := cut.Step(row, 1, 1)
	if want, err := hex.DecodeString(thirdForm); err != nil || !bytes.Equal(plain, want) {
		t.Errorf("a step without traffic by client is %x, want %x", plain, want)
	}
	row.Gauges[1].Clients = []table.ClientTraffic{{Name: "c1", BytesPerSecond: 7}}
	step := cut.Step(row, 1, 1)
	if step[0] != 4 || bytes.Equal(step[1:], plain[1:]) {
		t.Errorf("a step with traffic by client is %x", step)
	}
	cut.WithoutClients = true
	if got := cut.Step(row, 1, 1); !bytes.Equal(got, plain) {
		t.Errorf("a step whose traffic by client is left out is %x, want %x", got, plain)
	}
	if row.Gauges[1].Clients == nil {
		t.Error("the row has lost its traffic by client")
	}
	third := bytes.Clone(step)
	third[0] = 3
	for _, one := range [][]byte{step, third} {
		var got *table.Row
		j := NewJoin(2, s, schema, time.Hour)
		for at := range s.Servers {
			message := one
			if at != 1 {
				message = cut.Step(row, at, at)
			}
			if err := j.Take(message, time.Unix(row.End, 0), func(r *table.Row) { got = r }); err != nil {
				t.Fatal(err)
			}
		}
		if got == nil || fmt.Sprint(got.Gauges[1].Clients) != "[{c1 7}]" {
			t.Errorf("version %d: %+v", one[0], got)
		}
	}
}
