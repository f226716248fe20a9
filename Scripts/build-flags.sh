# The build that the tests, the documentation and the checks share. For scripts that run in the project's folder: `source` it.

# Every trait.
formats=(--traits AVIF,HEIC,JPEGXL,TIFF,SVG,Video,AsyncHTTPClient,Terminal,GTK,Redis,Server,Combine,Command)

# In a folder of its own, so that it does not replace the plain build. Without debug information, which makes the programs five
# times as large. Functions keep their names in backtraces.
build=(--scratch-path .build-formats "${formats[@]}" -debug-info-format none)
# LLVM's linker, which the toolchain contains, takes a fraction of the time of gold and of GNU's.
build+=(-Xswiftc -use-ld=lld)

# SwiftPM passes several traits to the compiler in the order of a hash table, which differs from one build to the next. In
# another order, all modules are compiled again. For builds alone: tests shall meet every order.
ordered=(env SWIFT_DETERMINISTIC_HASHING=1)

# Lets the compiler find the headers of libraries without linking them: writes pkg-config files without libraries to a folder.
link_no() { # folder, pkg-config modules
  local folder=$1 module
  shift
  mkdir -p "$folder"
  for module in "$@"; do
    printf 'Name: %s\nDescription: headers of %s\nVersion: 0\nCflags: %s\n' \
      "$module" "$module" "$(pkg-config --cflags-only-I "$module")" >"$folder/$module.pc"
  done
  export PKG_CONFIG_PATH=$folder${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
}
# Those that `CNukeLibraries` opens at their first use.
link_no "$PWD/.build-formats/pkgconfig" libavif libheif libjxl libtiff-4 librsvg-2.0 libavformat chafa

# Without the flags of GTK's pkg-config file that cause warnings.
PKG_CONFIG_PATH=$(Scripts/plain-pkg-config "$PWD/.build-formats/pkgconfig" gtk4)
export PKG_CONFIG_PATH

# Groups of tests that run one after the other, by the names of their targets. Those of pixels keep all processors busy, while
# tests of the network wait for what has to come in time; those of the command run processes; those of servers have deadlines.
pixels='^(NukeImagingTests|NukeCodecsTests)\.'
commands='^(NukeCLITests|NukeTerminalTests)\.'
servers='^(NukeServingTests|NukeServerTests|NukeSandboxTests|NukeRedisTests|NukeS3Tests)\.'

# How many tests run at the same time. By default all of a group do, and then each waits for the others, on a slow machine
# for longer than the time limits of connections and servers in the tests.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$((2 * $(nproc)))}

# Tests talk to servers on this machine alone, and to hosts that do not exist, whatever proxy its user has.
export no_proxy=127.0.0.1,::1,localhost,.invalid NO_PROXY=127.0.0.1,::1,localhost,.invalid
