/* notes_test.c - are the telling warnings kept, and all of them counted? */
#include "base/notes.h"

#include <string.h>

#include "check.h"

static void
is_each_kind_kept_once(void)
{
    struct pp_notes n = { 0 };

    pp_note(NULL, PDFPIPE_W_NO_EOF, 0, 0); /* nobody wants to know */
    for (uint32_t i = 0; i < 1000; i++)
        pp_note(&n, PDFPIPE_W_XREF_SLOPPY, i, i);
    pp_note(&n, PDFPIPE_W_ODD_TOKEN, 5, 77);
    CHECK(n.count == 1001, "%u counted", n.count);
    CHECK(n.kept == 2, "%u kept", n.kept);
    CHECK(n.warning[0].code == PDFPIPE_W_XREF_SLOPPY &&
              n.warning[0].object == 0 && n.warning[0].offset == 0,
          "the first of its kind");
    CHECK(n.warning[1].code == PDFPIPE_W_ODD_TOKEN &&
              n.warning[1].object == 5 && n.warning[1].offset == 77,
          "not hidden by the others");
}

static void
is_the_room_for_them_respected(void)
{
    struct {
        struct pp_notes notes;
        unsigned char guard[64];
    } n;

    memset(&n, 0, sizeof n);
    memset(n.guard, 0xa5, sizeof n.guard);
    for (int code = 0; code < PDFPIPE_WARNING_CODES; code++)
        pp_note(&n.notes, (enum pdfpipe_warning_code)code, 1, 2);
    CHECK(n.notes.count == PDFPIPE_WARNING_CODES, "%u", n.notes.count);
    CHECK(n.notes.kept == PP_NOTES_KEPT, "%u kept", n.notes.kept);
    for (size_t i = 0; i < sizeof n.guard; i++)
        CHECK(n.guard[i] == 0xa5, "byte %zu behind", i);
    for (unsigned i = 0; i < n.notes.kept; i++)
        CHECK((n.notes.kinds >> n.notes.warning[i].code & 1) == 1, "%u", i);
}

static void
are_two_lists_joined(void)
{
    struct pp_notes a = { 0 }, b = { 0 }, none = { 0 };

    pp_note(&a, PDFPIPE_W_NO_EOF, 0, 1);
    pp_note(&b, PDFPIPE_W_BAD_HEX, 3, 4);
    pp_note(&b, PDFPIPE_W_BAD_HEX, 5, 6);
    pp_note(&b, PDFPIPE_W_NO_EOF, 0, 9);
    pp_notes_add(&a, &b);
    CHECK(a.count == 4, "%u counted", a.count);
    CHECK(a.kept == 2, "%u kept", a.kept);
    CHECK(a.warning[0].offset == 1, "the first list stays in front");
    CHECK(a.warning[1].code == PDFPIPE_W_BAD_HEX && a.warning[1].object == 3,
          "the second follows");
    pp_notes_add(&a, &none);
    CHECK(a.count == 4 && a.kept == 2, "nothing adds nothing");
    pp_notes_add(&none, &a);
    CHECK(none.count == 4 && none.kept == 2, "to an empty one");
}

int
main(void)
{
    is_each_kind_kept_once();
    is_the_room_for_them_respected();
    are_two_lists_joined();
    return check_report("notes");
}
