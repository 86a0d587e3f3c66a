#error "the emulator has no asynchronous copies (cuda_pipeline.h)"
