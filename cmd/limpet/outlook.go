package main

import (
	"fmt"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/study/render"
	"github.com/limpet-storage/limpet/study/survey"
)

// readOutlook reads what slow drives of this fleet did from the result of a study;
// nil without a file.
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
		return nil, fmt.Errorf("--study: %s has no findings, because the study had too few data in every hour: give the result of another study", file)
	}
	return survey.Of(result.Parts, "the study of your own drives, "+file), nil
}
