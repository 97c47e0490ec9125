/* The C side of the Go tests: decides with the handles of the C API, and reads images that Go made.
 *
 * Standard input, until it ends: a line "DIALECT OPTION BODY TOKEN URL IMAGE\n" of decimal numbers (a dialect; an option
 * to set to 1, or 0; four lengths), then the bytes of the body, the token, the URL and an image, which may be empty.
 * Standard output, for each: a line "STATUS VERDICT LENGTH IMAGE_STATUS IMAGE_VERDICT\n", then the LENGTH bytes of the
 * rules' image. STATUS is that of the crawler and the rules; IMAGE_STATUS and IMAGE_VERDICT are those of the image. */
#include <librobots.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_bytes(size_t len)
{
    char *start = malloc(len + 1);
    if (start == NULL || fread(start, 1, len, stdin) != len)
        exit(1);
    return start;
}

int main(void)
{
    uint32_t dialect, option;
    size_t body_len, token_len, url_len, image_len;

    while (scanf("%" SCNu32 " %" SCNu32 " %zu %zu %zu %zu", &dialect, &option, &body_len, &token_len, &url_len,
                 &image_len) == 6 && getchar() == '\n') {
        char *body = read_bytes(body_len), *token = read_bytes(token_len), *url = read_bytes(url_len);
        char *image = read_bytes(image_len);
        robots_crawler *crawler = NULL;
        robots_rules *rules = NULL, *loaded = NULL;
        robots_status image_status;
        robots_str made;
        robots_status status = robots_crawler_new("*", 1, &crawler);

        if (status == ROBOTS_OK)
            status = robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, dialect);
        if (status == ROBOTS_OK && option != 0)
            status = robots_crawler_set(crawler, option, 1);
        /* The dialect defines which tokens are valid. */
        if (status == ROBOTS_OK && !(token_len == 1 && token[0] == '*'))
            status = robots_crawler_add_token(crawler, token, token_len);
        if (status == ROBOTS_OK)
            status = robots_rules_parse(crawler, body, body_len, &rules);
        image_status = robots_rules_from_image(image, image_len, &loaded);
        made = robots_rules_image(rules);
        printf("%" PRId32 " %" PRIu64 " %zu %" PRId32 " %" PRIu64 "\n", status,
               robots_rules_check(rules, url, url_len).bits, made.len, image_status,
               robots_rules_check(loaded, url, url_len).bits);
        fwrite(made.ptr, 1, made.len, stdout);
        fflush(stdout);
        robots_rules_free(loaded);
        robots_rules_free(rules);
        robots_crawler_free(crawler);
        free(image);
        free(url);
        free(token);
        free(body);
    }
    return 0;
}
