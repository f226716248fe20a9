#if Server
  import Foundation
  import NukeServing

  // The settings for parsing and verifying URLs.
  extension ImageServer.Configuration {
    var signer: URLSigner? { signer(keys, salts) }

    /// The signer of requests to purge images; `nil` if nothing can be purged.
    var purgeSigner: URLSigner? { signer(purgeKeys, purgeSalts) }

    private func signer(_ keys: [Data], _ salts: [Data]) -> URLSigner? {
      let pairs = zip(keys, salts).map { URLSigner.Pair(key: [UInt8]($0), salt: [UInt8]($1)) }
      return pairs.isEmpty ? nil : URLSigner(pairs, size: signatureSize)
    }

    /// Encrypts and decrypts the sources of URLs; `nil` without a key.
    var cipher: SourceCipher? { sourceEncryptionKey.flatMap { SourceCipher(key: [UInt8]($0)) } }

    var verifier: URLVerifier {
      URLVerifier(
        signer: signer, allowsUnsigned: allowsUnsigned, trustedSignatures: Set(trustedSignatures),
        purgeSigner: purgeSigner, bearerToken: bearerToken)
    }

    /// `true` if there is no signature that the server accepts.
    var rejectsAllURLs: Bool { keys.isEmpty && trustedSignatures.isEmpty && !allowsUnsigned }

    /// The rules for URLs and their sources.
    var urlRules: URLRules {
      get throws(ConfigurationError) {
        var rules = URLRules()
        rules.presets = try imagePresets
        rules.hasOnlyPresets = allowsOnlyPresets
        rules.hasFilenames = ignoresFilenames
        rules.allowedOptions = Set(allowedOptions)
        rules.defaults.autoRotates = autoRotates
        rules.defaults.skippedFormats = Set(skippedFormats)
        rules.sources = try sourceRules
        rules.cipher = cipher
        return rules
      }
    }

    var imagePresets: ImagePresets {
      get throws(ConfigurationError) {
        let text = try presetFile.map { path throws(ConfigurationError) in try Self.text(ofPresets: path) } ?? ""
        do throws(PresetFile.InvalidLine) {
          return try PresetFile(text).presets(under: presets)
        } catch {
          guard let line = error.line, let presetFile else {
            throw ConfigurationError("presets", error.reason)
          }
          throw ConfigurationError("preset-file", at: "\(presetFile):\(line)", error.reason)
        }
      }
    }

    private static func text(ofPresets path: String) throws(ConfigurationError) -> String {
      let data = try Self.data("preset-file", path)
      guard let text = String(data: data, encoding: .utf8) else {
        throw ConfigurationError("preset-file", "\(path) is not UTF-8: write one NAME=OPTIONS in each line")
      }
      return text
    }

    /// Returns the contents of the file that a setting names.
    static func data(_ setting: String, _ path: String) throws(ConfigurationError) -> Data {
      do {
        return try Data(contentsOf: URL(fileURLWithPath: path))
      } catch {
        throw ConfigurationError(setting, FileProblem.reason(path, error))
      }
    }
  }
#endif
