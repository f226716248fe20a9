#if Command && Server
  import ArgumentParser
  import Foundation
  import NukeServer
  import NukeServing

  /// `nuke sign`: signs URLs of an image server.
  struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign", abstract: "Sign URLs of the image server.",
      discussion: """
        Prints a signed path for each argument: what follows the signature, or only the URL of a source. The keys and \
        the other settings are those of the server: from NUKE_KEYS, NUKE_SALTS and other variables, from its \
        configuration file, or else those of the systemd unit in /etc/nuke, which usually only root may read.

        A path that the server would reject is an error: an unknown option or preset, a source that is not allowed or \
        that no setting provides, such as local:///… without local-roots, or a URL that is too long or has expired. A \
        format that this build cannot write is a warning, because the server may be another build.

        EXAMPLES
          nuke sign https://example.com/photo.jpg
          nuke sign rs:fit:640/plain/https://example.com/photo.jpg@webp
          nuke sign --base https://images.example.com https://example.com/a.jpg
          nuke sign --encrypt https://example.com/photo.jpg
          cat paths.txt | nuke sign -

        The exit status is 0 if all were signed, 1 if some are not valid, and 2 for invalid usage.
        """)

    @Argument(help: "Paths after the signature, or URLs of sources; - for one per line on standard input.")
    var paths: [String]

    @Option(
      help: ArgumentHelp("Configuration file of the server. (default: that of NUKE_CONFIG)", valueName: "file"),
      completion: .file())
    var config: String?

    @Option(
      help: ArgumentHelp(
        """
        Text before each path, such as https://images.example.com. The path-prefix of the server is added unless the text \
        ends with it.
        """, valueName: "url"))
    var base: String?

    @Flag(help: "Sign for the metadata at /info/… instead of the image.") var info = false

    @Flag(help: "Encrypt the sources with the key source-url-encryption-key of the server.") var encrypt = false

    func run() throws {
      let signer = try ServerConfiguration(file: config, needsKeys: true).signer(for: info ? .info : .image)
      if encrypt, !signer.canEncrypt {
        throw ValidationError("The configuration has no source-url-encryption-key: set NUKE_SOURCE_URL_ENCRYPTION_KEY.")
      }
      var hasFailed = false
      for path in paths.withLinesOfInput {
        do throws(ServingError) {
          print(try signer.sign(path, below: base ?? "", encrypts: encrypt) { Self.report("Warning", path, $0) })
        } catch {
          hasFailed = true
          Self.report("Error", path, error.description)
        }
      }
      if hasFailed { throw ExitCode.failure }
    }

    private static func report(_ kind: String, _ path: String, _ text: String) {
      try? FileHandle.standardError.write(contentsOf: Data("\(kind): \(path.onOneLine): \(text.onOneLine)\n".utf8))
    }
  }

  extension [String] {
    /// The arguments, with the lines of standard input, except for empty ones, in place of "-".
    var withLinesOfInput: [String] {
      flatMap { argument in
        guard argument == "-" else { return [argument.escapingRawBytes] }
        return Array(sequence(state: ()) { _ in readLine() }.filter { !$0.isEmpty })
      }
    }
  }
#endif
