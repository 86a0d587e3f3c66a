// More warnings than anybody reads.
#include "contract.h"

#define W0                                                                                                   \
    _Pragma("GCC warning \"a warning whose text is as long as it can be, so that very few of them fill any " \
            "pipe there is\"")
#define W1 W0 W0 W0 W0 W0 W0 W0 W0 W0 W0
#define W2 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1
#define W3 W2 W2 W2 W2 W2 W2 W2 W2 W2 W2
#define W4 W3 W3 W3 W3 W3 W3 W3 W3 W3 W3
W4 W4
