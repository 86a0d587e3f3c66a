// A source for the target that owns the headers precompiled for mistakes.
