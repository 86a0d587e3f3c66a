// Fifty thousand nested parentheses, against the stack of the parser.
#include "contract.h"

#define P1 ((((((((((
#define P2 P1 P1 P1 P1 P1 P1 P1 P1 P1 P1
#define P3 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2
#define P4 P3 P3 P3 P3 P3 P3 P3 P3 P3 P3
int value = P4 P4 P4 P4 P4 1;
