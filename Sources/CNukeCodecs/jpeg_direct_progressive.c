#include "jpeg_direct.h"

#include <stdlib.h>

// A progressive image consists of about ten scans, each of which covers the whole image. As the whole file is
// available, the scans are decoded in parallel: one row of MCUs of every scan, then the next row. So only one row of
// coefficients is in memory. Scans whose coefficients are not needed at the reduced size are skipped.

enum { MaximumScans = 64 };

typedef struct {
  JPEGCodes codes;
  // Unused for DC tables.
  JPEGEntry entries[JPEGEntryCount];
} Table;

typedef struct {
  JPEGScan header;
  unsigned restart_interval;

  unsigned restarts, left;
  int predictions[3];
  // The remaining length of the end-of-band run, in blocks (EOBRUN in T.81).
  unsigned end_run;
  // The table of the component; in a DC scan, that of each component.
  Table *tables[3];
  JPEGBits bits;
} ScanReader;

typedef struct {
  // The size of the component in blocks, which is what its non-interleaved scans contain.
  unsigned blocks_across, blocks_down;
  // The lowest bit of each coefficient that the scans so far contain; -1 for none.
  int8_t low_bits[64];
  // For each block of the row, a bit mask of its nonzero coefficients in zigzag order.
  uint64_t *set;
} Component;

typedef struct {
  const JPEGHeaders *headers;
  JPEGPixels *pixels;
  Component components[3];
  unsigned reader_count;
  ScanReader *readers[MaximumScans];
  unsigned table_count;
  Table *tables[MaximumScans * 3];
} Progressive;

// MARK: Which scans there are

static unsigned divided(unsigned a, unsigned b) { return (a + b - 1) / b; }

// Returns the offset of the next marker that ends the scan: any but a restart marker.
static size_t end_of_scan(const JPEGHeaders *headers, size_t offset) {
  while (offset < headers->size) {
    const uint8_t *stop = memchr(headers->data + offset, 0xFF, headers->size - offset);
    if (!stop) break;
    offset = (size_t)(stop - headers->data);
    if (offset + 1 >= headers->size) break;
    const uint8_t next = stop[1];
    if (next != 0 && next != 0xFF && (next < 0xD0 || next > 0xD7)) return offset;
    offset += next == 0xFF ? 1 : 2;
  }
  return headers->size;
}

// Returns true if the successive approximation of a scan continues that of the scans before (T.81, G.1.1.1).
static bool is_in_order(Progressive *all, const JPEGScan *scan) {
  const bool is_dc = scan->first == 0;
  if (is_dc ? scan->last != 0 : scan->count != 1 || scan->first > scan->last || scan->last > 63) return false;
  if (scan->low_bit > 13 || (scan->high_bit != 0 && scan->high_bit != scan->low_bit + 1)) return false;
  for (unsigned i = 0; i < scan->count; i++) {
    int8_t *low_bits = all->components[scan->component[i]].low_bits;
    if (!is_dc && low_bits[0] < 0) return false;
    for (unsigned k = scan->first; k <= scan->last; k++) {
      if (scan->high_bit == 0 ? low_bits[k] >= 0 : low_bits[k] != scan->high_bit) return false;
      low_bits[k] = (int8_t)scan->low_bit;
    }
  }
  return true;
}

// Returns the lookup table for a DHT segment. Scans that use the same segment share it.
static Table *table_for(
  Progressive *all, const uint8_t *content, bool is_dc, const uint8_t **contents, bool *kinds) {
  if (!content) return NULL;
  for (unsigned i = 0; i < all->table_count; i++) {
    if (contents[i] == content && kinds[i] == is_dc) return all->tables[i];
  }
  Table *table = malloc(sizeof *table);
  if (!table) return NULL;
  contents[all->table_count] = content;
  kinds[all->table_count] = is_dc;
  all->tables[all->table_count++] = table;
  if (!nuke_jpeg_make_codes(&table->codes, content, is_dc)) return NULL;
  if (!is_dc) nuke_jpeg_make_ac_entries(table->entries, &table->codes, true);
  return table;
}

static bool gather(Progressive *all, JPEGHeaders *headers, JPEGScan *scan, unsigned limit) {
  const uint8_t *contents[MaximumScans * 3];
  bool kinds[MaximumScans * 3];
  unsigned count = 0;
  JPEGMarker marker = JPEGMarkerScan;
  for (; marker == JPEGMarkerScan; marker = nuke_jpeg_next_scan(headers, scan)) {
    if (++count > limit || count > MaximumScans || !is_in_order(all, scan)) return false;
    const bool is_dc = scan->first == 0;
    for (unsigned i = 0; i < scan->count; i++) {
      const unsigned component = scan->component[i], quantization = headers->components[component].quantization;
      if (!is_dc || scan->high_bit != 0) continue;
      if (!headers->has_steps[quantization]) return false;
      nuke_jpeg_set_steps(all->pixels, component, headers->steps[quantization]);
    }
    headers->offset = end_of_scan(headers, scan->start);
    // At one sample a block, only the DC coefficient is needed.
    const bool is_read = is_dc || nuke_jpeg_target(all->pixels, scan->component[0])->size > 1;
    if (!is_read) continue;
    ScanReader *reader = malloc(sizeof *reader);
    if (!reader) return false;
    all->readers[all->reader_count++] = reader;
    reader->header = *scan;
    reader->restart_interval = reader->left = headers->restart_interval;
    reader->restarts = reader->end_run = 0;
    memset(reader->predictions, 0, sizeof reader->predictions);
    for (unsigned i = 0; i < scan->count && (!is_dc || scan->high_bit == 0); i++) {
      const uint8_t *content = is_dc ? headers->dc_codes[scan->dc_table[i]] : headers->ac_codes[scan->ac_table[i]];
      reader->tables[i] = table_for(all, content, is_dc, contents, kinds);
      if (!reader->tables[i]) return false;
    }
    nuke_jpeg_start_bits(&reader->bits, headers->data + scan->start, headers->data + headers->offset);
  }
  for (unsigned i = 0; i < headers->component_count; i++) {
    if (all->components[i].low_bits[0] < 0) return false;
  }
  return marker == JPEGMarkerEnd;
}

// MARK: Reading

NUKE_INLINE JPEGCursor cursor_of(const ScanReader *reader) {
  return (JPEGCursor){reader->bits.bits, reader->bits.count, reader->bits.next};
}

NUKE_INLINE void keep(ScanReader *reader, JPEGCursor cursor) {
  reader->bits.bits = cursor.bits;
  reader->bits.count = cursor.count & 63;
  reader->bits.next = cursor.next;
}

// Fills the window and reads the restart marker, as needed before each MCU.
NUKE_INLINE bool prepare(ScanReader *reader, JPEGCursor *cursor) {
  if (NUKE_UNLIKELY(cursor->next > reader->bits.limit)) {
    keep(reader, *cursor);
    if (!nuke_jpeg_more(&reader->bits)) return false;
    *cursor = cursor_of(reader);
  }
  if (reader->restart_interval == 0) return true;
  if (reader->left == 0) {
    keep(reader, *cursor);
    if (!nuke_jpeg_restart(&reader->bits, reader->restarts++ & 7)) return false;
    *cursor = cursor_of(reader);
    memset(reader->predictions, 0, sizeof reader->predictions);
    reader->end_run = 0;
    reader->left = reader->restart_interval;
  }
  reader->left--;
  return true;
}

// Reads the DC coefficient in its first scan, or one more bit of it in a later scan.
NUKE_INLINE bool read_dc(ScanReader *reader, JPEGCursor *cursor, unsigned i, int16_t *target) {
  jpeg_refill(cursor);
  if (reader->header.high_bit != 0) {
    *target |= (int16_t)((cursor->bits >> 63) << reader->header.low_bit);
    jpeg_drop(cursor, 1);
    return true;
  }
  const int size = jpeg_symbol(cursor, &reader->tables[i]->codes);
  if (size < 0) return false;
  const int dc = reader->predictions[i] + jpeg_number(cursor, (unsigned)size);
  reader->predictions[i] = dc;
  const int scaled = dc * (1 << reader->header.low_bit);
  *target = (int16_t)scaled;
  return dc >= -32768 && dc <= 32767 && scaled >= -32768 && scaled <= 32767;
}

static bool read_dc_row(Progressive *all, ScanReader *reader, unsigned row) {
  const JPEGScan *scan = &reader->header;
  JPEGCursor cursor = cursor_of(reader);
  if (scan->count == 1) {
    // A non-interleaved scan contains the component's blocks row by row (T.81, A.2.2).
    const JPEGTarget *target = nuke_jpeg_target(all->pixels, scan->component[0]);
    const Component *component = &all->components[scan->component[0]];
    const size_t size = target->size == 1 ? 1 : 64;
    for (unsigned y = 0; y < target->down && row * target->down + y < component->blocks_down; y++) {
      int16_t *coefficients = target->coefficients + (size_t)y * target->row_blocks * size;
      for (unsigned x = 0; x < component->blocks_across; x++) {
        if (!prepare(reader, &cursor) || !read_dc(reader, &cursor, 0, coefficients + x * size)) return false;
      }
    }
  } else {
    const unsigned across = nuke_jpeg_units_across(all->pixels);
    for (unsigned unit = 0; unit < across; unit++) {
      if (!prepare(reader, &cursor)) return false;
      for (unsigned i = 0; i < scan->count; i++) {
        const JPEGTarget *target = nuke_jpeg_target(all->pixels, scan->component[i]);
        const size_t size = target->size == 1 ? 1 : 64;
        for (unsigned y = 0; y < target->down; y++) {
          int16_t *coefficients =
            target->coefficients + ((size_t)y * target->row_blocks + unit * target->across) * size;
          for (unsigned x = 0; x < target->across; x++) {
            if (!read_dc(reader, &cursor, i, coefficients + x * size)) return false;
          }
        }
      }
    }
  }
  keep(reader, cursor);
  return true;
}

// Returns the length of an end-of-band run in blocks, including this one (T.81, table G.1).
NUKE_INLINE unsigned end_run_of(JPEGCursor *cursor, int symbol) {
  const unsigned size = (unsigned)symbol >> 4;
  unsigned run = 1u << size;
  if (size > 0) {
    run += (unsigned)(cursor->bits >> (64 - size));
    jpeg_drop(cursor, size);
  }
  return run;
}

// Reads the first scan of a block's AC coefficients (T.81, G.1.2.2).
NUKE_INLINE bool read_first(ScanReader *reader, JPEGCursor *state, int16_t *block, uint64_t *set) {
  const Table *table = reader->tables[0];
  const unsigned last = reader->header.last, low_bit = reader->header.low_bit;
  JPEGCursor cursor = *state;
  unsigned k = reader->header.first - 1u;
  uint64_t found = 0;
  while (true) {
    jpeg_refill(&cursor);
    const JPEGEntry entry = table->entries[cursor.bits >> (64 - JPEGEntryBits)];
    const unsigned advance = entry >> JPEGEntryAdvance & 127;
    // Near the last coefficient of the band, which no end-of-band code follows, codes are decoded one by one.
    if (NUKE_LIKELY(k + advance < last)) {
      jpeg_drop_entry(&cursor, entry);
      k += advance;
      // No branch on the value, which would be mispredicted for many an end-of-band code.
      const int value = (int32_t)entry >> JPEGEntryValue;
      block[nuke_jpeg_natural_order[k]] = (int16_t)(value * (1 << low_bit));
      found |= (uint64_t)(value != 0) << k;
      if (entry & JPEGEntryLeaves) break;
      continue;
    }
    const int symbol = jpeg_symbol(&cursor, &table->codes);
    if (symbol < 0) return false;
    if ((symbol & 15) == 0 && symbol != 0xF0) {
      reader->end_run = end_run_of(&cursor, symbol) - 1;
      break;
    }
    k += (unsigned)(symbol >> 4) + 1;
    const int value = jpeg_number(&cursor, symbol & 15);
    if (k > last) return false;
    if (value) {
      block[nuke_jpeg_natural_order[k]] = (int16_t)(value * (1 << low_bit));
      found |= 1ull << k;
    }
    if (k == last) break;
  }
  *set |= found;
  *state = cursor;
  return true;
}

// Reads a correction bit for each nonzero coefficient in `which`. The bits are not branched on: half of such branches
// would be mispredicted.
NUKE_INLINE void correct(JPEGCursor *cursor, int16_t *block, uint64_t which, int bit) {
  while (which) {
    jpeg_refill(cursor);
    for (unsigned i = 0; i < 48 && which; i++, which &= which - 1) {
      int16_t *coefficient = &block[nuke_jpeg_natural_order[__builtin_ctzll(which)]];
      const int added = bit & -(int)(cursor->bits >> 63), sign = *coefficient >> 15;
      *coefficient = (int16_t)(*coefficient + (added ^ sign) - sign);
      jpeg_drop(cursor, 1);
    }
  }
}

// Returns the position of zero coefficient number `run` among those in `free`; 64 if there are fewer.
typedef unsigned (*ZeroNumber)(uint64_t free, unsigned run);

static unsigned zero_number_plain(uint64_t free, unsigned run) {
  while (run-- > 0 && free) free &= free - 1;
  return free ? (unsigned)__builtin_ctzll(free) : 64;
}

#if defined(__x86_64__)
// Without the loop, whose end is mispredicted for most symbols.
__attribute__((target("bmi,bmi2"))) static unsigned zero_number_bmi2(uint64_t free, unsigned run) {
  const uint64_t found = __builtin_ia32_pdep_di(1ull << run, free);
  return found ? (unsigned)__builtin_ctzll(found) : 64;
}
#endif

// Reads a refinement scan of a block's AC coefficients: correction bits, and new coefficients (T.81, G.1.2.3).
NUKE_INLINE bool read_more(
  ScanReader *reader, JPEGCursor *state, int16_t *block, uint64_t *set, ZeroNumber zero_number) {
  const Table *table = reader->tables[0];
  const unsigned last = reader->header.last;
  const int bit = 1 << reader->header.low_bit;
  JPEGCursor cursor = *state;
  // The coefficients that have not been passed yet.
  uint64_t left = (last == 63 ? ~0ull : (1ull << (last + 1)) - 1) & ~0ull << reader->header.first;
  const uint64_t before = *set;
  uint64_t found = 0;
  if (reader->end_run == 0) {
    do {
      jpeg_refill(&cursor);
      const int symbol = jpeg_symbol(&cursor, &table->codes);
      if (symbol < 0) return false;
      const unsigned run = (unsigned)symbol >> 4, size = symbol & 15;
      int value = 0;
      if (size == 0) {
        if (run != 15) {
          reader->end_run = end_run_of(&cursor, symbol);
          break;
        }
      } else {
        if (size != 1) return false;
        value = cursor.bits >> 63 ? bit : -bit;
        jpeg_drop(&cursor, 1);
      }
      const unsigned k = zero_number(left & ~before, run);
      if (k == 64) return false;
      const uint64_t passed = k == 63 ? ~0ull : (1ull << (k + 1)) - 1;
      correct(&cursor, block, left & before & passed, bit);
      left &= ~passed;
      if (value) {
        block[nuke_jpeg_natural_order[k]] = (int16_t)value;
        found |= 1ull << k;
      }
    } while (left);
  }
  if (reader->end_run > 0) {
    correct(&cursor, block, left & before, bit);
    reader->end_run--;
  }
  *set |= found;
  *state = cursor;
  return true;
}

NUKE_INLINE bool read_ac_row(Progressive *all, ScanReader *reader, unsigned row, ZeroNumber zero_number) {
  const JPEGScan *scan = &reader->header;
  const JPEGTarget *target = nuke_jpeg_target(all->pixels, scan->component[0]);
  const Component *component = &all->components[scan->component[0]];
  JPEGCursor cursor = cursor_of(reader);
  for (unsigned y = 0; y < target->down && row * target->down + y < component->blocks_down; y++) {
    int16_t *block = target->coefficients + (size_t)y * target->row_blocks * 64;
    uint64_t *set = component->set + (size_t)y * target->row_blocks;
    for (unsigned x = 0; x < component->blocks_across; x++, block += 64, set++) {
      if (!prepare(reader, &cursor)) return false;
      if (scan->high_bit != 0) {
        if (!read_more(reader, &cursor, block, set, zero_number)) return false;
      } else if (reader->end_run > 0) {
        reader->end_run--;
      } else if (!read_first(reader, &cursor, block, set)) {
        return false;
      }
    }
  }
  keep(reader, cursor);
  return true;
}

static bool read_ac_row_plain(Progressive *all, ScanReader *reader, unsigned row) {
  return read_ac_row(all, reader, row, zero_number_plain);
}

#if defined(__x86_64__)
__attribute__((target("bmi,bmi2"))) static bool read_ac_row_bmi2(Progressive *all, ScanReader *reader, unsigned row) {
  return read_ac_row(all, reader, row, zero_number_bmi2);
}
#endif

typedef bool (*ReadRow)(Progressive *, ScanReader *, unsigned);

static ReadRow fastest(void) {
#if defined(__x86_64__)
  // Processors before Zen 3 have PDEP, but in microcode.
  const bool is_slow = __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
  if (__builtin_cpu_supports("bmi2") && !is_slow) return read_ac_row_bmi2;
#endif
  return read_ac_row_plain;
}

static JPEGDirectResult read_rows(Progressive *all, const nuke_jpeg_decoding *decoding) {
  const ReadRow read = fastest();
  const unsigned across = nuke_jpeg_units_across(all->pixels), down = nuke_jpeg_units_down(all->pixels);
  JPEGTarget sources[3];
  for (unsigned i = 0; i < all->headers->component_count; i++) sources[i] = *nuke_jpeg_target(all->pixels, i);
  for (unsigned row = 0; row < down; row++) {
    if (jpeg_is_cancelled(decoding)) return JPEGDirectCancelled;
    for (unsigned i = 0; i < all->headers->component_count; i++) {
      const JPEGTarget *target = nuke_jpeg_target(all->pixels, i);
      const size_t count = (size_t)target->row_blocks * target->down;
      memset(target->coefficients, 0, count * (target->size == 1 ? 2 : 128));
      if (target->size > 1) memset(all->components[i].set, 0, count * sizeof(uint64_t));
    }
    for (unsigned i = 0; i < all->reader_count; i++) {
      ScanReader *reader = all->readers[i];
      if (!(reader->header.first == 0 ? read_dc_row(all, reader, row) : read(all, reader, row))) {
        return JPEGDirectDeclined;
      }
    }
    nuke_jpeg_transform(all->pixels, sources, 0, 0, across);
    if (!nuke_jpeg_end_row(all->pixels)) return JPEGDirectCancelled;
  }
  for (unsigned i = 0; i < all->reader_count; i++) {
    if (!nuke_jpeg_is_within(&all->readers[i]->bits)) return JPEGDirectDeclined;
  }
  return JPEGDirectDone;
}

static bool set_up(Progressive *all, const JPEGHeaders *headers) {
  for (unsigned i = 0; i < headers->component_count; i++) {
    Component *component = &all->components[i];
    const JPEGTarget *target = nuke_jpeg_target(all->pixels, i);
    memset(component->low_bits, -1, sizeof component->low_bits);
    const JPEGComponent *largest = &headers->components[0];
    component->blocks_across = divided(divided(headers->width * headers->components[i].across, largest->across), 8);
    component->blocks_down = divided(divided(headers->height * headers->components[i].down, largest->down), 8);
    component->set = malloc((size_t)target->row_blocks * target->down * sizeof(uint64_t));
    if (!component->set) return false;
  }
  return true;
}

JPEGDirectResult nuke_jpeg_decode_progressive(
  JPEGHeaders *headers, JPEGScan *first, const nuke_jpeg_decoding *decoding) {
  JPEGDirectResult result = JPEGDirectDeclined;
  Progressive *all = calloc(1, sizeof *all);
  if (!all) return result;
  all->headers = headers;
  all->pixels = nuke_jpeg_pixels_create(headers, decoding, true);
  if (all->pixels && set_up(all, headers) && gather(all, headers, first, decoding->scan_limit)) {
    result = read_rows(all, decoding);
  }
  for (unsigned i = 0; i < all->reader_count; i++) free(all->readers[i]);
  for (unsigned i = 0; i < all->table_count; i++) free(all->tables[i]);
  for (unsigned i = 0; i < 3; i++) free(all->components[i].set);
  nuke_jpeg_pixels_free(all->pixels);
  free(all);
  return result;
}
