package document

import (
	"encoding/json"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
)

// TestEarlierVersion: a document in which times_slower is the present ratio is read with the
// number of its headline.
func TestEarlierVersion(t *testing.T) {
	for _, tt := range []struct {
		name, text      string
		want, low, high float64
	}{
		{"one member", `{"times_slower": 6.2, "worst_times_slower": 8.5, "members": [
			{"component": "1.7.4", "role": "slow", "times_slower": 6.2, "mean_times_slower": 3.6, "least_times_slower": 3.2, "most_times_slower": 4}]}`, 3.6, 3.2, 4},
		{"three members and a helper", `{"times_slower": 6.2, "members": [
			{"component": "a", "role": "slow", "mean_times_slower": 3}, {"component": "b", "role": "slow", "mean_times_slower": 2},
			{"component": "c", "role": "slow", "mean_times_slower": 5}, {"component": "d", "role": "took over", "mean_times_slower": 9}]}`, 3, 2, 5},
		{"worst as a peak", `{"times_slower": 3, "least_times_slower": 2, "most_times_slower": 5, "now_times_slower": 6.2, "worst_times_slower": 15.4, "members": [
			{"component": "a", "role": "slow", "times_slower": 5, "mean_times_slower": 5, "worst_times_slower": 9.5},
			{"component": "b", "role": "slow", "times_slower": 3, "mean_times_slower": 3}, {"component": "c", "role": "slow", "times_slower": 2, "mean_times_slower": 2},
			{"component": "d", "role": "took over", "times_slower": 9}]}`, 3, 2, 5},
		{"this version", `{"times_slower": 3.6, "least_times_slower": 3.2, "most_times_slower": 4, "now_times_slower": 6.2, "members": [
			{"component": "1.7.4", "role": "slow", "times_slower": 3.6, "mean_times_slower": 3.6}]}`, 3.6, 3.2, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var in Incident
			if err := json.Unmarshal([]byte(tt.text), &in); err != nil {
				t.Fatal(err)
			}
			if float64(in.TimesSlower) != tt.want || float64(in.Low) != tt.low || float64(in.High) != tt.high {
				t.Errorf("%v times slower, %v to %v; want %v, %v to %v", in.TimesSlower, in.Low, in.High, tt.want, tt.low, tt.high)
			}
			if in.Members[0].Times != in.Members[0].Mean {
				t.Errorf("its member is %v times slower, want %v", in.Members[0].Times, in.Members[0].Mean)
			}
			if tt.name == "worst as a peak" && (in.Worst != 5 || in.Peak != 15.4 || in.Members[0].Peak != 9.5) {
				t.Errorf("worst %v, peak %v, peak of a member %v; want 5, 15.4, 9.5", in.Worst, in.Peak, in.Members[0].Peak)
			}
		})
	}
}

// TestPlaceNoun: programs read the tier of an OSD, and people read "OSD".
func TestPlaceNoun(t *testing.T) {
	for p, want := range map[Place]string{
		{Tier: blame.Drive, Name: "osd.5"}: `{"tier":"drive","name":"osd.5","noun":"OSD"}`,
		{Tier: blame.Drive, Name: "sda"}:   `{"tier":"drive","name":"sda"}`,
		{Tier: blame.LUN, Name: "osd.5"}:   `{"tier":"LUN","name":"osd.5"}`,
	} {
		text, err := json.Marshal(p)
		if err != nil || string(text) != want {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
		var back Place
		if err := json.Unmarshal(text, &back); err != nil || back != p {
			t.Errorf("%s is read as %+v, %v", text, back, err)
		}
	}
}
