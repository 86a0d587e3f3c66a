#include "build/unreadable.h"

#include <doctest/doctest.h>

using build::without_reason;

TEST_CASE("a file that is missing and one that may not be read are told alike") {
    for (const char* message :
         {"secret.h: No such file or directory", "secret.h: Permission denied", "secret.h: Is a directory",
          "secret.h: Not a directory", "secret.h: Too many levels of symbolic links",
          "can't open secret.h for reading: No such file or directory",
          "can't open secret.h for reading: Permission denied", "file not found: secret.h",
          "'secret.h' file not found", "error reading 'secret.h': Permission denied",
          "cannot open file 'secret.h': Permission denied"}) {
        CAPTURE(message);
        CHECK(without_reason(message) == "secret.h: this file cannot be included");
    }
}

TEST_CASE("other messages stay as they are") {
    for (const char* message :
         {"expected ';' before '}' token", "‘file’ was not declared", "Permission denied",
          "'x' is not a file", "use of undeclared identifier 'No such file or directory'", ""}) {
        CAPTURE(message);
        CHECK(without_reason(message) == message);
    }
}
