package handler

import (
	"encoding/json"
	"strings"
)

// withoutSecrets returns a value as decoded JSON, and replaces every text whose key looks like a
// secret. The caller should already have removed secrets; this is a second protection.
func withoutSecrets(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var plain any
	err = json.Unmarshal(data, &plain)
	return blanked(plain), err
}

// secretWords are parts of keys whose values are secrets. The name of a file is not a secret.
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
