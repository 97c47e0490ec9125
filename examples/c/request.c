/* request: see request.h. */
#include "request.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static CURLM *multi;
static const char *user_agent;
static long most_seconds;
static int running;

void requests_begin(const char *name, long seconds)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        need(NULL);
    multi = need(curl_multi_init());
    user_agent = name;
    most_seconds = seconds;
}

int requests_running(void)
{
    return running;
}

static size_t on_header(char *line, size_t one, size_t len, void *user)
{
    site *at = user;
    size_t name = 0, end = len;
    long status = 0;

    (void)one;
    while (end > 0 && (line[end - 1] == '\n' || line[end - 1] == '\r'))
        end--;
    while (name < end && line[name] != ':')
        name++;
    if (at->fetch == NULL) { /* of a page; after an error its controls permit nothing */
        if (name < end)
            robots_page_controls_add_header(at->controls, line, name, line + name + 1, end - name - 1);
    } else if (at->has_headers) {
        return len; /* after the body */
    } else if (end >= 5 && memcmp(line, "HTTP/", 5) == 0) {
        curl_easy_getinfo(at->request, CURLINFO_RESPONSE_CODE, &status);
        if (status / 100 != 1) /* else another response follows */
            robots_fetch_report_status(at->fetch, (uint32_t)status, UINT64_C(1000) * (uint64_t)time(NULL));
    } else if (robots_fetch_step(at->fetch) == ROBOTS_STEP_HEADERS) {
        if (end == 0) {
            robots_fetch_report_headers_end(at->fetch);
            at->has_headers = 1;
        } else if (name < end) {
            robots_fetch_report_header(at->fetch, line, name, line + name + 1, end - name - 1);
        }
    }
    return len;
}

/* Returning less than `len` ends the transfer. */
static size_t on_body(char *data, size_t one, size_t len, void *user)
{
    site *at = user;
    size_t room = MAX_PAGE - at->len;

    (void)one;
    if (at->fetch != NULL) /* it has enough at the size limit, and wants no body of a redirect */
        return at->has_headers && robots_fetch_step(at->fetch) == ROBOTS_STEP_BODY
               && robots_fetch_report_body(at->fetch, data, len) == ROBOTS_OK ? len : 0;
    room = len < room ? len : room;
    at->body = need(realloc(at->body, at->len + room + 1));
    memcpy(at->body + at->len, data, room);
    at->len += room;
    at->body[at->len] = '\0';
    return room;
}

void request_start(site *at, const char *url)
{
    CURL *request = need(curl_easy_init());

    /* Redirects are not followed: where they lead is asked about first. */
    if (curl_easy_setopt(request, CURLOPT_URL, url) != CURLE_OK
        || curl_easy_setopt(request, CURLOPT_USERAGENT, user_agent) != CURLE_OK
        || curl_easy_setopt(request, CURLOPT_ACCEPT_ENCODING, at->fetch != NULL ? "identity" : "") != CURLE_OK)
        need(NULL);
    /* The fetch sees whether a robots.txt is whole, curl does not. */
    curl_easy_setopt(request, CURLOPT_HTTP_CONTENT_DECODING, (long)(at->fetch == NULL));
    curl_easy_setopt(request, CURLOPT_HTTPHEADER, at->headers);
    curl_easy_setopt(request, CURLOPT_TIMEOUT, most_seconds);
    curl_easy_setopt(request, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(request, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(request, CURLOPT_HEADERDATA, at);
    curl_easy_setopt(request, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(request, CURLOPT_WRITEDATA, at);
    curl_easy_setopt(request, CURLOPT_PRIVATE, at);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(request, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(request, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    if (curl_multi_add_handle(multi, request) != CURLM_OK)
        need(NULL);
    at->request = request;
    running++;
}

void request_end(site *at)
{
    if (at->request != NULL) {
        curl_multi_remove_handle(multi, at->request);
        curl_easy_cleanup(at->request);
        at->request = NULL;
        running--;
    }
    curl_slist_free_all(at->headers);
    at->headers = NULL;
}

uint32_t request_failure(CURLcode code)
{
    switch (code) {
    case CURLE_OK: return ROBOTS_FAILURE_NONE;
    case CURLE_COULDNT_RESOLVE_HOST: return ROBOTS_FAILURE_DNS;
    case CURLE_COULDNT_CONNECT: return ROBOTS_FAILURE_CONNECT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION: return ROBOTS_FAILURE_TLS;
    case CURLE_OPERATION_TIMEDOUT: return ROBOTS_FAILURE_TIMEOUT;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return ROBOTS_FAILURE_RESET;
    case CURLE_PARTIAL_FILE: return ROBOTS_FAILURE_TRUNCATED;
    case CURLE_BAD_CONTENT_ENCODING: return ROBOTS_FAILURE_ENCODED_BODY;
    default: return ROBOTS_FAILURE_OTHER;
    }
}

void requests_await(double wait, void (*ended)(site *at, CURL *request, CURLcode code))
{
    CURLMsg *message;
    char *private;
    int ignored;

    curl_multi_perform(multi, &ignored);
    while ((message = curl_multi_info_read(multi, &ignored)) != NULL) {
        private = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
        ended((site *)(void *)private, message->easy_handle, message->data.result);
        wait = 0;
    }
    curl_multi_poll(multi, NULL, 0, wait < 0 ? 0 : wait < 1 ? (int)(wait * 1000) + (wait > 0) : 1000, NULL);
}

void requests_end(void)
{
    curl_multi_cleanup(multi);
    curl_global_cleanup();
}
