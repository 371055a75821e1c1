package main

import (
	"fmt"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/study/render"
	"github.com/limpet-storage/limpet/study/survey"
)

// readOutlook reads the result of a study about the user's own drives. The returned function gives
// the prognosis of a slow drive; nil without a file.
func readOutlook(file string) (func(ssd bool) *advice.Prognosis, error) {
	if file == "" {
		return nil, nil
	}
	data, err := bounded.ReadFile(file, bounded.MaxResult, "a result of limpet study")
	if err != nil {
		return nil, fmt.Errorf("--study: %w", err)
	}
	result, err := render.Parse(file, data)
	if err != nil {
		return nil, fmt.Errorf("--study: %w", err)
	}
	if len(result.Parts) == 0 {
		return nil, fmt.Errorf("--study: %s has no findings, because no hour of the study had enough data: give the result of another study", file)
	}
	return survey.Of(result.Parts, "the study of your own drives, "+file), nil
}
