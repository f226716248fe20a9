#if Server
  import Foundation
  import NukeCodecs
  import Testing

  @testable import NukeServer

  @Suite("The configuration of a server")
  struct LoadedConfigurationTests {
    private func load(
      _ arguments: [String] = [], environment: [String: String] = [:], files: [String: String] = [:]
    ) throws(ConfigurationError) -> LoadedConfiguration {
      try LoadedConfiguration(
        flags: ServeFlags(arguments), environment: environment,
        samples: { () throws(ConfigurationError) in "/samples" },
        readFile: { path in
          guard let text = files[path] else { throw CocoaError(.fileReadNoSuchFile) }
          return Data(text.utf8)
        })
    }

    private func refusal(
      _ arguments: [String] = [], environment: [String: String] = [:], files: [String: String] = [:]
    ) -> ConfigurationError? {
      do throws(ConfigurationError) {
        _ = try load(arguments, environment: environment, files: files)
        return nil
      } catch {
        return error
      }
    }

    @Test("Flags take precedence over the environment, and the environment over the file")
    func precedence() throws {
      let loaded = try load(
        ["--config", "server.json", "--port", "1"], environment: ["NUKE_PORT": "2", "NUKE_QUALITY": "70"],
        files: ["server.json": #"{"port": 3, "quality": 60, "max-frames": 7}"#])
      #expect(loaded.configuration.port == 1)
      #expect(loaded.configuration.quality == 70)
      #expect(loaded.configuration.frameLimit == 7)
      #expect(loaded.origins["port"] == "--port")
      #expect(loaded.origins["quality"] == "NUKE_QUALITY")
      #expect(loaded.origins["max-frames"] == "server.json")
      #expect(loaded.origins["host"] == nil)
    }

    @Test("Every setting can be a flag, a variable or in the file, and is printed as it is read")
    func allSettings() throws {
      var told = ImageServer.Configuration()
      told.keys = [Data([1])]
      told.salts = [Data([2])]
      told.presets = ["small": "rs:fit:10:10"]
      told.formatQuality = [.webp: 70]
      told.localRoots = ["": "/a", "b": "/c"]
      for setting in ServerSetting.all where !setting.isSecret {
        let values = setting.get(told)
        guard !values.isEmpty else { continue }
        let text = values.joined(separator: ",")
        guard !text.isEmpty else { continue }
        var read = ImageServer.Configuration()
        try setting.set(&read, setting.shape.isList ? values : [text])
        #expect(setting.get(read) == values, "\(setting.name)")
      }
      #expect(Set(ServerSetting.all.map(\.name)).count == ServerSetting.all.count)
    }

    @Test("Lists are repeated flags, separated by commas, or arrays, also in a file")
    func lists() throws {
      let flags = try load([
        "--allowed-sources", "https://a.example/,https://b.example/", "--allowed-sources=local:///",
      ])
      #expect(flags.configuration.allowedSources == ["https://a.example/", "https://b.example/", "local:///"])
      let variables = try load(environment: ["NUKE_FORMATS": "webp,jpg"])
      #expect(variables.configuration.negotiatedFormats == [.webp, .jpeg])
      let text = #"{"presets": ["small=rs:fit:10:10/q:50"], "allowed-sources": []}"#
      let file = try load(["--config", "f"], files: ["f": text])
      #expect(file.configuration.presets == ["small": "rs:fit:10:10/q:50"])
      let separated = try load(
        ["--config", "f"], files: ["f": #"{"allowed-sources": "https://a.example/,local:///"}"#])
      #expect(separated.configuration.allowedSources == ["https://a.example/", "local:///"])
    }

    @Test("Switches are enabled by their name and disabled with the prefix no-")
    func switches() throws {
      #expect(try load(["--allow-unsigned"]).configuration.allowsUnsigned)
      #expect(try !load(["--no-health"]).configuration.servesHealth)
      #expect(try !load(["--health=false"]).configuration.servesHealth)
      #expect(try !load(environment: ["NUKE_HEALTH": "no"]).configuration.servesHealth)
      #expect(try !load(["--config", "f"], files: ["f": #"{"health": false}"#]).configuration.servesHealth)
    }

    @Test("Sizes and durations have units")
    func units() throws {
      let loaded = try load([
        "--max-source-bytes", "3MiB", "--request-timeout", "500ms", "--ttl", "2h", "--decode-budget", "1.5GB",
      ])
      #expect(loaded.configuration.sourceByteLimit == 3 << 20)
      #expect(loaded.configuration.requestTimeout == 0.5)
      #expect(loaded.configuration.ttl == 7200)
      #expect(loaded.configuration.decodeBudget == 1_500_000_000)
    }

    @Test(
      "An invalid flag is an error with the setting and the origin of the value",
      arguments: [
        (["--port", "70000"], "port (--port): 70000 is not from 0 to 65535"),
        (["--port", "http"], "port (--port): \"http\" is not an integer"),
        (
          ["--cors-origins", "https://a.example/"],
          "cors-origins (--cors-origins): \"https://a.example/\" is not an origin, such as https://example.com, without a path"
        ),
        (["--fallback-status", "99"], "fallback-status (--fallback-status): 99 is neither 0 nor from 200 to 599"),
        (
          ["--request-timeout", "soon"],
          "request-timeout (--request-timeout): \"soon\" is not a time, such as 30s, 500ms or 5m"
        ),
        (
          ["--max-source-bytes=1e400"],
          "max-source-bytes (--max-source-bytes): \"1e400\" is not a size, such as 64MiB or 1000000"
        ),
        (["--log-format", "xml"], "log-format (--log-format): \"xml\" is not one of text, json"),
        (["--metrics=perhaps"], "metrics (--metrics): \"perhaps\" is neither true nor false"),
        (["--path-prefix", "/../x"], "path-prefix (--path-prefix): \"/../x\" is not a path, such as /images"),
        (["--host"], "--host (command line): its value is missing"),
        (["--host", "--port", "1"], "--host (command line): its value is missing"),
        (["8080"], "8080 (command line): unexpected argument: settings are flags, such as --port 8080"),
        (
          ["--keys", "00"],
          "--keys (command line): all users of this machine can read it there: set NUKE_KEYS, or NUKE_KEYS_FILE to the "
            + "path of a file, or use --config"
        ),
        (
          ["--cookie-passthrough", "a"],
          "cookie-passthrough (--cookie-passthrough): cookie-base-url is not set: it says which sources receive cookies"
        ),
        (
          ["--request-headers-passthrough", "Cookie"],
          "request-headers-passthrough (--request-headers-passthrough): \"Cookie\" cannot be passed on; use "
            + "cookie-passthrough"
        ),
        (["--http2"], "http2 (--http2): HTTP/2 needs TLS: set tls-certificate and tls-key"),
        (
          ["--demo", "--host", "0.0.0.0"],
          "host (--host): the demo serves without signatures, so it listens only on 127.0.0.1, ::1 or localhost"
        ),
      ])
    func badFlags(_ arguments: [String], _ message: String) {
      #expect(refusal(arguments)?.description == message)
    }

    @Test("An invalid value of the environment or the file is an error with its origin")
    func badOrigins() {
      #expect(
        refusal(environment: ["NUKE_QUALITY": "101"])?.description == "quality (NUKE_QUALITY): 101 is not from 1 to 100"
      )
      let list = refusal(["--config", "f"], files: ["f": #"{"allowed-sources": {"a": 1}}"#])
      #expect(list == nil || list?.setting == "allowed-sources")
      let number = refusal(["--config", "f"], files: ["f": #"{"quality": [1]}"#])
      #expect(number?.description == "quality (f): it is not a text or a number")
      #expect(refusal(["--config", "f"], files: ["f": "{"])?.description == "config (--config): f: it is not JSON")
      #expect(refusal(["--config", "g"])?.description == "config (--config): g: it cannot be read")
      #expect(refusal(environment: ["NUKE_CONFIG": "g"])?.origin == "NUKE_CONFIG")
    }

    @Test("Variables that Kubernetes sets for a service with that name are ignored")
    func services() throws {
      let environment = [
        "NUKE_SERVICE_HOST": "10.0.0.1", "NUKE_SERVICE_PORT": "80", "NUKE_SERVICE_PORT_HTTP": "80",
        "NUKE_PORT": "tcp://10.0.0.1:80", "NUKE_PORT_80_TCP": "tcp://10.0.0.1:80", "NUKE_PORT_80_TCP_PROTO": "tcp",
        "NUKE_PORT_80_TCP_PORT": "80", "NUKE_PORT_80_TCP_ADDR": "10.0.0.1", "NUKE_CACHE_SERVICE_HOST": "10.0.0.2",
        "NUKE_CACHE_PORT": "tcp://10.0.0.2:80", "NUKE_CACHE_PORT_80_UDP_ADDR": "10.0.0.2", "NUKE_QUALITY": "70",
      ]
      let plain = try load(environment: ["NUKE_QUALITY": "70"]).configuration
      #expect(try load(environment: environment).configuration == plain)
      #expect(refusal(environment: ["NUKE_SERVICE": "1"]) != nil)
    }

    @Test("An unknown setting is an error that suggests the most similar one")
    func unknown() {
      #expect(
        refusal(["--prot", "1"])?.description
          == "--prot (command line): unknown setting; did you mean --port?")
      #expect(
        refusal(environment: ["NUKE_MAX_SOURCE_BYTE": "1"])?.description
          == "NUKE_MAX_SOURCE_BYTE (environment): unknown setting; did you mean NUKE_MAX_SOURCE_BYTES?")
      #expect(
        refusal(["--config", "f"], files: ["f": #"{"qualty": 1}"#])?.description
          == "qualty (f): unknown setting; did you mean quality?")
      #expect(refusal(["--config", "f"], files: ["f": #"{"zzzzzzzzzz": 1}"#])?.reason == "unknown setting")
    }

    @Test("Keys are read, and never printed")
    func secrets() throws {
      let loaded = try load(
        ["--s3-access-key", "name"],
        environment: ["NUKE_KEYS": "c0ffee", "NUKE_SALTS": "beef", "NUKE_S3_SECRET_KEY": "hunter2"])
      #expect(loaded.configuration.keys == [Data([0xC0, 0xFF, 0xEE])])
      let lines = loaded.text.split(separator: "\n")
      #expect(lines.count == ServerSetting.all.count)
      #expect(lines.contains { $0.hasPrefix("keys ") && $0.contains("•••") && $0.hasSuffix("NUKE_KEYS") })
      #expect(!loaded.text.contains("c0ffee") && !loaded.text.contains("hunter2"))
      let bad = refusal(environment: ["NUKE_KEYS": "secret", "NUKE_SALTS": "beef"])
      #expect(bad?.description == "keys (NUKE_KEYS): it is not hexadecimal: use two digits per byte")
      let single = refusal(environment: ["NUKE_KEYS": "00"])
      #expect(single?.description == "salts: each key needs a salt, but the numbers of keys and salts are 1 and 0")
    }

    @Test("Without keys, trusted signatures and unsigned URLs, all URLs are rejected")
    func noSignatures() throws {
      let none = try load()
      let purging = try load(environment: ["NUKE_PURGE_KEYS": "01", "NUKE_PURGE_SALTS": "02"])
      #expect(none.configuration.rejectsAllURLs && purging.configuration.rejectsAllURLs)
      let unsigned = try load(["--allow-unsigned"])
      let signed = try load(environment: ["NUKE_KEYS": "01", "NUKE_SALTS": "02"])
      let trusted = try load(environment: ["NUKE_TRUSTED_SIGNATURES": "x"])
      for loaded in [unsigned, signed, trusted] { #expect(!loaded.configuration.rejectsAllURLs) }
    }

    @Test("Origins are written as browsers send them")
    func origins() throws {
      let loaded = try load(["--cors-origins", "https://A.example:8443,null,*"])
      #expect(loaded.configuration.corsOrigins == ["https://a.example:8443", "null", "*"])
      for text in ["a.example", "https://", "https://a.example?x", "https://me@a.example"] {
        #expect(refusal(["--cors-origins", text])?.setting == "cors-origins", "\(text)")
      }
    }

    @Test("Keys for purges come in pairs with salts, and must not sign images, too")
    func purgeKeys() throws {
      let loaded = try load(environment: ["NUKE_PURGE_KEYS": "01", "NUKE_PURGE_SALTS": "02"])
      #expect(loaded.configuration.purgeSigner != nil && loaded.configuration.signer == nil)
      #expect(try load().configuration.purgeSigner == nil)
      let single = refusal(environment: ["NUKE_PURGE_KEYS": "01"])
      #expect(
        single?.description == "purge-salts: each key needs a salt, but the numbers of keys and salts are 1 and 0")
      let same = refusal(
        environment: [
          "NUKE_KEYS": "01", "NUKE_SALTS": "02", "NUKE_PURGE_KEYS": "03,01", "NUKE_PURGE_SALTS": "04,05",
        ])
      #expect(same?.description.hasPrefix("purge-keys (NUKE_PURGE_KEYS): one of them is also in keys") == true)
    }

    @Test("A secret may be in a file, with a value in each line")
    func secretFiles() throws {
      let environment = ["NUKE_KEYS_FILE": "/run/keys", "NUKE_SALTS_FILE": "/run/salts", "NUKE_S3_ACCESS_KEY": "name"]
      let loaded = try load(
        environment: environment.merging(["NUKE_S3_SECRET_KEY_FILE": "/run/s3"]) { $1 },
        files: ["/run/keys": "c0ffee\n00 \n", "/run/salts": "beef,01", "/run/s3": "hunter2\n"])
      #expect(loaded.configuration.keys == [Data([0xC0, 0xFF, 0xEE]), Data([0])])
      #expect(loaded.configuration.salts == [Data([0xBE, 0xEF]), Data([1])])
      #expect(loaded.configuration.s3SecretKey == "hunter2")
      #expect(loaded.origins["keys"] == "NUKE_KEYS_FILE")
      #expect(
        refusal(environment: environment)?.description == "keys (NUKE_KEYS_FILE): /run/keys cannot be read")
      #expect(
        refusal(environment: ["NUKE_KEYS_FILE": "a", "NUKE_KEYS": "00"], files: ["a": "00"])?.description
          == "keys (NUKE_KEYS_FILE): NUKE_KEYS is also set: remove one of them")
      // Only secrets have files.
      #expect(refusal(environment: ["NUKE_PORT_FILE": "a"]) != nil)
    }

    @Test("Stores in S3 have keys or a role, and keys have secrets")
    func s3() throws {
      let keys = ["NUKE_S3_ACCESS_KEY": "a", "NUKE_S3_SECRET_KEY": "b"]
      #expect(refusal(["--s3-cache", "results"])?.setting == "s3-cache")
      #expect(refusal(["--s3-cache", "results"], environment: keys) == nil)
      #expect(refusal(["--s3-cache", "results", "--s3-credentials", "role"]) == nil)
      #expect(refusal(["--s3-credentials", "role"], environment: keys)?.setting == "s3-credentials")
      let own = ["NUKE_S3_CACHE_ACCESS_KEY": "c", "NUKE_S3_CACHE_SECRET_KEY": "d"]
      #expect(refusal(["--s3-cache", "results"], environment: own) == nil)
      #expect(refusal(["--s3-cache-access-key", "c"])?.setting == "s3-cache-access-key")
    }

    #if Redis
      @Test("Certificates for Redis need TLS, and a client certificate needs its key")
      func redisCertificates() throws {
        let secure = ["--redis-url", "rediss://a"]
        #expect(refusal(["--redis-url", "redis://a", "--redis-ca", "ca.pem"])?.setting == "redis-ca")
        #expect(refusal(["--redis-ca", "ca.pem"])?.setting == "redis-ca")
        #expect(refusal(secure + ["--redis-certificate", "a.pem"])?.setting == "redis-certificate")
        #expect(refusal(secure + ["--redis-key", "a.key"])?.setting == "redis-key")
        let files = ["--redis-ca", "ca.pem", "--redis-certificate", "a.pem", "--redis-key", "a.key"]
        #expect(refusal(["--redis-url", "rediss+sentinel://a/images"] + files) == nil)
        let configuration = try load(secure + files).configuration
        #expect(configuration.redisCA == "ca.pem")
        #expect(configuration.redisCertificate == "a.pem" && configuration.redisKey == "a.key")
      }
    #endif

    @Test("A secret on the command line is rejected, and a URL without a password is none")
    func secretFlags() throws {
      for arguments in [
        ["--s3-secret-key=x"], ["--trusted-signatures", "x"], ["--redis-url", "redis://:x@a"],
        ["--redis-sentinel-password", "x"],
      ] {
        #expect(refusal(arguments)?.reason.contains("all users of this machine") == true)
      }
      #if Redis
        #expect(try load(["--redis-url", "redis://a"]).configuration.redisURL == "redis://a")
      #endif
    }

    @Test("A proxy is a secret if its URL has a password, and needs a port and a scheme that leaves names to it")
    func proxy() throws {
      let secret = "http://me:hunter2@proxy.test:3128"
      let loaded = try load(environment: ["NUKE_PROXY": secret])
      #expect(loaded.configuration.proxy?.absoluteString == secret)
      #expect(!loaded.text.contains("hunter2") && !loaded.text.contains("proxy.test"))
      let file = try load(environment: ["NUKE_PROXY_FILE": "/run/proxy"], files: ["/run/proxy": secret + "\n"])
      #expect(file.configuration.proxy?.absoluteString == secret && file.origins["proxy"] == "NUKE_PROXY_FILE")
      #expect(refusal(["--proxy", secret])?.reason.contains("all users of this machine") == true)
      for text in ["http://proxy.test:3128", "https://proxy.test:443/", "socks5h://[::1]:1080", "HTTP://a:1"] {
        let loaded = try load(["--proxy", text])
        #expect(loaded.configuration.proxy?.absoluteString == text)
      }
      for text in [
        "proxy.test:3128", "proxy.test", "http://proxy.test", "socks5://proxy.test:1080", "socks4a://a:1", "ftp://a:1",
        "http://me:hunter2@proxy.test:3128/path", "http://:3128", "http://me:hunter2@a:1?x",
      ] {
        let error = refusal(environment: ["NUKE_PROXY": text])
        #expect(error?.setting == "proxy" && error?.reason.contains("it is not the URL of a proxy") == true, "\(text)")
        #expect(error?.description.contains("hunter2") == false)
      }
    }

    @Test("Other settings override those of the demo")
    func demo() throws {
      let loaded = try load(["--demo", "--port", "0"], environment: ["NUKE_LOCAL_ROOTS": "/mine"])
      #expect(loaded.configuration.allowsUnsigned)
      #expect(loaded.configuration.localRoots == ["": "/mine"])
      #expect(loaded.origins["allow-unsigned"] == "demo")
      #expect(loaded.origins["local-roots"] == "NUKE_LOCAL_ROOTS")
      #expect(try !load().configuration.allowsUnsigned)
    }

    @Test("The help contains all settings, in lines that fit a terminal")
    func help() {
      let help = ServeFlags.help
      for setting in ServerSetting.all { #expect(help.contains("--\(setting.name)"), "\(setting.name)") }
      for line in help.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
  }

  extension ServerSetting.Shape {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }
  }
#endif
