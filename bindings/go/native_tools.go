//go:build cgo && !librobots_wasm && (librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the library about explanations, lint reports, differences, extensions, page controls and uses.

/*
#include "native.h"

#cgo noescape robots_rules_explain
#cgo nocallback robots_rules_explain
#cgo noescape robots_explanation_get
#cgo nocallback robots_explanation_get
#cgo noescape robots_explanation_agent
#cgo nocallback robots_explanation_agent
#cgo noescape robots_explanation_rule
#cgo nocallback robots_explanation_rule
#cgo nocallback robots_explanation_free

#cgo noescape robots_lint
#cgo nocallback robots_lint
#cgo noescape robots_lint_report_count
#cgo nocallback robots_lint_report_count
#cgo noescape robots_lint_report_get
#cgo nocallback robots_lint_report_get
#cgo noescape robots_lint_report_line
#cgo nocallback robots_lint_report_line
#cgo nocallback robots_lint_report_text
#cgo nocallback robots_lint_report_free
#cgo noescape robots_lint_code
#cgo nocallback robots_lint_code

#cgo noescape go_difference
#cgo nocallback go_difference
static robots_status go_difference(const char *image, size_t len, const char *other_image, size_t other_len, robots_difference **difference)
{
    robots_rules *rules, *other;
    robots_status status = robots_rules_borrow_image(image, len, &rules);
    robots_status other_status = robots_rules_borrow_image(other_image, other_len, &other);
    if (status == ROBOTS_OK)
        status = other_status;
    if (status == ROBOTS_OK)
        status = robots_rules_difference(rules, other, difference);
    robots_rules_free(rules);
    robots_rules_free(other);
    return status;
}
#cgo nocallback robots_difference_result
#cgo noescape robots_difference_path
#cgo nocallback robots_difference_path
#cgo nocallback robots_difference_free

#cgo noescape robots_extensions_parse
#cgo nocallback robots_extensions_parse
#cgo noescape robots_extensions_line
#cgo nocallback robots_extensions_line
#cgo nocallback robots_extensions_free

#cgo noescape robots_page_controls_new
#cgo nocallback robots_page_controls_new
#cgo noescape robots_page_controls_add_header
#cgo nocallback robots_page_controls_add_header
#cgo noescape robots_page_controls_add_meta
#cgo nocallback robots_page_controls_add_meta
#cgo noescape robots_page_controls_get
#cgo nocallback robots_page_controls_get
#cgo noescape robots_page_controls_unknown
#cgo nocallback robots_page_controls_unknown
#cgo nocallback robots_page_controls_free

#cgo noescape robots_uses_new
#cgo nocallback robots_uses_new
#cgo noescape robots_use_for
#cgo nocallback robots_use_for
#cgo noescape robots_use_receipt
#cgo nocallback robots_use_receipt
#cgo nocallback robots_uses_free
*/
import "C"

import "unsafe"

type (
	explanationHandle = *C.robots_explanation
	lintHandle        = *C.robots_lint_report
	differenceHandle  = *C.robots_difference
	extensionsHandle  = *C.robots_extensions
	pageHandle        = *C.robots_page_controls
	usesHandle        = *C.robots_uses
)

func explanationNew(crawler crawlerHandle, body []byte, url string) (explanation explanationHandle, err error) {
	err = errorOf(C.robots_rules_explain(crawler, bytesStart(body), C.size_t(len(body)), stringStart(url), C.size_t(len(url)), &explanation))
	return explanation, err
}

func explanationGet(explanation explanationHandle, out *explanationParts) error {
	c := C.robots_explained{size: C.sizeof_robots_explained}
	if err := errorOf(C.robots_explanation_get(explanation, &c)); err != nil {
		return err
	}
	*out = explanationParts{
		Verdict: Verdict(c.verdict.bits), RFC9309: Verdict(c.rfc9309.bits), Google: Verdict(c.google.bits),
		Koster1996: Verdict(c.koster1996.bits), Path: textOf(c.path), Token: textOf(c.token), Text: textOf(c.text),
	}
	return nil
}

func explanationAgent(explanation explanationHandle, index uint, out *agentParts) error {
	c := C.robots_explained_line{size: C.sizeof_robots_explained_line}
	if err := errorOf(C.robots_explanation_agent(explanation, C.size_t(index), &c)); err != nil {
		return err
	}
	*out = agentParts{Text: textOf(c.text), Line: uint32(c.line)}
	return nil
}

func explanationRule(explanation explanationHandle, index uint, out *matchedParts) error {
	c := C.robots_explained_rule{size: C.sizeof_robots_explained_rule}
	if err := errorOf(C.robots_explanation_rule(explanation, C.size_t(index), &c)); err != nil {
		return err
	}
	*out = matchedParts{
		Text: textOf(c.text), Path: textOf(c.path), Pattern: textOf(c.pattern), Line: uint32(c.line), Allow: uint32(c.allow),
		Result: MatchResult(c.result),
	}
	return nil
}

func explanationFree(explanation explanationHandle) { C.robots_explanation_free(explanation) }

func lintNew(crawler crawlerHandle, body []byte) (report lintHandle, err error) {
	err = errorOf(C.robots_lint(crawler, bytesStart(body), C.size_t(len(body)), &report))
	return report, err
}

func lintCount(report lintHandle, out *lintCounts) error {
	c := C.robots_lint_counts{size: C.sizeof_robots_lint_counts}
	if err := errorOf(C.robots_lint_report_count(report, &c)); err != nil {
		return err
	}
	*out = lintCounts{Errors: uint64(c.errors), Warnings: uint64(c.warnings), Notes: uint64(c.notes), Lines: uint64(c.lines)}
	return nil
}

func lintText(report lintHandle) (string, error) {
	return textOf(C.robots_lint_report_text(report)), nil
}

func lintGet(report lintHandle, index uint, out *diagnosticParts) error {
	c := C.robots_lint_diagnostic{size: C.sizeof_robots_lint_diagnostic}
	if err := errorOf(C.robots_lint_report_get(report, C.size_t(index), &c)); err != nil {
		return err
	}
	*out = diagnosticParts{
		Start: uintptr(c.start), End: uintptr(c.end), Message: textOf(c.message), Suggestion: textOf(c.suggestion),
		Code: Code(c.code), Severity: Severity(c.severity), Line: uint32(c.line), Column: uint32(c.column),
		OtherLine: uint32(c.other_line), Fix: uint32(c.fix), FixStart: uintptr(c.fix_start), FixEnd: uintptr(c.fix_end),
		FixReplacement: textOf(c.fix_replacement),
	}
	return nil
}

// lintLine returns line index + 1.
func lintLine(report lintHandle, index uint, out *lineParts) error {
	c := C.robots_lint_line{size: C.sizeof_robots_lint_line}
	if err := errorOf(C.robots_lint_report_line(report, C.size_t(index+1), &c)); err != nil {
		return err
	}
	*out = lineParts{
		Start: uintptr(c.start), End: uintptr(c.end), Field: textOf(c.field), Value: textOf(c.value), Kind: LineKind(c.kind),
		Group: uint32(c.group),
	}
	return nil
}

func lintFree(report lintHandle) { C.robots_lint_report_free(report) }

func lintCode(code Code, out *meaningParts) error {
	c := C.robots_lint_meaning{size: C.sizeof_robots_lint_meaning}
	if err := errorOf(C.robots_lint_code(C.uint32_t(code), &c)); err != nil {
		return err
	}
	*out = meaningParts{textOf(c.title), textOf(c.explanation)}
	return nil
}

func differenceNew(r, other *Rules) (difference differenceHandle, err error) {
	err = errorOf(C.go_difference(bytesStart(r.image), C.size_t(len(r.image)), bytesStart(other.image), C.size_t(len(other.image)), &difference))
	return difference, err
}

func differenceResult(difference differenceHandle) DifferenceResult {
	return DifferenceResult(C.robots_difference_result(difference))
}

func differencePath(difference differenceHandle, index uint, out *pathParts) error {
	c := C.robots_different_path{size: C.sizeof_robots_different_path}
	if err := errorOf(C.robots_difference_path(difference, C.size_t(index), &c)); err != nil {
		return err
	}
	*out = pathParts{textOf(c.path), Verdict(c.verdict.bits), Verdict(c.other_verdict.bits)}
	return nil
}

func differenceFree(difference differenceHandle) { C.robots_difference_free(difference) }

func extensionsParse(crawler crawlerHandle, body []byte) (extensions extensionsHandle, err error) {
	err = errorOf(C.robots_extensions_parse(crawler, bytesStart(body), C.size_t(len(body)), &extensions))
	return extensions, err
}

func extensionsLine(extensions extensionsHandle, index uint, out *extensionParts) error {
	c := C.robots_extension{size: C.sizeof_robots_extension}
	if err := errorOf(C.robots_extensions_line(extensions, C.size_t(index), &c)); err != nil {
		return err
	}
	*out = extensionParts{
		Value: textOf(c.value), Line: uint32(c.line), Field: ExtensionField(c.field), InGroup: uint32(c.in_group),
		Requests: uint32(c.requests), Seconds: uint32(c.seconds), From: uint32(c.from), Until: uint32(c.until),
	}
	return nil
}

func extensionsFree(extensions extensionsHandle) { C.robots_extensions_free(extensions) }

func pageNew(crawler crawlerHandle) (page pageHandle, err error) {
	err = errorOf(C.robots_page_controls_new(crawler, &page))
	return page, err
}

func pageAddHeader(page pageHandle, name, value string) error {
	return errorOf(C.robots_page_controls_add_header(page, stringStart(name), C.size_t(len(name)), stringStart(value), C.size_t(len(value))))
}

func pageAddMeta(page pageHandle, name, content string) error {
	return errorOf(C.robots_page_controls_add_meta(page, stringStart(name), C.size_t(len(name)), stringStart(content), C.size_t(len(content))))
}

// pageValue returns 0 after an error.
func pageValue(page pageHandle, control Control) int64 {
	c := C.robots_page_rule{size: C.sizeof_robots_page_rule}
	C.robots_page_controls_get(page, C.uint32_t(control), &c)
	return int64(c.value)
}

func pageGet(page pageHandle, control Control, out *pageParts) error {
	c := C.robots_page_rule{size: C.sizeof_robots_page_rule}
	if err := errorOf(C.robots_page_controls_get(page, C.uint32_t(control), &c)); err != nil {
		return err
	}
	*out = pagePartsOf(&c)
	return nil
}

func pageUnknown(page pageHandle, index uint, out *pageParts) error {
	c := C.robots_page_rule{size: C.sizeof_robots_page_rule}
	if err := errorOf(C.robots_page_controls_unknown(page, C.size_t(index), &c)); err != nil {
		return err
	}
	*out = pagePartsOf(&c)
	return nil
}

func pagePartsOf(c *C.robots_page_rule) pageParts {
	return pageParts{
		Text: textOf(c.text), Agent: textOf(c.agent), Value: int64(c.value), Source: PageSource(c.source),
		Number: uint32(c.number), Zone: Zone(c.zone),
	}
}

func pageFree(page pageHandle) { C.robots_page_controls_free(page) }

// usesNew passes nil as NULL: the file is not known or there is none.
func usesNew(crawler crawlerHandle, site string, body, tdmFile []byte) (uses usesHandle, err error) {
	err = errorOf(C.robots_uses_new(crawler, stringStart(site), C.size_t(len(site)), bytesStart(body), C.size_t(len(body)),
		bytesStart(tdmFile), C.size_t(len(tdmFile)), &uses))
	return uses, err
}

func useFor(uses usesHandle, url string, purpose Purpose, page pageHandle, out *useParts) (signals []signalParts, err error) {
	answer := C.robots_use_answer{size: C.sizeof_robots_use_answer}
	found := make([]C.robots_use_signal, 4)
	for {
		if err := errorOf(C.robots_use_for(uses, stringStart(url), C.size_t(len(url)), C.uint32_t(purpose), page,
			unsafe.SliceData(found), C.size_t(len(found)), &answer)); err != nil {
			return nil, err
		}
		if int(answer.signals) <= len(found) {
			break
		}
		found = make([]C.robots_use_signal, answer.signals)
	}
	*out = useParts{Signals: uintptr(answer.signals), Says: Use(answer.says), Decided: uint32(answer.decided)}
	for _, s := range found[:answer.signals] {
		signals = append(signals, signalParts{
			Text: textOf(s.text), Token: textOf(s.token), Line: uint32(s.line), Source: UseSource(s.source), Says: Use(s.says),
		})
	}
	return signals, nil
}

func useReceipt(uses usesHandle, url string, purpose Purpose, page pageHandle, fetchedAt uint64) (string, error) {
	return written(func(buffer []byte, length *C.size_t) C.robots_status {
		return C.robots_use_receipt(uses, stringStart(url), C.size_t(len(url)), C.uint32_t(purpose), page, C.uint64_t(fetchedAt),
			bytesStart(buffer), C.size_t(len(buffer)), length)
	})
}

func usesFree(uses usesHandle) { C.robots_uses_free(uses) }
