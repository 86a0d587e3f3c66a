// Includes itself, twice each time.
#include __FILE__
#include __FILE__
