#pragma once
// Animations are written through libwebpmux. Those that are read are walked by our own code, without libwebpdemux.
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>
