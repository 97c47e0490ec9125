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
#cgo noescape robots_explanation_agent
#cgo nocallback robots_explanation_agent
#cgo noescape robots_explanation_rule
#cgo nocallback robots_explanation_rule
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
	out := &Explanation{
		Verdict: Verdict(C.robots_explanation_verdict(e)), Dialects: map[Dialect]Verdict{},
		Path: textOf(C.robots_explanation_path(e)), Token: textOf(C.robots_explanation_token(e)),
		text: textOf(C.robots_explanation_text(e)),
	}
	for _, dialect := range []Dialect{RFC9309, Google, Koster1996} {
		out.Dialects[dialect] = Verdict(C.robots_explanation_other(e, C.uint32_t(dialect)))
	}
	for i := range C.robots_explanation_agent_count(e) {
		c := C.robots_explained_line{size: C.sizeof_robots_explained_line}
		C.robots_explanation_agent(e, i, &c)
		out.Agents = append(out.Agents, AgentLine{Line: int(c.line), Text: textOf(c.text)})
	}
	for i := range C.robots_explanation_rule_count(e) {
		c := C.robots_explained_rule{size: C.sizeof_robots_explained_rule}
		C.robots_explanation_rule(e, i, &c)
		out.Rules = append(out.Rules, MatchedRule{
			Line: int(c.line), Text: textOf(c.text), Path: textOf(c.path), Pattern: textOf(c.pattern), Allow: c.allow != 0,
			Result: MatchResult(c.result),
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
	total := func(severity Severity) int { return int(C.robots_lint_report_total(r, C.uint32_t(severity))) }
	out := &Report{
		Notes: total(SeverityNote), Warnings: total(SeverityWarning), Errors: total(SeverityError), text: textOf(C.robots_lint_report_text(r)),
		Diagnostics: make([]Diagnostic, C.robots_lint_report_count(r)), Lines: make([]LintLine, C.robots_lint_report_line_count(r)),
	}
	for i := range out.Diagnostics {
		c := C.robots_lint_diagnostic{size: C.sizeof_robots_lint_diagnostic}
		C.robots_lint_report_get(r, C.size_t(i), &c)
		out.Diagnostics[i] = Diagnostic{
			Code: Code(c.code), Severity: Severity(c.severity), Line: int(c.line), Column: int(c.column), Start: int(c.start),
			End: int(c.end), OtherLine: int(c.other_line), Message: textOf(c.message), Suggestion: textOf(c.suggestion),
		}
		if c.fix != C.ROBOTS_LINT_FIX_NONE {
			out.Diagnostics[i].Fix = &Fix{int(c.fix_start), int(c.fix_end), textOf(c.fix_replacement), c.fix == C.ROBOTS_LINT_FIX_SAFE}
		}
	}
	for i := range out.Lines {
		c := C.robots_lint_line{size: C.sizeof_robots_lint_line}
		C.robots_lint_report_line(r, C.size_t(i+1), &c)
		out.Lines[i] = LintLine{
			Kind: LineKind(c.kind), Group: int(c.group), Start: int(c.start), End: int(c.end), Field: textOf(c.field),
			Value: textOf(c.value),
		}
	}
	return out, nil
}

func lintTitle(code Code) string       { return textOf(C.robots_lint_title(C.uint32_t(code))) }
func lintExplanation(code Code) string { return textOf(C.robots_lint_explanation(C.uint32_t(code))) }

func extensionsParse(crawler handle, body []byte) (extensionsHandle, []Extension, error) {
	var e extensionsHandle
	status := C.robots_extensions_parse(crawler, bytesStart(body), C.size_t(len(body)), &e)
	if err := errorOf(status); err != nil {
		return nil, nil, err
	}
	lines := make([]Extension, C.robots_extensions_count(e))
	for i := range lines {
		c := C.robots_extension{size: C.sizeof_robots_extension}
		C.robots_extensions_line(e, C.size_t(i), &c)
		lines[i] = Extension{
			Field: ExtensionField(c.field), Line: int(c.line), Value: textOf(c.value), InGroup: c.in_group != 0,
			Requests: int(c.requests), Per: time.Duration(c.seconds) * time.Second,
			From: time.Duration(c.from) * time.Minute, Until: time.Duration(c.until) * time.Minute,
		}
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
	preferences := make([]Preference, C.robots_preferences_count(p))
	for i := range preferences {
		c := C.robots_preference{size: C.sizeof_robots_preference}
		C.robots_preferences_get(p, C.size_t(i), &c)
		preferences[i] = Preference{Vocabulary(c.vocabulary), textOf(c.label), Choice(c.choice), int(c.line)}
	}
	return preferences, nil
}
