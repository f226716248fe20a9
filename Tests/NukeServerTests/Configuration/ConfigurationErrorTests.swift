#if Server
  import Foundation
  import Testing

  @testable import NukeServer

  @Suite("Errors in settings")
  struct ConfigurationErrorTests {
    private static let reasons: [String: String] = [
      // Values
      "--port 70000": "port (--port): \"70000\" is not an integer from 0 to 65535",
      "--port http": "port (--port): \"http\" is not an integer from 0 to 65535",
      "NUKE_QUALITY=101": "quality (NUKE_QUALITY): \"101\" is not an integer from 1 to 100",
      "--fallback-status 99": "fallback-status (--fallback-status): 99 is neither 0 nor from 200 to 599",
      "--request-timeout soon":
        "request-timeout (--request-timeout): \"soon\" is not a time, such as 30s, 500ms or 5m",
      "--max-source-bytes=1e400":
        "max-source-bytes (--max-source-bytes): \"1e400\" is not a size, such as 64MiB or 1000000",
      "--log-format xml": "log-format (--log-format): \"xml\" is not one of text, json",
      "--metrics=perhaps": "metrics (--metrics): \"perhaps\" is neither true nor false",
      "--path-prefix /../x": "path-prefix (--path-prefix): \"/../x\" is not a path, such as /images",
      "--request-headers-passthrough Cookie":
        "request-headers-passthrough (--request-headers-passthrough): \"Cookie\" cannot be passed on; use "
        + "cookie-passthrough",
      "NUKE_KEYS=secret NUKE_SALTS=beef": "keys (NUKE_KEYS): it is not hexadecimal: use two digits per byte",
      // Secrets
      "--keys 00": "--keys (command line): \(anyoneCanRead("NUKE_KEYS"))",
      "--s3-secret-key=x": "--s3-secret-key (command line): \(anyoneCanRead("NUKE_S3_SECRET_KEY"))",
      "--trusted-signatures x": "--trusted-signatures (command line): \(anyoneCanRead("NUKE_TRUSTED_SIGNATURES"))",
      "--redis-url redis://:x@a": "--redis-url (command line): \(anyoneCanRead("NUKE_REDIS_URL"))",
      "--redis-sentinel-password x":
        "--redis-sentinel-password (command line): \(anyoneCanRead("NUKE_REDIS_SENTINEL_PASSWORD"))",
      "--proxy http://me:hunter2@proxy.test:3128": "--proxy (command line): \(anyoneCanRead("NUKE_PROXY"))",
      // Names; only secrets have files
      "--host": "--host (command line): its value is missing: write --host ADDRESS",
      "--host --port 1": "--host (command line): its value is missing: write --host ADDRESS",
      "8080": "8080 (command line): unexpected argument: settings are flags, such as --port 8080",
      "--diff": "--diff (command line): it needs --print-config",
      "--prot 1": "--prot (command line): unknown setting; did you mean --port?",
      "--tls-cert a": "--tls-cert (command line): unknown setting; did you mean --tls-certificate?",
      "--s3-access k": "--s3-access (command line): unknown setting; did you mean --s3-access-key?",
      "--redis a": "--redis (command line): unknown setting; nuke serve --help lists all settings",
      "NUKE_MAX_SOURCE_BYTE=1":
        "NUKE_MAX_SOURCE_BYTE (environment): unknown setting; did you mean NUKE_MAX_SOURCE_BYTES?",
      "NUKE_SERVICE=1": "NUKE_SERVICE (environment): unknown setting; did you mean NUKE_METRICS?",
      "NUKE_PORT_FILE=a": "NUKE_PORT_FILE (environment): unknown setting; did you mean NUKE_PROXY_FILE?",
      // Files
      "--config g": "config (--config): there is no file g: create it, or set another path",
      "NUKE_CONFIG=g": "config (NUKE_CONFIG): there is no file g: create it, or set another path",
      "NUKE_KEYS_FILE=/k NUKE_SALTS_FILE=/s NUKE_S3_ACCESS_KEY=a":
        "keys (NUKE_KEYS_FILE): there is no file /k: create it, or set another path\n"
        + "salts (NUKE_SALTS_FILE): there is no file /s: create it, or set another path",
      "NUKE_KEYS_FILE=/k NUKE_KEYS=00": "keys (NUKE_KEYS_FILE): NUKE_KEYS is also set: remove one of them",
      // Settings that depend on each other
      "NUKE_KEYS=00":
        "keys (NUKE_KEYS): each key needs a salt, but the numbers of keys and salts are 1 and 0: set keys and salts to as "
        + "many values, in the same order",
      "NUKE_PURGE_KEYS=01,02 NUKE_PURGE_SALTS=03":
        "purge-salts (NUKE_PURGE_SALTS): each key needs a salt, but the numbers of keys and salts are 2 and 1: set "
        + "purge-keys and purge-salts to as many values, in the same order",
      "--port 9000 --operation-port 9000":
        "operation-port (--operation-port): the port 9000 is also that of images: set another one",
      "--require-redis": "require-redis (--require-redis): redis-url is not set: set it, or remove require-redis",
      "NUKE_KEYS=01 NUKE_SALTS=02 NUKE_PURGE_KEYS=03,01 NUKE_PURGE_SALTS=04,05":
        "purge-keys (NUKE_PURGE_KEYS): one of them is also in keys: everyone who can sign images could purge them",
      "--cookie-passthrough a":
        "cookie-passthrough (--cookie-passthrough): cookie-base-url is not set: it says which sources receive cookies",
      "--preferred-formats=": "preferred-formats (--preferred-formats): it is empty: the default is jpeg,png,gif",
      "--skip-processing-formats svg":
        "skip-processing-formats (--skip-processing-formats): SVG can contain scripts, so it is sent only with send-svg",
      "NUKE_BEARER_TOKEN=a --playground":
        "bearer-token (NUKE_BEARER_TOKEN): the page of the playground cannot send it: remove playground or demo",
      "--health-path /ready": "health-path (--health-path): the server has another page at /ready",
      "NUKE_BEARER_TOKEN='a b'":
        "bearer-token (NUKE_BEARER_TOKEN): it is not a text of visible ASCII characters without spaces",
      "--etag-suffix '\"'":
        "etag-suffix (--etag-suffix): \"\\\"\" is not a text of visible ASCII characters without spaces and quotation "
        + "marks",
      "--metrics-prefix a-b":
        "metrics-prefix (--metrics-prefix): \"a-b\" is not the beginning of a name, of ASCII letters, digits and "
        + "underscores",
      "--watermark-data ***": "watermark-data (--watermark-data): it is not Base64",
      "--http2": "http2 (--http2): HTTP/2 needs TLS: set tls-certificate and tls-key",
      "--demo --host 0.0.0.0":
        "host (--host): the demo serves without signatures, so it listens only on 127.0.0.1, ::1 or localhost",
      "--s3-cache c":
        "s3-cache (--s3-cache): the store needs s3-access-key and s3-secret-key, or a role: --s3-credentials role",
      "NUKE_S3_ACCESS_KEY=a NUKE_S3_SECRET_KEY=b --s3-credentials role":
        "s3-credentials (--s3-credentials): s3-access-key is also set: remove it, or use fixed credentials",
      "--s3-assume-role arn":
        "s3-assume-role (--s3-assume-role): the role is assumed by s3-access-key and s3-secret-key, or by a role: "
        + "--s3-credentials role",
      "--s3-assume-role-external-id x":
        "s3-assume-role-external-id (--s3-assume-role-external-id): s3-assume-role is not set",
      "NUKE_GCS_KEY={} --gcs-credentials role":
        "gcs-credentials (--gcs-credentials): gcs-key is also set: remove it, or use fixed credentials",
      "NUKE_ABS_KEY=a --abs-name n --abs-credentials role":
        "abs-credentials (--abs-credentials): abs-key is also set: remove it, or use fixed credentials",
      "NUKE_ABS_KEY=a": "abs-key (NUKE_ABS_KEY): abs-name is not set: it is the name of the account",
      "--abs-credentials role":
        "abs-credentials (--abs-credentials): abs-name is not set: it is the name of the account",
      "--s3-cache-access-key c":
        "s3-cache-access-key (--s3-cache-access-key): the store needs both s3-cache-access-key and s3-cache-secret-key",
      "--redis-url redis://a --redis-ca c.pem": "redis-ca (--redis-ca): \(redisWithoutTLS)",
      "--redis-ca c.pem": "redis-ca (--redis-ca): \(redisWithoutTLS)",
      "--redis-url rediss://a --redis-certificate a.pem":
        "redis-certificate (--redis-certificate): a client certificate needs both redis-certificate and redis-key",
      "--redis-url rediss://a --redis-key a.key":
        "redis-key (--redis-key): a client certificate needs both redis-certificate and redis-key",
    ]
    private static let redisWithoutTLS = "redis-url does not use TLS: use a URL with rediss:// or rediss+sentinel://"
    private static func anyoneCanRead(_ variable: String) -> String {
      "all users of this machine can read it there: set \(variable), or \(variable)_FILE to the path of a file, or use "
        + "--config"
    }

    /// Expects an error of a command, and returns its description.
    private func error(of command: String, files: [String: String] = [:]) -> String? {
      #expect(throws: ConfigurationError.self) { try LoadedConfiguration(command, files: files) }?.description
    }

    @Test("An error has the setting, the origin of its value, and the reason", arguments: reasons)
    func errors(command: String, error: String) { #expect(self.error(of: command) == error) }

    @Test(
      "An error in the file has the setting, the file, and the reason",
      arguments: [
        ("{", "config (--config): f is not JSON with settings, such as {\"port\": 8080}"),
        ("[8080]", "config (--config): f is not JSON with settings, such as {\"port\": 8080}"),
        (#"{"quality": [1]}"#, "quality (f): it is not a text or a number"),
        (#"{"qualty": 1}"#, "qualty (f): unknown setting; did you mean quality?"),
        (#"{"zzzzzzzzzz": 1}"#, "zzzzzzzzzz (f): unknown setting; nuke serve --help lists all settings"),
        (#"{"allowed-sources": {"a": 1}}"#, "allowed-sources (f): it is an object, not a list of texts"),
        (#"{"health": {}}"#, "health (f): it is an object, not true or false"),
      ])
    func fileErrors(file: String, error: String) {
      #expect(self.error(of: "--config f", files: ["f": file]) == error)
    }

    @Test(
      "An origin is written as browsers send it",
      arguments: ["a.example", "https://", "https://a.example/", "https://a.example?x", "https://me@a.example"])
    func origins(_ text: String) {
      let reason = "\"\(text)\" is not an origin, such as https://example.com, without a path"
      #expect(error(of: "--cors-origins \(text)") == "cors-origins (--cors-origins): \(reason)")
    }

    @Test(
      "A proxy has a port and a scheme that leaves names to it, and the error does not contain its password",
      arguments: [
        "proxy.test:3128", "proxy.test", "http://proxy.test", "socks5://proxy.test:1080", "socks4a://a:1", "ftp://a:1",
        "http://me:hunter2@proxy.test:3128/path", "http://:3128", "http://me:hunter2@a:1?x",
      ])
    func proxies(_ text: String) {
      let reason =
        "it is not the URL of a proxy with its port, such as http://proxy.example.com:3128, https:// or socks5h://"
      #expect(error(of: "NUKE_PROXY=\(text)") == "proxy (NUKE_PROXY): \(reason)")
    }

    @Test("Settings that depend on each other have an error for each group")
    func severalErrors() {
      let error = #expect(throws: ConfigurationError.self) {
        try LoadedConfiguration("NUKE_KEYS=00 --http2 --s3-cache c --cookie-passthrough a")
      }
      #expect(error?.all.map(\.setting) == ["keys", "http2", "cookie-passthrough", "s3-cache"])
    }

    @Test("All unknown keys of a file, and all invalid values, are reported")
    func allErrorsOfFile() {
      let file = #"{"qualty": 1, "prot": 2, "ttl": {}}"#
      let error = #expect(throws: ConfigurationError.self) {
        try LoadedConfiguration("--config f --port x --quality 0", files: ["f": file])
      }
      #expect(error?.all.map(\.setting) == ["prot", "qualty", "ttl", "port", "quality"])
    }
  }
#endif
