#if Command && Server
  import Foundation
  import Testing

  @Suite("Wrong starts of the server's commands", .timeLimit(.minutes(5))) struct WrongStartTests {
    /// A command as it is typed, and the setting, the origin and the reason that its error names.
    struct Start: Sendable, CustomTestStringConvertible {
      let command: String
      let message: String

      init(_ command: String, _ message: String) { (self.command, self.message) = (command, message) }

      var testDescription: String { command }
    }

    private static let missing = "there is no file /nowhere: create it, or set another path"
    private static let noURL = "is not the beginning of a URL, such as https://example.com/"

    // FOLDER is a folder with the files that `files` writes.
    private static let starts: [Start] = [
      // Names
      .init("serve 8080", "8080 (command line): unexpected argument: settings are flags, such as --port 8080"),
      .init("serve --prot 1", "--prot (command line): unknown setting; did you mean --port?"),
      .init("serve -p 8080", "-p (command line): unknown setting; nuke serve --help lists all settings"),
      .init("NUKE_QUALTY=1 serve", "NUKE_QUALTY (environment): unknown setting; did you mean NUKE_QUALITY?"),
      .init("serve --port", "--port (command line): its value is missing: write --port PORT"),
      .init("serve --config", "--config (command line): its value is missing: write --config FILE"),
      // Values
      .init("serve --port http", "port (--port): \"http\" is not an integer from 0 to 65535"),
      .init("NUKE_PORT=70000 serve", "port (NUKE_PORT): \"70000\" is not an integer from 0 to 65535"),
      .init("NUKE_QUALITY=101 serve", "quality (NUKE_QUALITY): \"101\" is not an integer from 1 to 100"),
      .init("serve --max-frames 0", "max-frames (--max-frames): \"0\" is not an integer of at least 1"),
      .init("serve --host=", "host (--host): it is empty: set a value, or remove it"),
      .init("serve --log-format xml", "log-format (--log-format): \"xml\" is not one of text, json"),
      .init("serve --metrics=perhaps", "metrics (--metrics): \"perhaps\" is neither true nor false"),
      .init("serve --ttl soon", "ttl (--ttl): \"soon\" is not a time, such as 30s, 500ms or 5m"),
      .init(
        "serve --disk-cache-size lots", "disk-cache-size (--disk-cache-size): \"lots\" is not a size, such as 64MiB"),
      .init("serve --formats gifx", "formats (--formats): \"gifx\" is not a format that this build writes: "),
      .init("serve --format-quality webp", "format-quality (--format-quality): \"webp\" is not FORMAT=1–100"),
      .init("serve --allowed-options sharpish", "allowed-options (--allowed-options): \"sharpish\" is not the name"),
      .init("NUKE_ALLOWED_SOURCES=example serve", "allowed-sources (NUKE_ALLOWED_SOURCES): \"example\" \(noURL)"),
      .init(
        "serve --base-url cdn", "base-url (--base-url): \"cdn\" is not the beginning of a URL, such as https://cdn."),
      .init(
        "serve --allow-private-addresses 10.0.0.0/99",
        "allow-private-addresses (--allow-private-addresses): \"10.0.0.0/99\" is neither an address nor a network, such"
      ),
      .init(
        "serve --cors-origins example", "cors-origins (--cors-origins): \"example\" is not an origin, such as https"),
      .init("serve --s3-endpoint store", "s3-endpoint (--s3-endpoint): \"store\" is not an http or https URL, such as"),
      // Keys
      .init("serve --keys 00", "--keys (command line): all users of this machine can read it there: set NUKE_KEYS"),
      .init("NUKE_KEYS=secret serve", "keys (NUKE_KEYS): it is not hexadecimal: use two digits per byte"),
      .init(
        "NUKE_KEYS=00 serve", "keys (NUKE_KEYS): each key needs a salt, but the numbers of keys and salts are 1 and"),
      .init("NUKE_KEYS_FILE=/nowhere serve", "keys (NUKE_KEYS_FILE): \(missing)"),
      // Files and folders
      .init("serve --config /nowhere", "config (--config): \(missing)"),
      .init("NUKE_CONFIG=FOLDER serve", "config (NUKE_CONFIG): FOLDER cannot be read: set the path of a file"),
      .init("serve --config FOLDER/text", "config (--config): FOLDER/text is not JSON with settings, such as {"),
      .init("serve --config FOLDER/file", "qualty (FOLDER/file): unknown setting; did you mean quality?"),
      .init("serve --local-roots /nowhere", "local-roots (--local-roots): there is no folder /nowhere: create it"),
      .init("serve --preset-file /nowhere", "preset-file (--preset-file): \(missing)"),
      .init(
        "serve --preset-file FOLDER/presets",
        "preset-file (FOLDER/presets:2): preset \"b\": The option wobble is not valid: there is no such option"),
      .init("serve --presets a=pr:b", "presets (--presets): preset \"a\": there is no preset \"b\""),
      .init("serve --watermark /nowhere", "watermark (--watermark): \(missing)"),
      .init(
        "NUKE_WATERMARK=FOLDER/text serve", "watermark (NUKE_WATERMARK): FOLDER/text is not an image that this build"),
      .init("serve --fallback-image /nowhere", "fallback-image (--fallback-image): \(missing)"),
      .init(
        "serve --fallback-image ftp://a/b",
        "fallback-image (--fallback-image): ftp://a/b cannot be its URL: The source is not allowed. Its scheme is ftp"),
      .init(
        "serve --disk-cache FOLDER", "disk-cache (--disk-cache): FOLDER contains files that are not a cache: use an"),
      .init("serve --source-cache FOLDER", "source-cache (--source-cache): FOLDER contains files that are not a cache"),
      .init("serve --disk-cache /proc/nuke", "disk-cache (--disk-cache): /proc/nuke cannot be used: set a folder that"),
      .init(
        "serve --port 0 --tls-certificate /nowhere --tls-key /nowhere",
        "tls-certificate (--tls-certificate): /nowhere cannot be read, or has no certificate in PEM: set the path"),
      // Settings that depend on each other
      .init(
        "serve --tls-certificate a", "tls-certificate (--tls-certificate): TLS needs both tls-certificate and tls-key"),
      .init("serve --http2", "http2 (--http2): HTTP/2 needs TLS: set tls-certificate and tls-key"),
      .init(
        "serve --operation-port 8080", "operation-port (--operation-port): the port 8080 is also that of images: set"),
      .init(
        "serve --demo --host 0.0.0.0", "host (--host): the demo serves without signatures, so it listens only on 127"),
      .init(
        "serve --allowed-sources s3://a/", "allowed-sources (--allowed-sources): s3://a/ needs a store: set s3-access"),
      .init(
        "serve --cookie-passthrough a", "cookie-passthrough (--cookie-passthrough): cookie-base-url is not set: it"),
      .init(
        "serve --require-redis",
        "require-redis (--require-redis): redis-url is not set: set it, or remove require-redis"),
      // Commands that work with a server
      .init("sign https://a.test/1", "keys: there are none: set NUKE_KEYS and NUKE_SALTS, or use a configuration file"),
      .init(
        "NUKE_SALTS=00 sign https://a.test/1", "salts (NUKE_SALTS): each key needs a salt, but the numbers of keys"),
      .init(
        "NUKE_KEYS=x NUKE_SALTS=00 sign https://a.test/1", "keys (NUKE_KEYS): it is not hexadecimal: use two digits"),
      .init("sign --config /nowhere https://a.test/1", "config (--config): \(missing)"),
      .init("NUKE_CONFIG=/nowhere sign https://a.test/1", "config (NUKE_CONFIG): \(missing)"),
      .init(
        "NUKE_KEYS=00 NUKE_SALTS=00 NUKE_PRESET_FILE=/nowhere sign https://a.test/1",
        "preset-file (NUKE_PRESET_FILE): \(missing)"),
      .init("purge https://a.test/1", "purge-keys: there are none: set NUKE_PURGE_KEYS and NUKE_PURGE_SALTS, or use a"),
      .init("health --prot 1", "--prot (command line): unknown setting; did you mean --port?"),
      .init("NUKE_PORT=x health", "port (NUKE_PORT): \"x\" is not an integer from 0 to 65535"),
      .init(
        "health --no-health", "health (--health): health checks are disabled: enable them, or set operation-port"),
      .init("health --port 0", "port (--port): the server selects a free port for 0: set the port that its log names"),
      .init("health --config /nowhere", "config (--config): \(missing)"),
    ]

    private static let files = [
      "text": "text", "file": #"{"qualty": 1}"#, "presets": "a=w:1\nb=w:1/wobble:2\n",
    ]

    @Test("End with status 2 and one line: the setting, where its value is from, and what to do", arguments: starts)
    func wrong(_ start: Start) async throws {
      let place = try Workplace()
      for (name, text) in Self.files { _ = try place.write(Data(text.utf8), name) }
      var words = start.command.split(separator: " ").map { String($0).replacing("FOLDER", with: place.url.path) }
      var environment: [String: String] = [:]
      while let word = words.first, word.hasPrefix("NUKE_"), let equals = word.firstIndex(of: "=") {
        environment[String(word[..<equals])] = String(word[word.index(after: equals)...])
        words.removeFirst()
      }
      let outcome = try await Command.run(words, environment: environment)
      #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
      // A log line may come first.
      let line = "Error: " + start.message.replacing("FOLDER", with: place.url.path)
      #expect(outcome.errorLines.count(where: { $0.hasPrefix("Error: ") }) == 1, "\(outcome.errors)")
      #expect(outcome.errorLines.last?.hasPrefix(line) == true, "\(outcome.errors)")
    }
  }
#endif
