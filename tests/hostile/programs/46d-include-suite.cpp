// Includes the suite by a relative path.
#include "contract.h"

#include "../../problems/token-lookup/suite.cpp"
