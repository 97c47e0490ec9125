//! The numbers that programs are compiled with: part of the ABI, so they are never changed.

use robots::api::{ENUMS, Enum};

/// Each enum of C without `robots_`, and its values without the prefix of the enum or `ROBOTS_`. A value without a number is one
/// more than the last.
const NUMBERS: &str = "
status_code: OK=0 ARG TOKEN URL MEMORY PANIC IMAGE IMAGE_FORMAT SCHEME STATE END=64 SPACE FILE TIME
option: DIALECT=1 MAX_BYTES IGNORE_STAR MERGE_TOKENS CRAWL_DELAY_ENDS_AGENTS LINT_ALL
dialect: RFC9309=0 GOOGLE KOSTER1996
reason: NONE=0 RULE_ALLOWED RULE_DISALLOWED NO_RULE NO_GROUP ROBOTS_TXT ALLOW_ALL DISALLOW_ALL DEFER UNREACHABLE
batch_result: DISALLOWED=0 ALLOWED BAD_URL
fetch_option: MAX_REDIRECTS=16 ON_FORBIDDEN ON_TOO_MANY_REQUESTS ON_SERVER_ERROR ON_UNREACHABLE
    SERVER_ERROR_IS_MISSING DEFAULT_TTL MIN_TTL MAX_TTL FAILURE_TTL MAX_RETRY_AFTER UNREACHABLE_TTL
    MISSING_KEEPS_COPY MISSING_TTL ON_BAD_REDIRECT NON_GLOBAL_REDIRECTS UNREACHABLE_OVERRIDES_COPY ON_HTML
step: GET=0 HEADERS BODY DONE
failure: NONE=0 DNS CONNECT TLS TIMEOUT RESET TRUNCATED OTHER ENCODED_BODY
outcome_kind: RULES=0 ALLOW_ALL DISALLOW_ALL DEFER UNREACHABLE
cause: FOUND=1 NOT_MODIFIED MISSING FORBIDDEN TOO_MANY_REQUESTS SERVER_ERROR ODD_STATUS TOO_MANY_REDIRECTS
    REDIRECT_LOOP BAD_REDIRECT DNS CONNECT TLS TIMEOUT RESET TRUNCATED OTHER_FAILURE UNREACHABLE_LONG
    PARTIAL_CONTENT SHORT_BODY ENCODED_BODY REDIRECT_NOT_FOLLOWED NON_GLOBAL_REDIRECT HTML
cache_action: DECIDED=0 FETCH WAIT DEFER
cache_option: TICKET_TTL_MS=1 DEFAULT_DELAY_MS MAX_DELAY_MS HORIZON_MS
extension_field: REQUEST_RATE=0 VISIT_TIME HOST CLEAN_PARAM NOINDEX CONTENT_SIGNAL CONTENT_USAGE LICENSE
vocabulary: CONTENT_USAGE=0 CONTENT_SIGNAL
choice: NO=0 YES UNKNOWN
control: INDEX=0 FOLLOW ARCHIVE SNIPPET TRANSLATE IMAGE_INDEX INDEX_IF_EMBEDDED MAX_SNIPPET MAX_IMAGE_PREVIEW
    MAX_VIDEO_PREVIEW UNAVAILABLE_AFTER
page_source: NONE=0 X_ROBOTS_TAG ROBOTS_TAG META
zone: KNOWN=0 MISSING UNKNOWN
match_result: WON=0 SHORTER TIE_LOST_TO_ALLOW LATER_EQUAL AFTER_FIRST_MATCH EMPTY
lint_severity: NOTE=1 WARNING ERROR
lint_fix: NONE=0 UNSAFE SAFE
line_kind: BLANK=0 COMMENT USER_AGENT ALLOW DISALLOW SITEMAP CRAWL_DELAY EXTENSION UNKNOWN NOT_UNDERSTOOD
difference_code: NOT_DECIDED=0 NONE FOUND
";

fn numbers(one: &Enum) -> String {
    let mut text = one.name.replacen("robots_", "", 1) + ":";
    let mut next = None;
    for value in one.values {
        let name = value.name.strip_prefix(one.prefix);
        text += " ";
        text += name.or(value.name.strip_prefix("ROBOTS_")).unwrap();
        if next != Some(value.number) {
            text += &format!("={}", value.number);
        }
        next = Some(value.number + 1);
    }
    text
}

#[test]
fn numbers_are_never_changed() {
    let now = ENUMS.map(numbers).join(" ");
    let now: Vec<_> = now.split_whitespace().collect();
    let pinned: Vec<_> = NUMBERS.split_whitespace().collect();
    assert_eq!(now, pinned, "an added value is added to NUMBERS");
}
