// jpeglib.h needs FILE and size_t declared before it.
#pragma once
#include <stddef.h>
#include <stdio.h>
#include <jpeglib.h>
