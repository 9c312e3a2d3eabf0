/* numbers_test.c - are the numbers in a set those that were put in? */
#include "pdf/numbers.h"

#include "check.h"

int
main(void)
{
    static const uint32_t some[] = { 0,  1,    63,     64,
                                     65, 4095, 100000, PP_OBJECT_MAX };
    enum { SOME = sizeof some / sizeof some[0] };
    struct pp_numbers s = { 0 };

    CHECK(!pp_numbers_has(&s, 0) && !pp_numbers_has(&s, UINT32_MAX), "empty");
    pp_numbers_remove(&s, 5);
    for (size_t i = 0; i < SOME; i++) {
        CHECK(pp_numbers_add(&s, some[i]) && pp_numbers_add(&s, some[i]),
              "%u twice", some[i]);
        CHECK(s.n == i + 1, "%zu numbers", s.n);
    }
    CHECK(!pp_numbers_has(&s, 2) && !pp_numbers_has(&s, PP_OBJECT_MAX - 1) &&
              !pp_numbers_has(&s, UINT32_MAX),
          "others are not in it");
    for (size_t i = 0; i < SOME; i++) {
        CHECK(pp_numbers_has(&s, some[i]), "%u", some[i]);
        pp_numbers_remove(&s, some[i]);
        pp_numbers_remove(&s, some[i]);
        CHECK(!pp_numbers_has(&s, some[i]) && s.n == SOME - i - 1,
              "%u is out, %zu left", some[i], s.n);
    }
    pp_numbers_fini(&s);
    CHECK(!pp_numbers_has(&s, 1) && s.n == 0, "empty again");
    return check_report("numbers");
}
