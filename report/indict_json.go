package report

import (
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
)

type jsonIndictment struct {
	Server  string         `json:"server"`
	Cause   string         `json:"cause"`
	Onset   jsonOnset      `json:"onset"`
	From    string         `json:"from"`
	To      string         `json:"to"`
	Metrics []jsonEvidence `json:"metrics"`
	Next    *jsonNext      `json:"next,omitempty"`
}

type jsonOnset struct {
	At      string `json:"at"`
	Early   string `json:"early"`
	Late    string `json:"late"`
	Earlier bool   `json:"earlier,omitempty"`
}

type jsonEvidence struct {
	Metric    string   `json:"metric"`
	Decides   bool     `json:"decides"`
	Component string   `json:"component"`
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"`
	Scale     string   `json:"scale,omitempty"`
	Own       *float64 `json:"own,omitempty"`
	Peers     *float64 `json:"peers,omitempty"`
	Unit      string   `json:"unit"`
	From      string   `json:"from"`
	To        string   `json:"to"`
}

type jsonNext struct {
	Cause    string       `json:"cause"`
	Shows    bool         `json:"shows"`
	Evidence jsonEvidence `json:"evidence"`
	Text     string       `json:"text"`
}

func jsonIndictments(list []explain.Indictment, how diagnose.Indict) []jsonIndictment {
	out := make([]jsonIndictment, len(list))
	for i := range list {
		in := &list[i]
		out[i] = jsonIndictment{
			Server: in.Server, Cause: string(in.Cause), From: rfc3339(in.From), To: rfc3339(in.To),
			Onset: jsonOnset{rfc3339(in.Onset.At), rfc3339(in.Onset.Early), rfc3339(in.Onset.Late), in.Onset.Earlier},
		}
		for _, e := range ordered(in) {
			out[i].Metrics = append(out[i].Metrics, jsonOf(&e, in.Cause))
		}
		if in.Next != nil {
			out[i].Next = &jsonNext{string(in.Next.Cause), in.Next.Holds, jsonOf(&in.Next.Evidence, in.Cause), sayNext(in, how)}
		}
	}
	return out
}

func jsonOf(e *explain.Evidence, cause explain.Cause) jsonEvidence {
	return jsonEvidence{
		Metric: e.Metric, Decides: cause.Decides(e.Metric), Component: e.Component, Unit: e.Unit,
		Score: e.Score, Threshold: e.Threshold, Scale: e.Scale, Own: known(e.Median), Peers: known(e.Peers),
		From: rfc3339(e.From), To: rfc3339(e.To),
	}
}

type jsonIdle struct {
	Server string `json:"server"`
	From   string `json:"from"`
	To     string `json:"to"`
}

func jsonIdleness(list []diagnose.Idleness) []jsonIdle {
	out := make([]jsonIdle, len(list))
	for i, q := range list {
		out[i] = jsonIdle{q.Server, rfc3339(q.From), rfc3339(q.To)}
	}
	return out
}
