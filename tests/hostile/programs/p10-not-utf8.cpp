// not utf-8: הצü
#include "contract.h"
