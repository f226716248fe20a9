#pragma once
#include <errno.h>
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_VIDEO_FUNCTIONS)
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <string.h>

static inline const char *nuke_video_files(void) {
  return "libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR) " libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR)
         " libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR) " libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR);
}

/* Values of macros that Swift does not import. */
static const int nuke_video_try_again = AVERROR(EAGAIN);
static const int nuke_video_no_memory = AVERROR(ENOMEM);
static const int nuke_video_end = AVERROR_EOF;
static const int64_t nuke_video_no_time = AV_NOPTS_VALUE;

/* How long a frame is shown, in the unit of its stream; 0 if unknown. */
static inline int64_t nuke_video_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

/* The transformation matrix of a track, nine numbers of 32 bits; NULL if it has none. libavformat 60.15 (FFmpeg 6.1) moved
   what is known of a stream to its codec parameters. */
static inline const uint8_t *nuke_video_display_matrix(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  const AVPacketSideData *data = av_packet_side_data_get(
    stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
  return data != NULL && data->size >= 36 ? data->data : NULL;
#else
#if LIBAVFORMAT_VERSION_MAJOR >= 59
  size_t size = 0;
#else
  int size = 0;
#endif
  const uint8_t *data = av_stream_get_side_data((AVStream *)stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return data != NULL && size >= 36 ? data : NULL;
#endif
}

/* A file in memory. */
typedef struct nuke_video_memory {
  const uint8_t *data;
  int64_t size;
  int64_t position;
  /* Called before each read; reading fails if it returns another value than 0. */
  int (*is_stopped)(void *context);
  void *context;
} nuke_video_memory;

static inline int nuke_video_read(void *opaque, uint8_t *buffer, int count) {
  nuke_video_memory *memory = (nuke_video_memory *)opaque;
  if (memory->is_stopped(memory->context)) return AVERROR_EXIT;
  int64_t left = memory->size - memory->position;
  if (left <= 0 || count <= 0) return AVERROR_EOF;
  int taken = count < left ? count : (int)left;
  memcpy(buffer, memory->data + memory->position, (size_t)taken);
  memory->position += taken;
  return taken;
}

static inline int64_t nuke_video_seek(void *opaque, int64_t offset, int whence) {
  nuke_video_memory *memory = (nuke_video_memory *)opaque;
  int64_t start = 0;
  if (whence & AVSEEK_SIZE) return memory->size;
  if ((whence & ~AVSEEK_FORCE) == SEEK_CUR) start = memory->position;
  if ((whence & ~AVSEEK_FORCE) == SEEK_END) start = memory->size;
  if (offset > INT64_MAX - start || start + offset < 0) return AVERROR(EINVAL);
  return memory->position = start + offset;
}

/* Files that a file refers to are not opened. */
static inline int nuke_video_refuse(
  AVFormatContext *file, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  return AVERROR(EPERM);
}

/* Reads the header of a file. `memory` must live until nuke_video_close. Returns an error code of libav, or 0.

   Only the first entry of an edit list is applied: libavformat takes quadratic time for others. */
static inline int nuke_video_open(nuke_video_memory *memory, const char *demuxer, AVFormatContext **output) {
  const int buffer_size = 32768;
  uint8_t *buffer = (uint8_t *)av_malloc(buffer_size);
  if (buffer == NULL) return AVERROR(ENOMEM);
  AVIOContext *io = avio_alloc_context(buffer, buffer_size, 0, memory, nuke_video_read, NULL, nuke_video_seek);
  if (io == NULL) {
    av_free(buffer);
    return AVERROR(ENOMEM);
  }
  AVFormatContext *file = avformat_alloc_context();
  AVDictionary *options = NULL;
  int result = AVERROR(ENOMEM);
  if (file != NULL && av_dict_set(&options, "advanced_editlist", "0", 0) >= 0) {
    file->pb = io;
    file->flags |= AVFMT_FLAG_CUSTOM_IO;
    file->io_open = nuke_video_refuse;
    file->max_streams = 32;
    /* Frees the context if it fails, but not `io`. */
    result = avformat_open_input(&file, NULL, av_find_input_format(demuxer), &options);
  }
  av_dict_free(&options);
  if (result < 0) {
    avformat_free_context(file);
    av_freep(&io->buffer);
    avio_context_free(&io);
    return result;
  }
  *output = file;
  return 0;
}

static inline void nuke_video_close(AVFormatContext *file) {
  AVIOContext *io = file->pb;
  avformat_close_input(&file);
  av_freep(&io->buffer);
  avio_context_free(&io);
}
