#pragma once
/* The functions of the libraries that are opened at their first use, by library.

   F(name) is a function that `shim.h` of the library's module renames, so that calls of it go through this target.
   V(name) is the same for a function that only some versions of the library have.
   A(name, alias) is a function of a library that other modules link as well. Callers use the alias instead. */

#define NUKE_AVIF_FUNCTIONS(F, V, A) \
  F(avifCodecName) \
  F(avifCropRectConvertCleanApertureBox) \
  F(avifDecoderCreate) \
  F(avifDecoderDestroy) \
  F(avifDecoderNextImage) \
  F(avifDecoderNthImageTiming) \
  F(avifDecoderParse) \
  F(avifDecoderReset) \
  F(avifDecoderSetIO) \
  F(avifEncoderAddImage) \
  F(avifEncoderCreate) \
  F(avifEncoderDestroy) \
  F(avifEncoderFinish) \
  F(avifEncoderWrite) \
  F(avifImageCreate) \
  F(avifImageDestroy) \
  F(avifImageRGBToYUV) \
  F(avifImageSetMetadataExif) \
  F(avifImageSetMetadataXMP) \
  F(avifImageYUVToRGB) \
  F(avifRGBImageSetDefaults) \
  F(avifRWDataFree) \
  F(avifResultToString)

#define NUKE_HEIF_FUNCTIONS(F, V, A) \
  F(heif_context_alloc) \
  F(heif_context_free) \
  F(heif_context_get_primary_image_handle) \
  F(heif_context_get_primary_image_ID) \
  F(heif_context_read_from_memory_without_copy) \
  F(heif_context_read_from_reader) \
  F(heif_context_set_max_decoding_threads) \
  F(heif_context_set_maximum_image_size_limit) \
  F(heif_decode_image) \
  F(heif_decoding_options_alloc) \
  F(heif_decoding_options_free) \
  F(heif_image_get_bits_per_pixel_range) \
  F(heif_image_get_height) \
  F(heif_image_get_plane_readonly) \
  F(heif_image_get_width) \
  F(heif_image_handle_get_color_profile_type) \
  F(heif_image_handle_get_height) \
  F(heif_image_handle_get_ispe_height) \
  F(heif_image_handle_get_ispe_width) \
  F(heif_image_handle_get_list_of_metadata_block_IDs) \
  F(heif_image_handle_get_list_of_thumbnail_IDs) \
  F(heif_image_handle_get_luma_bits_per_pixel) \
  F(heif_image_handle_get_metadata) \
  F(heif_image_handle_get_metadata_content_type) \
  F(heif_image_handle_get_metadata_size) \
  F(heif_image_handle_get_nclx_color_profile) \
  F(heif_image_handle_get_number_of_metadata_blocks) \
  F(heif_image_handle_get_number_of_thumbnails) \
  F(heif_image_handle_get_raw_color_profile) \
  F(heif_image_handle_get_raw_color_profile_size) \
  F(heif_image_handle_get_thumbnail) \
  F(heif_image_handle_get_width) \
  F(heif_image_handle_has_alpha_channel) \
  F(heif_image_handle_is_premultiplied_alpha) \
  F(heif_image_handle_release) \
  F(heif_image_release) \
  F(heif_nclx_color_profile_free)

#define NUKE_JXL_FUNCTIONS(F, V, A) \
  F(JxlColorEncodingSetToSRGB) \
  F(JxlDecoderCreate) \
  F(JxlDecoderDestroy) \
  F(JxlDecoderGetBasicInfo) \
  F(JxlDecoderGetBoxType) \
  F(JxlDecoderGetColorAsEncodedProfile) \
  F(JxlDecoderGetColorAsICCProfile) \
  F(JxlDecoderGetFrameHeader) \
  F(JxlDecoderGetICCProfileSize) \
  F(JxlDecoderProcessInput) \
  F(JxlDecoderReleaseBoxBuffer) \
  F(JxlDecoderReleaseInput) \
  F(JxlDecoderSetBoxBuffer) \
  F(JxlDecoderSetCoalescing) \
  F(JxlDecoderSetDecompressBoxes) \
  F(JxlDecoderSetImageOutBuffer) \
  F(JxlDecoderSetInput) \
  F(JxlDecoderSetKeepOrientation) \
  F(JxlDecoderSetParallelRunner) \
  F(JxlDecoderSetUnpremultiplyAlpha) \
  F(JxlDecoderSubscribeEvents) \
  F(JxlEncoderAddBox) \
  F(JxlEncoderAddImageFrame) \
  F(JxlEncoderCloseInput) \
  F(JxlEncoderCreate) \
  F(JxlEncoderDestroy) \
  F(JxlEncoderFrameSettingsCreate) \
  F(JxlEncoderFrameSettingsSetOption) \
  F(JxlEncoderGetError) \
  F(JxlEncoderInitBasicInfo) \
  F(JxlEncoderInitFrameHeader) \
  F(JxlEncoderProcessOutput) \
  F(JxlEncoderSetBasicInfo) \
  F(JxlEncoderSetColorEncoding) \
  F(JxlEncoderSetFrameDistance) \
  F(JxlEncoderSetFrameHeader) \
  F(JxlEncoderSetFrameLossless) \
  F(JxlEncoderUseBoxes)

#define NUKE_TIFF_FUNCTIONS(F, V, A) \
  F(TIFFClientOpenExt) \
  F(TIFFClose) \
  F(TIFFComputeStrip) \
  F(TIFFComputeTile) \
  F(TIFFFlush) \
  F(TIFFGetField) \
  F(TIFFGetFieldDefaulted) \
  F(TIFFGetStrileByteCount) \
  F(TIFFGetStrileOffset) \
  F(TIFFIsTiled) \
  F(TIFFOpenOptionsAlloc) \
  F(TIFFOpenOptionsFree) \
  F(TIFFOpenOptionsSetErrorHandlerExtR) \
  F(TIFFOpenOptionsSetMaxSingleMemAlloc) \
  F(TIFFOpenOptionsSetWarningHandlerExtR) \
  F(TIFFRGBAImageBegin) \
  F(TIFFRGBAImageEnd) \
  F(TIFFRGBAImageGet) \
  F(TIFFRGBAImageOK) \
  F(TIFFReadEncodedTile) \
  F(TIFFReadScanline) \
  F(TIFFScanlineSize64) \
  F(TIFFSetField) \
  F(TIFFTileRowSize64) \
  F(TIFFTileSize64) \
  F(TIFFWriteScanline)

#define NUKE_SVG_FUNCTIONS(F, V, A) \
  F(rsvg_handle_get_intrinsic_dimensions) \
  F(rsvg_handle_get_intrinsic_size_in_pixels) \
  F(rsvg_handle_new_from_data) \
  F(rsvg_handle_render_document) \
  F(rsvg_handle_set_dpi) \
  A(cairo_create, nuke_svg_cairo_create) \
  A(cairo_destroy, nuke_svg_cairo_destroy) \
  A(cairo_image_surface_create_for_data, nuke_svg_cairo_image_surface_create_for_data) \
  A(cairo_scale, nuke_svg_cairo_scale) \
  A(cairo_surface_destroy, nuke_svg_cairo_surface_destroy) \
  A(cairo_surface_flush, nuke_svg_cairo_surface_flush) \
  A(cairo_surface_status, nuke_svg_cairo_surface_status) \
  A(g_clear_error, nuke_svg_g_clear_error) \
  A(g_object_unref, nuke_svg_g_object_unref)

#define NUKE_VIDEO_FUNCTIONS(F, V, A) \
  F(av_dict_free) \
  F(av_dict_set) \
  F(av_find_input_format) \
  F(av_frame_alloc) \
  F(av_frame_free) \
  F(av_frame_get_buffer) \
  F(av_free) \
  F(av_freep) \
  F(av_guess_sample_aspect_ratio) \
  F(av_index_search_timestamp) \
  F(av_log_set_level) \
  F(av_malloc) \
  F(av_packet_alloc) \
  F(av_packet_free) \
  V(av_packet_side_data_get) \
  F(av_packet_unref) \
  F(av_pix_fmt_desc_get) \
  F(av_read_frame) \
  F(av_seek_frame) \
  V(av_stream_get_side_data) \
  F(av_strerror) \
  F(avcodec_alloc_context3) \
  F(avcodec_find_decoder_by_name) \
  F(avcodec_flush_buffers) \
  F(avcodec_free_context) \
  F(avcodec_get_name) \
  F(avcodec_open2) \
  F(avcodec_parameters_to_context) \
  F(avcodec_receive_frame) \
  F(avcodec_send_packet) \
  F(avformat_alloc_context) \
  F(avformat_close_input) \
  F(avformat_free_context) \
  F(avformat_index_get_entry) \
  F(avformat_open_input) \
  F(avio_alloc_context) \
  F(avio_context_free) \
  F(sws_freeContext) \
  F(sws_getCoefficients) \
  F(sws_getContext) \
  F(sws_scale_frame) \
  F(sws_setColorspaceDetails)

#define NUKE_CHAFA_FUNCTIONS(F, V, A) \
  F(chafa_canvas_config_new) \
  F(chafa_canvas_config_set_canvas_mode) \
  F(chafa_canvas_config_set_geometry) \
  F(chafa_canvas_config_set_optimizations) \
  F(chafa_canvas_config_set_pixel_mode) \
  F(chafa_canvas_config_set_preprocessing_enabled) \
  F(chafa_canvas_config_set_symbol_map) \
  F(chafa_canvas_config_unref) \
  F(chafa_canvas_draw_all_pixels) \
  F(chafa_canvas_new) \
  F(chafa_canvas_print) \
  F(chafa_canvas_unref) \
  F(chafa_symbol_map_add_by_tags) \
  F(chafa_symbol_map_new) \
  F(chafa_symbol_map_unref) \
  F(chafa_term_db_get_default) \
  F(chafa_term_db_get_fallback_info) \
  A(g_string_free, nuke_chafa_g_string_free)

#define NUKE_REDIS_FUNCTIONS(F, V, A) \
  F(freeReplyObject) \
  F(redisConnectUnixWithTimeout) \
  F(redisConnectWithTimeout) \
  F(redisEnableKeepAlive) \
  F(redisFree) \
  F(redisReaderCreate) \
  F(redisReaderFeed) \
  F(redisReaderFree) \
  F(redisReaderGetReply)

/* For `shim.h` of a library's module, before the library's headers: `NUKE_OPENED_LATER(NUKE_AVIF_FUNCTIONS)`. Pragmas rename
   the functions for the linker; callers keep the names of the headers. */
#define NUKE_PRAGMA(text) _Pragma(#text)
#define NUKE_RENAME(name) NUKE_PRAGMA(redefine_extname name nuke_later_##name)
#define NUKE_IGNORE(name, alias)
#define NUKE_OPENED_LATER(FUNCTIONS) FUNCTIONS(NUKE_RENAME, NUKE_RENAME, NUKE_IGNORE)
