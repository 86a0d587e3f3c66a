// nvcc: legal
// told: no Thrust
#include <thrust/sort.h>
