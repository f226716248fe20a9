# The flags of the build that tests and documentation share. For scripts that run in the project's folder: `source` it.

# Every trait.
formats=(--traits AVIF,HEIC,JPEGXL,TIFF,SVG,Video,AsyncHTTPClient,Terminal,GTK,Redis,Server,Combine,Command)

# In a folder of its own, so that it does not replace the plain build. The compiler writes the symbols of each module when it
# compiles it, so they are stored beside the build products.
graphs=.build-formats/symbols
build=(
  --scratch-path .build-formats "${formats[@]}" -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir
  -Xswiftc "$PWD/$graphs" -Xswiftc -emit-extension-block-symbols
)
mkdir -p "$graphs"
