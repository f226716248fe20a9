#if Command
  import ArgumentParser

  /// The options for outputs that exist, and for dry runs.
  struct WritingOptions: ParsableArguments {
    @Flag(help: "Leave out each source whose output exists, before it is loaded if possible.") var skipExisting = false

    @Flag(help: "Fail for each source whose output exists, instead of replacing it.") var noOverwrite = false

    @Flag(help: .dryRun) var dryRun = false

    func validate() throws {
      if skipExisting, noOverwrite { throw ValidationError("Use either --skip-existing or --no-overwrite.") }
    }

    /// The options that have no effect without an output file, with whether they are set.
    var given: KeyValuePairs<String, Bool> {
      ["--skip-existing": skipExisting, "--no-overwrite": noOverwrite, "--dry-run": dryRun]
    }

    var existing: ExistingOutput { skipExisting ? .skip : noOverwrite ? .fail : .replace }
  }
#endif
