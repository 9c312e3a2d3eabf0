/* mix.c - the lengths of plaintexts that come together */
#include "mix.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define SINGLE(name, bytes)                                                    \
    {                                                                          \
        name, &(const struct mix_part){ 1, bytes, bytes }, 1                   \
    }

const struct mix mix_single[] = {
    SINGLE("16B", 16),     SINGLE("100B", 100),     SINGLE("1KB", 1024),
    SINGLE("64KB", 65536), SINGLE("400KB", 409600), SINGLE("8MB", 8388608),
};
const size_t mix_singles = COUNT(mix_single);

/* Strings of words have the lengths that gen/wording.c gives them. */
static const struct mix_part page[] = {
    { 1, 312000, 452000 }, /* the scan's JPEG            */
    { 1, 1160, 1250 },     /* its text, deflated         */
    { 2, 23, 23 },         /* page: dates                */
    { 20, 36, 70 },        /* notes: five words          */
    { 20, 11, 29 },        /*        one word            */
    { 20, 23, 23 },        /*        date                */
    { 4, 37, 42 },         /* links                      */
    { 20, 6, 9 },          /* fields: name               */
    { 19, 12, 12 },        /*         font               */
    { 19, 17, 40 },        /*         value of two words */
    { 19, 11, 29 },        /*         label of one word  */
    { 1, 17, 40 },         /* structure: two words       */
    { 30, 23, 50 },        /*            three words     */
    { 1, 11, 29 },         /* records: one word          */
    { 18, 16, 16 },        /*          digest            */
    { 18, 17, 40 },        /*          two words         */
    { 18, 30, 61 },        /*          four words        */
    { 18, 23, 23 },        /*          date              */
};
#define STREAMS_OF_A_PAGE 2

const struct mix mix_archive = { "archive", page, COUNT(page) };
const struct mix mix_strings = { "strings", page + STREAMS_OF_A_PAGE,
                                 COUNT(page) - STREAMS_OF_A_PAGE };
