//go:build cgo

package robots

// The calls into the library about explanations, lint and extensions.

/*
#include "native.h"

#cgo noescape robots_rules_explain
#cgo nocallback robots_rules_explain
#cgo noescape robots_lint
#cgo nocallback robots_lint
#cgo noescape robots_extensions_parse
#cgo nocallback robots_extensions_parse
#cgo noescape robots_extensions_preferences
#cgo nocallback robots_extensions_preferences
#cgo noescape robots_preferences_from_header
#cgo nocallback robots_preferences_from_header
#cgo noescape robots_explanation_get
#cgo nocallback robots_explanation_get
#cgo noescape robots_explanation_agent
#cgo nocallback robots_explanation_agent
#cgo noescape robots_explanation_rule
#cgo nocallback robots_explanation_rule
#cgo noescape robots_lint_report_count
#cgo nocallback robots_lint_report_count
#cgo noescape robots_lint_code
#cgo nocallback robots_lint_code
#cgo noescape robots_lint_report_get
#cgo nocallback robots_lint_report_get
#cgo noescape robots_lint_report_line
#cgo nocallback robots_lint_report_line
#cgo noescape robots_extensions_line
#cgo nocallback robots_extensions_line
#cgo noescape robots_preferences_get
#cgo nocallback robots_preferences_get
*/
import "C"

import "time"

type extensionsHandle = *C.robots_extensions

func explain(crawler handle, body []byte, url string) (*Explanation, error) {
	var e *C.robots_explanation
	status := C.robots_rules_explain(crawler, bytesStart(body), C.size_t(len(body)), stringStart(url), C.size_t(len(url)), &e)
	if err := errorOf(status); err != nil {
		return nil, err
	}
	defer C.robots_explanation_free(e)
	c := C.robots_explained{size: C.sizeof_robots_explained}
	C.robots_explanation_get(e, &c)
	out := &Explanation{
		Verdict: Verdict(c.verdict.bits), Path: textOf(c.path), Token: textOf(c.token), text: textOf(c.text),
		Dialects: map[Dialect]Verdict{
			RFC9309: Verdict(c.rfc9309.bits), Google: Verdict(c.google.bits), Koster1996: Verdict(c.koster1996.bits),
		},
	}
	line := C.robots_explained_line{size: C.sizeof_robots_explained_line}
	for i := C.size_t(0); C.robots_explanation_agent(e, i, &line) == C.ROBOTS_OK; i++ {
		out.Agents = append(out.Agents, AgentLine{Line: int(line.line), Text: textOf(line.text)})
	}
	rule := C.robots_explained_rule{size: C.sizeof_robots_explained_rule}
	for i := C.size_t(0); C.robots_explanation_rule(e, i, &rule) == C.ROBOTS_OK; i++ {
		out.Rules = append(out.Rules, MatchedRule{
			Line: int(rule.line), Text: textOf(rule.text), Path: textOf(rule.path), Pattern: textOf(rule.pattern),
			Allow: rule.allow != 0, Result: MatchResult(rule.result),
		})
	}
	return out, nil
}

func lint(crawler handle, body []byte) (*Report, error) {
	var r *C.robots_lint_report
	status := C.robots_lint(crawler, bytesStart(body), C.size_t(len(body)), &r)
	if err := errorOf(status); err != nil {
		return nil, err
	}
	defer C.robots_lint_report_free(r)
	counts := C.robots_lint_counts{size: C.sizeof_robots_lint_counts}
	C.robots_lint_report_count(r, &counts)
	out := &Report{
		Notes: int(counts.notes), Warnings: int(counts.warnings), Errors: int(counts.errors), text: textOf(C.robots_lint_report_text(r)),
		Lines: make([]LintLine, 0, counts.lines),
	}
	c := C.robots_lint_diagnostic{size: C.sizeof_robots_lint_diagnostic}
	for i := C.size_t(0); C.robots_lint_report_get(r, i, &c) == C.ROBOTS_OK; i++ {
		diagnostic := Diagnostic{
			Code: Code(c.code), Severity: Severity(c.severity), Line: int(c.line), Column: int(c.column), Start: int(c.start),
			End: int(c.end), OtherLine: int(c.other_line), Message: textOf(c.message), Suggestion: textOf(c.suggestion),
		}
		if c.fix != C.ROBOTS_LINT_FIX_NONE {
			diagnostic.Fix = &Fix{int(c.fix_start), int(c.fix_end), textOf(c.fix_replacement), c.fix == C.ROBOTS_LINT_FIX_SAFE}
		}
		out.Diagnostics = append(out.Diagnostics, diagnostic)
	}
	line := C.robots_lint_line{size: C.sizeof_robots_lint_line}
	for number := C.size_t(1); C.robots_lint_report_line(r, number, &line) == C.ROBOTS_OK; number++ {
		out.Lines = append(out.Lines, LintLine{
			Kind: LineKind(line.kind), Group: int(line.group), Start: int(line.start), End: int(line.end), Field: textOf(line.field),
			Value: textOf(line.value),
		})
	}
	return out, nil
}

// lintMeaning returns empty texts for an unknown code.
func lintMeaning(code Code) (title, explanation string) {
	c := C.robots_lint_meaning{size: C.sizeof_robots_lint_meaning}
	C.robots_lint_code(C.uint32_t(code), &c)
	return textOf(c.title), textOf(c.explanation)
}

func extensionsParse(crawler handle, body []byte) (extensionsHandle, []Extension, error) {
	var e extensionsHandle
	status := C.robots_extensions_parse(crawler, bytesStart(body), C.size_t(len(body)), &e)
	if err := errorOf(status); err != nil {
		return nil, nil, err
	}
	var lines []Extension
	c := C.robots_extension{size: C.sizeof_robots_extension}
	for i := C.size_t(0); C.robots_extensions_line(e, i, &c) == C.ROBOTS_OK; i++ {
		lines = append(lines, Extension{
			Field: ExtensionField(c.field), Line: int(c.line), Value: textOf(c.value), InGroup: c.in_group != 0,
			Requests: int(c.requests), Per: time.Duration(c.seconds) * time.Second,
			From: time.Duration(c.from) * time.Minute, Until: time.Duration(c.until) * time.Minute,
		})
	}
	return e, lines, nil
}

func extensionsFree(extensions extensionsHandle) { C.robots_extensions_free(extensions) }

func extensionsPreferences(extensions extensionsHandle, url string) ([]Preference, error) {
	var p *C.robots_preferences
	status := C.robots_extensions_preferences(extensions, stringStart(url), C.size_t(len(url)), &p)
	return preferencesOf(p, status)
}

func headerPreferences(value string) ([]Preference, error) {
	var p *C.robots_preferences
	status := C.robots_preferences_from_header(stringStart(value), C.size_t(len(value)), &p)
	return preferencesOf(p, status)
}

func preferencesOf(p *C.robots_preferences, status C.robots_status) ([]Preference, error) {
	if err := errorOf(status); err != nil {
		return nil, err
	}
	defer C.robots_preferences_free(p)
	var preferences []Preference
	c := C.robots_preference{size: C.sizeof_robots_preference}
	for i := C.size_t(0); C.robots_preferences_get(p, i, &c) == C.ROBOTS_OK; i++ {
		preferences = append(preferences, Preference{Vocabulary(c.vocabulary), textOf(c.label), Choice(c.choice), int(c.line)})
	}
	return preferences, nil
}
