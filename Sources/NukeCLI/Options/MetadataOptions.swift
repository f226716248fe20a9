#if Command
  import ArgumentParser

  /// The options for the metadata of written images.
  struct MetadataOptions: ParsableArguments {
    @Flag(
      help: ArgumentHelp(
        "Write EXIF and XMP of the source, without the location.",
        discussion: "JPEG, PNG, WebP, TIFF, AVIF and JPEG XL contain metadata; other formats are written without it."))
    var keepMetadata = false

    @Flag(help: "Write the location too, with --keep-metadata.")
    var keepLocation = false

    func validate() throws {
      if keepLocation, !keepMetadata { throw ValidationError("--keep-location needs --keep-metadata.") }
    }

    /// The options that have no effect without an output file, with whether they are set.
    var given: KeyValuePairs<String, Bool> { ["--keep-metadata": keepMetadata, "--keep-location": keepLocation] }

    /// The metadata that is written, or `nil` for none.
    var kept: KeptMetadata? { keepMetadata ? (keepLocation ? .all : .withoutLocation) : nil }
  }
#endif
