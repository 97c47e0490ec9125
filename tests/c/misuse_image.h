/* The rows of the misuse table for images; a part of test_misuse.c. */
#ifndef ROBOTS_TESTS_MISUSE_IMAGE_H
#define ROBOTS_TESTS_MISUSE_IMAGE_H

/* What is no image: nothing, too little, text, zeros, an image that is cut, and one with bytes after it. */
typedef struct {
    const char *bytes;
    size_t len;
    robots_status status;
} no_image;

enum { NO_IMAGES = 11 };

static const no_image *no_images(void)
{
    static const char zeros[64], magic[] = "rbts";
    static no_image rows[NO_IMAGES];
    no_image all[NO_IMAGES] = {
        {NULL, 0, ROBOTS_E_IMAGE},
        {NULL, 1, ROBOTS_E_ARG},
        {NULL, SIZE_MAX, ROBOTS_E_ARG},
        {zeros, 0, ROBOTS_E_IMAGE},
        {zeros, 1, ROBOTS_E_IMAGE},
        {zeros, sizeof zeros, ROBOTS_E_IMAGE},
        {magic, 4, ROBOTS_E_IMAGE},
        {BODY, sizeof BODY - 1, ROBOTS_E_IMAGE},
        {BODY, SIZE_MAX, ROBOTS_E_ARG},
        {NULL, 0, ROBOTS_E_IMAGE},
        {NULL, 0, ROBOTS_E_IMAGE},
    };

    all[9].bytes = image.ptr; /* cut by one */
    all[9].len = image.len - 1;
    all[10].bytes = image.ptr; /* its header alone, or less */
    all[10].len = 8;
    memcpy(rows, all, sizeof rows);
    return rows;
}

static void rules_from_image(void)
{
    const no_image *row = no_images();
    int i;

    for (i = 0; i < NO_IMAGES; i++) {
        robots_rules *made = UNTOUCHED;

        CHECK_INT(robots_rules_from_image(row[i].bytes, row[i].len, &made), row[i].status);
        CHECK(made == NULL);
        CHECK_INT(robots_rules_from_image(row[i].bytes, row[i].len, NULL), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_rules_from_image(image.ptr, image.len, NULL), ROBOTS_E_ARG);
}

static void rules_borrow_image(void)
{
    const no_image *row = no_images();
    int i;

    for (i = 0; i < NO_IMAGES; i++) {
        robots_rules *made = UNTOUCHED;

        CHECK_INT(robots_rules_borrow_image(row[i].bytes, row[i].len, &made), row[i].status);
        CHECK(made == NULL);
        CHECK_INT(robots_rules_borrow_image(row[i].bytes, row[i].len, NULL), ROBOTS_E_ARG);
    }
    CHECK_INT(robots_rules_borrow_image(image.ptr, image.len, NULL), ROBOTS_E_ARG);
}

static void image_validate(void)
{
    const no_image *row = no_images();
    int i;

    for (i = 0; i < NO_IMAGES; i++)
        CHECK_INT(robots_image_validate(row[i].bytes, row[i].len), row[i].status);
}

static void image_check(void)
{
    const no_image *row = no_images();
    int i;

    for (i = 0; i < NO_IMAGES; i++) {
        CHECK(refused(robots_image_check(row[i].bytes, row[i].len, "/x", 2), row[i].status));
        CHECK(!ROBOTS_VERDICT_ALLOWED(robots_image_check(row[i].bytes, row[i].len, NULL, 0)));
        CHECK(!ROBOTS_VERDICT_ALLOWED(robots_image_check(row[i].bytes, row[i].len, NULL, SIZE_MAX)));
    }
    CHECK(refused(robots_image_check(image.ptr, image.len, NULL, 1), ROBOTS_E_ARG));
    CHECK(refused(robots_image_check(image.ptr, image.len, "/x", SIZE_MAX), ROBOTS_E_ARG));
    CHECK(refused(robots_image_check(image.ptr, image.len, "/x", 0), ROBOTS_E_URL));
    CHECK(ROBOTS_VERDICT_ALLOWED(robots_image_check(image.ptr, image.len, "/x", 2)));
}

#endif
