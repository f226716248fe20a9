// Selects literals and matches of pixels by their cost in bits.
#include "png_symbols.h"

enum {
  // How often the codes are computed anew from what was selected by the previous ones.
  rounds = 2,
  // The cost of a symbol without a code.
  unused_bits = 13,
  // The costs before there are codes: typical ones of graphics.
  first_literal_bits = 6,
  first_match_bits = 5,
};

// The costs of all symbols, with their extra bits.
struct costs {
  uint32_t literals[256], lengths[longest_match + 1], distances[distance_count];
};

static uint32_t bits_of(const struct bits *codes, int code, uint32_t first, bool has_codes) {
  return !has_codes ? first : codes[code].count > 0 ? codes[code].count : unused_bits;
}

static void count_costs(const struct nuke_png_units *units, struct costs *costs) {
  const struct nuke_png_codes *codes = &units->codes;
  for (int i = 0; i < 256; i++) {
    costs->literals[i] = bits_of(codes->literals, i, first_literal_bits, units->has_codes);
  }
  for (int length = shortest_match; length <= longest_match; length++) {
    uint32_t extra, extra_count;
    const int code = length_code(length, &extra, &extra_count);
    costs->lengths[length] = bits_of(codes->literals, code, first_match_bits, units->has_codes) + extra_count;
  }
  for (int code = 0; code < distance_count; code++) {
    const uint32_t extra_count = code < 4 ? 0 : (uint32_t)(code / 2 - 1);
    costs->distances[code] = bits_of(codes->distances, code, first_match_bits, units->has_codes) + extra_count;
  }
}

// MARK: - Matches

// Adds a match if it is longer than the last one. Of too many, the shortest is dropped.
static inline void note(struct nuke_png_match *matches, int *count, size_t length, size_t distance, size_t *longest) {
  if (length <= *longest || length < shortest_match) return;
  *longest = length;
  if (*count == most_matches) {
    memmove(matches, matches + 1, sizeof *matches * (most_matches - 1));
    --*count;
  }
  matches[(*count)++] = (struct nuke_png_match){.length = (uint16_t)length, .distance = (uint16_t)distance};
}

// Finds matches of whole pixels for the one at `i`, of at most `most` bytes. Returns the length of the longest one.
static size_t find_matches(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, const uint8_t *bytes, size_t i, size_t most,
  bool has_hash, struct nuke_png_match *matches) {
  const size_t step = search->step, stride = search->stride;
  size_t longest = 0;
  int count = 0;
  if (i >= step) {
    const size_t equal = equal_bytes(bytes, i, i - step, most);
    note(matches, &count, equal - equal % step, step, &longest);
  }
  if (i >= stride && stride <= window) {
    const size_t equal = equal_bytes(bytes, i, i - stride, most);
    note(matches, &count, equal - equal % step, stride, &longest);
  }
  if (has_hash) {
    uint32_t *positions = earlier(symbols, search, bytes + i);
    uint32_t next = (uint32_t)i;
    for (uint32_t k = 0; k < search->candidates; k++) {
      const uint32_t position = positions[k], back = (uint32_t)i - position;
      positions[k] = next;
      next = position;
      if (back - 1 >= window || back > i) break;
      if (longest >= most || bytes[i - back + longest] != bytes[i + longest]) continue;
      const size_t equal = equal_bytes(bytes, i, i - back, most);
      note(matches, &count, equal - equal % step, back, &longest);
    }
  }
  matches[count].length = 0;
  return longest;
}

// Collects units from `start`, with their matches. No match crosses the end of a row.
static void collect(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, const uint8_t *bytes, size_t start, size_t count) {
  struct nuke_png_units *units = &symbols->units;
  const size_t step = search->step;
  size_t i = start, column = start % search->stride, next_searched = start, number = 0;
  for (; i < count && number < most_units; number++) {
    units->positions[number] = i;
    struct nuke_png_match *matches = units->matches[number];
    matches[0].length = 0;
    if (column > 0 && i >= next_searched) {
      const size_t rest = search->stride - column, most = rest < longest_match ? rest : longest_match - longest_match % step;
      const size_t longest = find_matches(symbols, search, bytes, i, most, count - i >= 8, matches);
      // The pixels of a long match need none of their own.
      if (longest >= search->nice_length) next_searched = i + longest;
    }
    const size_t length = column > 0 ? step : 1;
    i += length;
    column += length;
    if (column == search->stride) column = 0;
  }
  units->positions[number] = i;
  units->count = number;
  units->next = 0;
}

// MARK: - Selecting

// Selects, from the last unit to the first, what represents it and all that follow in the fewest bits.
static void select_units(struct nuke_png_units *units, const nuke_png_search *search, const uint8_t *bytes) {
  struct costs costs;
  count_costs(units, &costs);
  const size_t step = search->step;
  units->bits[units->count] = 0;
  for (size_t unit = units->count; unit-- > 0;) {
    uint32_t least = units->bits[unit + 1];
    for (size_t i = units->positions[unit]; i < units->positions[unit + 1]; i++) least += costs.literals[bytes[i]];
    struct nuke_png_match choice = {0};
    const size_t most = (units->count - unit) * step;
    size_t length = (shortest_match + step - 1) / step * step;
    for (const struct nuke_png_match *match = units->matches[unit]; match->length > 0; match++) {
      uint32_t extra, extra_count;
      const uint32_t distance = costs.distances[distance_code(match->distance, &extra, &extra_count)];
      const size_t last = match->length < most ? match->length : most;
      if (match->length >= search->nice_length) length = last;
      for (; length <= last; length += step) {
        const uint32_t sum = costs.lengths[length] + distance + units->bits[unit + length / step];
        if (sum >= least) continue;
        least = sum;
        choice = (struct nuke_png_match){.length = (uint16_t)length, .distance = match->distance};
      }
    }
    units->bits[unit] = least;
    units->choices[unit] = choice;
  }
}

// Computes the codes of what was selected.
static void make_codes(struct nuke_png_units *units, const nuke_png_search *search, const uint8_t *bytes) {
  uint32_t literals[literal_count] = {[end_of_block] = 1}, distances[distance_count] = {0};
  for (size_t unit = 0; unit < units->count;) {
    const struct nuke_png_match match = units->choices[unit];
    if (match.length > 0) {
      uint32_t extra, extra_count;
      literals[length_code(match.length, &extra, &extra_count)]++;
      distances[distance_code(match.distance, &extra, &extra_count)]++;
      unit += match.length / search->step;
    } else {
      for (size_t i = units->positions[unit]; i < units->positions[unit + 1]; i++) literals[bytes[i]]++;
      unit++;
    }
  }
  nuke_png_make_codes(&units->codes, literals, distances);
  units->has_codes = true;
}

size_t nuke_png_select_pixels(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, const uint8_t *bytes, size_t start, size_t count) {
  struct nuke_png_units *units = &symbols->units;
  if (start == 0) {
    forget(symbols, search);
    units->has_codes = false;
    units->next = units->count = 0;
  }
  if (units->next == units->count) {
    collect(symbols, search, bytes, start, count);
    for (int round = 0; round < rounds; round++) {
      select_units(units, search, bytes);
      if (round + 1 < rounds) make_codes(units, search, bytes);
    }
    make_codes(units, search, bytes);
  }
  while (units->next < units->count && symbols->count < block_symbols) {
    const size_t unit = units->next;
    const struct nuke_png_match match = units->choices[unit];
    if (match.length > 0) {
      add_match(symbols, match.length, match.distance);
      units->next += match.length / search->step;
    } else {
      for (size_t i = units->positions[unit]; i < units->positions[unit + 1]; i++) add_literal(symbols, bytes[i]);
      units->next++;
    }
  }
  return units->positions[units->next];
}
