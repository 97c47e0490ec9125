/* check: may this crawler fetch these URLs, and which line of the robots.txt says so?
 *
 *     check FILE TOKEN [URL...]        (URLs from standard input, one a line, when none are given)
 *     cc examples/c/check.c $(pkg-config --cflags --libs librobots) -o check
 *
 * Exit status: 0 all URLs are allowed, 1 some are not, 2 something was wrong.
 *
 * The shape to copy into a crawler: one robots_crawler for the whole program, one robots_rules per
 * site, one robots_rules_check per URL. Check the status before the answer; an answer with an error
 * never allows anything, so forgetting it fails on the safe side.
 */
#include <librobots.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_ALLOWED = 0, SOME_DISALLOWED = 1, FAILED = 2 };

#define RULE_COLUMN 42 /* the width of the column that shows the deciding line */

/* Reads all of a stream; any bytes may be in it. Returns NULL with errno set when that fails. */
static char *read_all(FILE *in, size_t *len)
{
    size_t room = 1 << 16;
    char *data = malloc(room);

    for (*len = 0; data != NULL && !feof(in);) {
        *len += fread(data + *len, 1, room - *len, in);
        if (ferror(in)) {
            free(data);
            return NULL;
        }
        if (*len == room) {
            char *more = realloc(data, room *= 2);
            if (more == NULL)
                free(data);
            data = more;
        }
    }
    return data;
}

/* Cuts the next line off the front of `rest`. A line ends in LF, CR or CRLF, as robots.txt has it. */
static robots_str next_line(robots_str *rest)
{
    robots_str line = {rest->ptr, 0};
    size_t end;

    while (line.len < rest->len && line.ptr[line.len] != '\n' && line.ptr[line.len] != '\r')
        line.len++;
    end = line.len;
    if (end < rest->len && line.ptr[end] == '\r')
        end++;
    if (end < rest->len && line.ptr[end] == '\n')
        end++;
    rest->ptr += end;
    rest->len -= end;
    return line;
}

/* Line `number` of the file, counted from 1, without its comment and the white space around it. */
static robots_str line_of(robots_str file, uint32_t number)
{
    robots_str line = {file.ptr, 0};
    const char *comment;

    while (number-- > 0)
        line = next_line(&file);
    if ((comment = memchr(line.ptr, '#', line.len)) != NULL)
        line.len = (size_t)(comment - line.ptr);
    for (; line.len > 0 && (*line.ptr == ' ' || *line.ptr == '\t'); line.len--)
        line.ptr++;
    while (line.len > 0 && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\t'))
        line.len--;
    return line;
}

/* Prints text that a stranger wrote: control characters would reach the terminal, so they become `?`.
 * Returns how many characters that were, for text in UTF-8. */
static int put(robots_str text)
{
    size_t i;
    int columns = 0;

    for (i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        putchar(c < 0x20 || c == 0x7f ? '?' : c);
        columns += (c & 0xc0) != 0x80;
    }
    return columns;
}

/* Why there is no line to show. */
static const char *reason_text(robots_verdict verdict)
{
    switch (ROBOTS_VERDICT_REASON(verdict)) {
    case ROBOTS_REASON_NO_RULE: return "(no rule matches)";
    case ROBOTS_REASON_NO_GROUP: return "(no group applies)";
    case ROBOTS_REASON_ROBOTS_TXT: return "(robots.txt itself)";
    default: return robots_status_text(ROBOTS_VERDICT_STATUS(verdict));
    }
}

/* Decides one URL and prints its row. Returns one of the exit statuses. */
static int check(const robots_rules *rules, robots_str file, robots_str url)
{
    robots_verdict verdict = robots_rules_check(rules, url.ptr, url.len);
    uint32_t line = ROBOTS_VERDICT_LINE(verdict);
    const char *word = "disallowed";
    int result = SOME_DISALLOWED, width;

    if (ROBOTS_VERDICT_STATUS(verdict) != ROBOTS_OK) {
        word = "error";
        result = FAILED;
    } else if (ROBOTS_VERDICT_ALLOWED(verdict)) {
        word = "allowed";
        result = ALL_ALLOWED;
    }
    if (line != 0) {
        printf("%-10s  %4lu  ", word, (unsigned long)line);
        width = put(line_of(file, line));
    } else {
        printf("%-10s  %4s  ", word, "-");
        width = printf("%s", reason_text(verdict));
    }
    printf("%*s  ", width < RULE_COLUMN ? RULE_COLUMN - width : 0, "");
    put(url);
    putchar('\n');
    return result;
}

/* What else the file says to this crawler. */
static void print_rest(const robots_rules *rules)
{
    double delay = robots_rules_crawl_delay(rules);
    robots_str sitemap;
    size_t i;

    if (delay == delay) /* not NaN: one is given */
        printf("\ncrawl-delay  %g seconds\n", delay);
    else
        printf("\ncrawl-delay  (none)\n");
    for (i = 0; robots_rules_sitemap(rules, i, &sitemap) == ROBOTS_OK; i++) {
        printf("sitemap      ");
        put(sitemap);
        putchar('\n');
    }
}

/* Decides the URLs of the command line, or those of standard input; the worst result counts. */
static int check_all(const robots_rules *rules, robots_str file, int count, char **urls)
{
    int worst = ALL_ALLOWED, result, i;
    robots_str rest, url;
    char *input;

    printf("%-10s  %4s  %-*s  %s\n", "verdict", "line", RULE_COLUMN, "rule", "URL");
    for (i = 0; i < count; i++) {
        url.ptr = urls[i];
        url.len = strlen(urls[i]);
        result = check(rules, file, url);
        worst = result > worst ? result : worst;
    }
    if (count > 0)
        return worst;

    if ((input = read_all(stdin, &rest.len)) == NULL) {
        fprintf(stderr, "check: cannot read URLs from standard input: %s\n", strerror(errno));
        return FAILED;
    }
    rest.ptr = input;
    while (rest.len > 0) {
        url = next_line(&rest);
        if (url.len == 0)
            continue; /* an empty line is no URL */
        result = check(rules, file, url);
        worst = result > worst ? result : worst;
    }
    free(input);
    return worst;
}

int main(int argc, char **argv)
{
    int result = FAILED;
    char *text = NULL;
    robots_str file;
    robots_crawler *crawler = NULL;
    robots_rules *rules = NULL;
    robots_status status;
    FILE *in;

    if (argc < 3) {
        fprintf(stderr, "usage: check FILE TOKEN [URL...]\n"
                        "FILE is a robots.txt, TOKEN the name it knows the crawler by, such as ExampleBot.\n"
                        "Without URLs, they are read from standard input, one a line.\n");
        return FAILED;
    }
    if ((in = fopen(argv[1], "rb")) != NULL) {
        text = read_all(in, &file.len);
        fclose(in);
    }
    if ((file.ptr = text) == NULL) {
        fprintf(stderr, "check: cannot read %s: %s\n", argv[1], strerror(errno));
        return FAILED;
    }

    status = robots_crawler_new(argv[2], strlen(argv[2]), &crawler);
    if (status == ROBOTS_OK)
        status = robots_rules_parse(crawler, file.ptr, file.len, &rules);
    if (status == ROBOTS_OK) {
        result = check_all(rules, file, argc - 3, argv + 3);
        print_rest(rules);
    } else {
        fprintf(stderr, "check: cannot use the token \"%s\": %s\n", argv[2], robots_status_text(status));
    }
    robots_rules_free(rules);
    robots_crawler_free(crawler);
    free(text);
    return result;
}
