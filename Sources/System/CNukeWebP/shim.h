#pragma once
// Containers are walked by our own code: neither libwebpdemux nor libwebpmux is needed.
#include <webp/decode.h>
#include <webp/encode.h>
