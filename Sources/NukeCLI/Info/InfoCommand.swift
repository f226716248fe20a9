#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke info`: prints the headers of images without decoding them.
  struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "info",
      abstract: "Print the properties of images, without decoding them.",
      discussion: """
        Prints the format, size in pixels, orientation, color profile, alpha, frames and duration, and the basics of EXIF. \
        Reads no more of a file or response body than that requires.

        EXAMPLES
          nuke info photo.jpg
          nuke info https://example.com/a.gif --json
          find . -name '*.jpg' | nuke info --files-from - --json

        The exit status is 0 if all images could be read, 1 if some failed, and 2 for invalid usage.
        """)

    @OptionGroup var input: SourceArguments

    @Option(help: .timeout) var timeout = 30.0

    @OptionGroup(title: "Downloads") var requests: RequestOptions

    @Flag(help: .json) var json = false

    func validate() throws { try TransferLimits.check(timeout: timeout) }

    func run() async throws {
      let session = Session(json: json)
      let loader = try session.attempt { try DataLoader(requests, timeout: timeout) }
      for source in try session.attempt({ try input.all() }) {
        do throws(LoadFailure) {
          session.report(try await ImageInfo.read(source, loader: loader).report(source))
        } catch {
          session.report(SourceReport(source: source, failure: error))
        }
      }
      try session.finish()
    }
  }
#endif
