package handler

import (
	"encoding/json"
	"strings"
)

// withoutSecrets is a value as package json writes it, in which texts are blanked
// whose keys sound like secrets: the last line of defence, behind whoever leaves
// secrets out.
func withoutSecrets(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var plain any
	err = json.Unmarshal(data, &plain)
	return blanked(plain), err
}

// secretWords are parts of keys whose values are secrets. Names of files are none.
var secretWords = []string{"password", "secret", "token", "bcrypt", "sha256", "credential", "private"}

func isSecret(key string) bool {
	key = strings.ToLower(key)
	if strings.HasSuffix(key, "file") {
		return false
	}
	for _, word := range secretWords {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}

func blanked(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if _, plain := value.(string); plain && isSecret(key) {
				v[key] = "(not shown)"
			} else {
				v[key] = blanked(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = blanked(v[i])
		}
	}
	return v
}
