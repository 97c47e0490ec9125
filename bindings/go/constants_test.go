package robots

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// numbersOfC returns the numbers of tests/data/api.json by the names of C, such as ROBOTS_REASON_NONE, without underscores.
func numbersOfC(t *testing.T) map[string]uint64 {
	var api struct {
		Enums []struct {
			Values []struct {
				C      string
				Number uint64
			}
		}
	}
	if err := json.Unmarshal(must(os.ReadFile(filepath.Join("..", "..", "tests", "data", "api.json"))), &api); err != nil {
		t.Fatal(err)
	}
	numbers := map[string]uint64{}
	for _, enum := range api.Enums {
		for _, value := range enum.Values {
			numbers[strings.ToLower(strings.ReplaceAll(value.C, "_", ""))] = value.Number
		}
	}
	return numbers
}

// What Go and C call differently.
var namesOfC = regexp.MustCompile(`^(ErrArgument|Err|Kind|Action|Source|Severity|RFC9309|Google|Koster1996|(Usage|Signal)Vocabulary)`)

func nameOfC(name string) string {
	other := map[string]string{"ErrArgument": "earg", "Err": "e", "Kind": "outcome", "Action": "cache", "Source": "page",
		"Severity": "lint", "RFC9309": "dialectrfc9309", "Google": "dialectgoogle", "Koster1996": "dialectkoster1996",
		"UsageVocabulary": "vocabularycontentusage", "SignalVocabulary": "vocabularycontentsignal"}
	return "robots" + strings.ToLower(namesOfC.ReplaceAllStringFunc(name, func(start string) string { return other[start] }))
}

// The constants have the numbers of the C API.
func TestConstants(t *testing.T) {
	numbers, constant := numbersOfC(t), regexp.MustCompile(`(?m)^\t(\w+) +\w+ = (\d+)$`)
	constants := constant.FindAllStringSubmatch(string(must(os.ReadFile("constants.go"))), -1)
	if len(constants) < 100 {
		t.Fatalf("constants.go has only %d constants", len(constants))
	}
	for _, c := range constants {
		if number, ok := numbers[nameOfC(c[1])]; !ok || strconv.FormatUint(number, 10) != c[2] {
			t.Errorf("%s is %s in constants.go, %d (%t) in tests/data/api.json: run `make api`", c[1], c[2], number, ok)
		}
	}
}

// The library that is linked returns the numbers of the constants.
func TestConstantsOfTheLibrary(t *testing.T) {
	file, empty := mustParse(t, "User-agent: *\nAllow: /b\nDisallow: /a\n"), mustParse(t, "")
	for _, probe := range []struct {
		name string
		got  Verdict
		want Reason
	}{
		{"ReasonNone", file.Check("c"), ReasonNone}, {"ReasonRuleAllowed", file.Check("/b"), ReasonRuleAllowed},
		{"ReasonRuleDisallowed", file.Check("/a"), ReasonRuleDisallowed}, {"ReasonNoRule", file.Check("/c"), ReasonNoRule},
		{"ReasonNoGroup", empty.Check("/c"), ReasonNoGroup}, {"ReasonRobotsTxt", file.Check("/robots.txt"), ReasonRobotsTxt},
		{"ReasonAllowAll", AllowAll().Check("/c"), ReasonAllowAll}, {"ReasonDisallowAll", DisallowAll().Check("/c"), ReasonDisallowAll},
	} {
		if got := probe.got.Reason(); got != probe.want {
			t.Errorf("%s is %d in constants.go, %d in the library", probe.name, probe.want, got)
		}
	}
	for status, start := range map[Error]string{ErrArgument: "invalid argument", ErrToken: "invalid product token", ErrURL: "invalid URL",
		ErrMemory: "out of memory", ErrPanic: "internal error", ErrImage: "damaged image", ErrImageFormat: "image or record of another",
		ErrScheme: "unsupported URL scheme", ErrState: "wrong state"} {
		if text := statusText(status); !strings.HasPrefix(text, start) {
			t.Errorf("the text of the error %d does not start with %q: %q", uint32(status), start, text)
		}
	}
}
