#pragma once

/// Kernels whose threads meet in tiles of more threads than a warp has. Each launches a block of 128 threads,
/// waits and gives the error of waiting as an int, or -1 where the result is wrong.
namespace tiles {

/// Each thread reads what another one of its tile has written before they met.
int handed_on_in_tiles();
int handed_on_in_block_wide_tile();
/// The other thread belongs to another tile.
int handed_on_between_tiles();
/// The tile votes, which orders no memory.
int handed_on_by_votes();
/// Half of a tile stays away, and waits at a barrier of the block.
int half_of_a_tile();
int tile_larger_than_block();

} // namespace tiles
