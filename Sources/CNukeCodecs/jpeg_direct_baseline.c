#include "jpeg_direct.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

// The lookup tables of the components.
typedef struct {
  JPEGCodes dc_codes[3], ac_codes[3];
  JPEGEntry dc_entries[3][JPEGEntryCount], ac_entries[3][JPEGEntryCount];
} Tables;

// Reads the MCUs of a scan.
typedef struct {
  JPEGLanes lanes;
  int predictions[3];
  // The MCUs between restart markers, or 0; those up to the next marker, and the number of markers so far.
  unsigned restart_interval, left, restart_count;
  // The MCUs that were read at a time, and how many of them are in the image.
  unsigned read, done;
} Reader;

// Makes the tables of a component. Returns false if they are invalid.
static bool make_tables(Tables *tables, unsigned index, const uint8_t *dc, const uint8_t *ac, bool keeps_all) {
  if (!nuke_jpeg_make_codes(&tables->dc_codes[index], dc, true)) return false;
  if (!nuke_jpeg_make_codes(&tables->ac_codes[index], ac, false)) return false;
  nuke_jpeg_make_dc_entries(tables->dc_entries[index], &tables->dc_codes[index]);
  if (keeps_all) {
    nuke_jpeg_make_ac_entries(tables->ac_entries[index], &tables->ac_codes[index], false);
  } else {
    nuke_jpeg_make_ac_groups(tables->ac_entries[index], &tables->ac_codes[index]);
  }
  return true;
}

// Makes the tables, and a reader at the start of the scan. Blocks that `targets` gives a size of 1 are read without
// their AC coefficients.
static bool start_reader(
  Reader *reader, Tables *tables, const JPEGHeaders *headers, const JPEGScan *header, const JPEGTarget *targets,
  size_t unit_count) {
  memset(&reader->lanes, 0, sizeof reader->lanes);
  memset(reader->predictions, 0, sizeof reader->predictions);
  reader->restart_interval = reader->left = headers->restart_interval;
  reader->restart_count = reader->read = reader->done = 0;
  for (unsigned i = 0; i < header->count; i++) {
    const uint8_t *dc = headers->dc_codes[header->dc_table[i]], *ac = headers->ac_codes[header->ac_table[i]];
    if (!dc || !ac) return false;
    // Both chroma components usually use the same tables.
    const bool shares = i == 2 && header->dc_table[1] == header->dc_table[2] &&
                        header->ac_table[1] == header->ac_table[2] && targets[1].size == targets[2].size;
    if (!shares && !make_tables(tables, i, dc, ac, targets[i].size > 1)) return false;
    const unsigned table = shares ? 1 : i;
    for (unsigned y = 0; y < targets[i].down; y++) {
      for (unsigned x = 0; x < targets[i].across; x++) {
        reader->lanes.blocks[reader->lanes.block_count++] = (JPEGBlock){
          .component = i,
          .x = x,
          .y = y,
          .dc = &tables->dc_codes[table],
          .ac = &tables->ac_codes[table],
          .dc_entries = tables->dc_entries[table],
          .ac_entries = tables->ac_entries[table],
        };
      }
    }
  }
  return nuke_jpeg_lanes_start(
    &reader->lanes, headers, targets, unit_count, headers->data + header->start, headers->data + headers->size);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Reads about `count` MCUs, but at most up to the next restart marker. Returns their number, or 0 if there is an error.
static unsigned read_units(Reader *reader, size_t count) {
  count = least(count, JPEGBatch);
  if (!reader->restart_interval) return nuke_jpeg_lanes_read(&reader->lanes, (unsigned)count);
  if (reader->left == 0) {
    if (!nuke_jpeg_restart(&reader->lanes.behind->bits, reader->restart_count++ & 7)) return 0;
    memset(reader->predictions, 0, sizeof reader->predictions);
    reader->left = reader->restart_interval;
  }
  const unsigned read = nuke_jpeg_lanes_read(&reader->lanes, (unsigned)least(count, reader->left));
  reader->left -= read;
  return read;
}

// The first DC coefficients of a component in one row of blocks, or in two.
typedef struct {
  int16_t *rows[2];
} Firsts;

// Adds up the DC differences of `count` MCUs. Returns the last DC coefficient.
NUKE_INLINE int sum_up(
  Firsts target, Firsts source, unsigned count, unsigned across, unsigned down, unsigned size, int prediction,
  unsigned *range) {
  unsigned all = 0;
  for (size_t unit = 0; unit < count; unit++) {
    for (unsigned y = 0; y < down; y++) {
      for (unsigned x = 0; x < across; x++) {
        prediction += source.rows[y][(unit * across + x) * size];
        all |= (unsigned)(prediction + 32768);
        target.rows[y][(unit * across + x) * size] = (int16_t)prediction;
      }
    }
  }
  *range |= all;
  return prediction;
}

static Firsts firsts_at(const JPEGTarget *target, unsigned unit) {
  const size_t size = target->size == 1 ? 1 : 64;
  int16_t *first = target->coefficients + (size_t)unit * target->across * size;
  return (Firsts){{first, target->down == 2 ? first + target->row_blocks * size : NULL}};
}

// Adds up the DC differences of `count` MCUs, beginning with MCU `from`, to DC coefficients. Those of components with a
// block size of 1 are moved to the row's, from MCU `first` on. Returns false if their range exceeds 16 bits.
static bool add_up(Reader *reader, const JPEGPixels *pixels, unsigned from, unsigned first, unsigned count) {
  unsigned range = 0;
  for (unsigned i = 0; i < reader->lanes.component_count; i++) {
    const JPEGTarget *blocks = &reader->lanes.behind->targets[i];
    const bool moves = blocks->size == 1;
    const Firsts source = firsts_at(blocks, from);
    const Firsts target = moves ? firsts_at(nuke_jpeg_target(pixels, i), first) : source;
    int *sum = &reader->predictions[i];
    // With constant arguments, so that the compiler specializes the loops. The blocks of a single row are contiguous.
    if (blocks->down == 1) {
      const unsigned length = count * blocks->across;
      *sum = moves ? sum_up(target, source, length, 1, 1, 1, *sum, &range)
                   : sum_up(target, source, length, 1, 1, 64, *sum, &range);
    } else if (blocks->across == 1) {
      *sum = moves ? sum_up(target, source, count, 1, 2, 1, *sum, &range)
                   : sum_up(target, source, count, 1, 2, 64, *sum, &range);
    } else {
      *sum = moves ? sum_up(target, source, count, 2, 2, 1, *sum, &range)
                   : sum_up(target, source, count, 2, 2, 64, *sum, &range);
    }
  }
  return range <= 0xFFFF;
}

// Decodes a row of MCUs.
static JPEGDirectResult write_row(Reader *reader, JPEGPixels *pixels, unsigned row) {
  const size_t across = nuke_jpeg_units_across(pixels), rest = (nuke_jpeg_units_down(pixels) - row) * across;
  for (unsigned x = 0, count; x < across; x += count, reader->done += count) {
    if (reader->done == reader->read) {
      reader->read = read_units(reader, rest - x);
      if (reader->read == 0) return JPEGDirectDeclined;
      reader->done = 0;
    }
    count = (unsigned)least(across - x, reader->read - reader->done);
    if (!add_up(reader, pixels, reader->done, x, count)) return JPEGDirectDeclined;
    nuke_jpeg_transform(pixels, reader->lanes.behind->targets, reader->done, x, count);
  }
  return nuke_jpeg_end_row(pixels) ? JPEGDirectDone : JPEGDirectCancelled;
}

static JPEGDirectResult end_of(const Reader *reader) {
  return nuke_jpeg_is_within(&reader->lanes.behind->bits) ? JPEGDirectDone : JPEGDirectDeclined;
}

// MARK: Second thread

// An image that two threads decode. Where a row of MCUs begins in the data, and with which predictions, is known only
// after all MCUs before it have been read. But skipping them, without storing and transforming their coefficients, is
// faster than decoding them. So the second thread skips them until it is so far ahead that the first thread will take as
// long for the rows up to there as itself for all that follow, which it decodes then. Restart markers make skipping
// faster still.
typedef struct {
  const JPEGHeaders *headers;
  const JPEGScan *header;
  const nuke_jpeg_decoding *decoding;
  unsigned across, down;
  pthread_t thread;
  pthread_mutex_t lock;
  // Signaled when it is decided whether the image is divided.
  pthread_cond_t decision;
  bool is_decided;
  // The number of rows that the first thread has begun, and the number of its rows.
  unsigned begun, end;
  bool is_stopped;
  // What became of the second thread's rows.
  JPEGDirectResult result;
} Split;

// Returns true if the first thread is to decode a row of MCUs.
static bool begins(Split *split, unsigned row) {
  pthread_mutex_lock(&split->lock);
  if (split->decoding->waits_for_division && row == 1) {
    while (!split->is_decided) pthread_cond_wait(&split->decision, &split->lock);
  }
  const bool ok = row < split->end;
  if (ok) split->begun = row + 1;
  pthread_mutex_unlock(&split->lock);
  return ok;
}

// Divides the image after a row of MCUs, which both threads decode, since pixels depend on the samples above and below.
// Returns false if the first thread is further already.
static bool divide(Split *split, unsigned row) {
  pthread_mutex_lock(&split->lock);
  const bool ok = !split->is_stopped && row + 1 < split->down && split->begun <= row + 1;
  if (ok) split->end = row + 1;
  pthread_mutex_unlock(&split->lock);
  return ok;
}

static void note_decision(Split *split) {
  pthread_mutex_lock(&split->lock);
  split->is_decided = true;
  pthread_cond_signal(&split->decision);
  pthread_mutex_unlock(&split->lock);
}

// Returns true if the second thread should end. `begun` receives the number of rows that the first one has begun.
static bool is_stopped(Split *split, unsigned *begun) {
  pthread_mutex_lock(&split->lock);
  const bool stopped = split->is_stopped;
  *begun = split->begun;
  pthread_mutex_unlock(&split->lock);
  return stopped;
}

static void stop(Split *split) {
  pthread_mutex_lock(&split->lock);
  split->is_stopped = true;
  pthread_mutex_unlock(&split->lock);
}

// Adds the DC differences of MCUs that are skipped to the predictions. Returns false if these exceed 16 bits, of which
// the first thread will find where.
static bool skip_sums(Reader *reader, unsigned count) {
  bool ok = true;
  for (unsigned i = 0; i < reader->lanes.component_count; i++) {
    const JPEGTarget *target = &reader->lanes.behind->targets[i];
    int sum = 0;
    for (unsigned y = 0; y < target->down; y++) {
      const int16_t *first = target->coefficients + (size_t)y * target->row_blocks;
      for (unsigned x = 0; x < count * target->across; x++) sum += first[x];
    }
    reader->predictions[i] += sum;
    ok = ok && (unsigned)(reader->predictions[i] + 32768) <= 0xFFFF;
  }
  return ok;
}

// Skips MCUs. Returns the row of MCUs that the reader has arrived at, or 0 if the first thread should do all.
static unsigned skip_rows(Reader *reader, Split *split) {
  const size_t across = split->across;
  size_t done = 0;
  unsigned begun;
  do {
    unsigned count;
    if (reader->restart_interval) {
      // The whole interval: nothing of it is needed.
      JPEGBits *bits = &reader->lanes.behind->bits;
      if (done > 0 && !nuke_jpeg_restart(bits, reader->restart_count++ & 7)) return 0;
      nuke_jpeg_skip_to_marker(bits);
      count = reader->restart_interval;
      reader->left = 0;
    } else {
      count = read_units(reader, JPEGBatch);
      if (!skip_sums(reader, count)) return 0;
    }
    if (count == 0 || is_stopped(split, &begun)) return 0;
    done += count;
  } while (done / across * 2 < split->down + begun);
  const size_t row = (done + across - 1) / across;
  nuke_jpeg_lanes_stop_ahead(&reader->lanes);
  while (done < row * across) {
    const unsigned count = read_units(reader, row * across - done);
    if (count == 0 || !skip_sums(reader, count)) return 0;
    done += count;
  }
  return (unsigned)row;
}

static void set_all_steps(JPEGPixels *pixels, const JPEGHeaders *headers) {
  for (unsigned i = 0; i < headers->component_count; i++) {
    nuke_jpeg_set_steps(pixels, i, headers->steps[headers->components[i].quantization]);
  }
}

static void targets_of(const JPEGPixels *pixels, unsigned count, JPEGTarget targets[3]) {
  for (unsigned i = 0; i < count; i++) targets[i] = *nuke_jpeg_target(pixels, i);
}

// Decodes a row that both threads need, and what follows it.
static JPEGDirectResult write_second(Reader *reader, JPEGPixels *pixels, Split *split, unsigned row) {
  unsigned begun;
  nuke_jpeg_begin_at(pixels, row);
  for (unsigned y = row; y < split->down; y++) {
    if (is_stopped(split, &begun)) return JPEGDirectCancelled;
    const JPEGDirectResult result = write_row(reader, pixels, y);
    if (result != JPEGDirectDone) return result;
  }
  return end_of(reader);
}

// Skips rows and decodes the others, with memory for one reader each.
static void decode_second(Split *split, Reader readers[2], Tables *tables, JPEGPixels *pixels) {
  JPEGTarget targets[3];
  const unsigned component_count = split->headers->component_count;
  targets_of(pixels, component_count, targets);
  for (unsigned i = 0; i < component_count; i++) targets[i].size = 1;
  const size_t unit_count = (size_t)split->across * split->down;
  Reader *const skipping = &readers[0], *const reading = &readers[1];
  if (!start_reader(skipping, tables, split->headers, split->header, targets, unit_count)) return;
  const unsigned row = skip_rows(skipping, split);
  targets_of(pixels, component_count, targets);
  if (row == 0 || !start_reader(reading, tables, split->headers, split->header, targets, unit_count)) return;
  nuke_jpeg_copy_bits(&reading->lanes.behind->bits, &skipping->lanes.behind->bits);
  memcpy(reading->predictions, skipping->predictions, sizeof reading->predictions);
  reading->left = skipping->left;
  reading->restart_count = skipping->restart_count;
  if (!divide(split, row)) return;
  note_decision(split);
  set_all_steps(pixels, split->headers);
  split->result = write_second(reading, pixels, split, row);
}

static void *run_second(void *context) {
  Split *const split = context;
  // Zeroed, so that a reader without memory can be freed.
  Reader *readers = calloc(2, sizeof *readers);
  Tables *tables = malloc(sizeof *tables);
  JPEGPixels *pixels = nuke_jpeg_pixels_create(split->headers, split->decoding, false);
  if (readers && tables && pixels) decode_second(split, readers, tables, pixels);
  note_decision(split);
  if (readers) {
    nuke_jpeg_lanes_free(&readers[0].lanes);
    nuke_jpeg_lanes_free(&readers[1].lanes);
  }
  nuke_jpeg_pixels_free(pixels);
  free(tables);
  free(readers);
  return NULL;
}

// Returns true if a second thread is of use. At 1/8 skipping takes as long as decoding. Rows that are reported
// must be in order.
static bool is_for_two_threads(const JPEGHeaders *headers, const nuke_jpeg_decoding *decoding) {
  return decoding->thread_count > 1 && !decoding->rows &&
         (decoding->scale_denominator < 8 || headers->restart_interval);
}

// Starts a thread to which the process's signals are not delivered.
static bool start_second(Split *split) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_mutex_init(&split->lock, NULL);
  pthread_cond_init(&split->decision, NULL);
  const bool ok = pthread_create(&split->thread, NULL, run_second, split) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

// Decodes the rows of the first thread; all rows without `split`.
static JPEGDirectResult write_first(
  Reader *reader, JPEGPixels *pixels, const nuke_jpeg_decoding *decoding, Split *split) {
  for (unsigned y = 0; y < nuke_jpeg_units_down(pixels); y++) {
    if (jpeg_is_cancelled(decoding)) return JPEGDirectCancelled;
    if (split && !begins(split, y)) return JPEGDirectDone;
    const JPEGDirectResult result = write_row(reader, pixels, y);
    if (result != JPEGDirectDone) return result;
  }
  return end_of(reader);
}

static JPEGDirectResult decode(
  Reader *reader, JPEGPixels *pixels, const JPEGHeaders *headers, const JPEGScan *header,
  const nuke_jpeg_decoding *decoding, unsigned *divided_at) {
  const unsigned down = nuke_jpeg_units_down(pixels);
  Split split = {
    .headers = headers,
    .header = header,
    .decoding = decoding,
    .across = nuke_jpeg_units_across(pixels),
    .down = down,
    .end = down,
    .result = JPEGDirectDeclined,
  };
  const bool has_second = is_for_two_threads(headers, decoding) && start_second(&split);
  const JPEGDirectResult result = write_first(reader, pixels, decoding, has_second ? &split : NULL);
  if (!has_second) return result;
  if (result != JPEGDirectDone || split.end == down) stop(&split);
  pthread_join(split.thread, NULL);
  pthread_cond_destroy(&split.decision);
  pthread_mutex_destroy(&split.lock);
  if (result != JPEGDirectDone || split.end == down) return result;
  *divided_at = split.end;
  return split.result;
}

JPEGDirectResult nuke_jpeg_decode_baseline(
  const JPEGHeaders *headers, const JPEGScan *header, const nuke_jpeg_decoding *decoding, unsigned *divided_at) {
  if (header->first != 0 || header->last != 63 || header->high_bit != 0 || header->low_bit != 0) {
    return JPEGDirectDeclined;
  }
  for (unsigned i = 0; i < headers->component_count; i++) {
    if (!headers->has_steps[headers->components[i].quantization]) return JPEGDirectDeclined;
  }
  JPEGDirectResult result = JPEGDirectDeclined;
  Reader *reader = malloc(sizeof *reader);
  Tables *tables = malloc(sizeof *tables);
  JPEGPixels *pixels = nuke_jpeg_pixels_create(headers, decoding, false);
  if (reader && tables && pixels) {
    JPEGTarget targets[3];
    targets_of(pixels, headers->component_count, targets);
    set_all_steps(pixels, headers);
    const size_t unit_count = (size_t)nuke_jpeg_units_across(pixels) * nuke_jpeg_units_down(pixels);
    if (start_reader(reader, tables, headers, header, targets, unit_count)) {
      result = decode(reader, pixels, headers, header, decoding, divided_at);
    }
    nuke_jpeg_lanes_free(&reader->lanes);
  }
  nuke_jpeg_pixels_free(pixels);
  free(tables);
  free(reader);
  return result;
}
