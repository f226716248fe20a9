#if Server
  import Logging

  // The settings that can change while the server runs.
  extension ImageServer {
    /// Applies the settings that can change while the server runs, and logs the names of those that need a restart.
    ///
    /// - Parameter next: the settings as they are now.
    /// - Throws: ``ConfigurationError`` for an invalid setting. Nothing changes then.
    package func reload(_ next: Configuration) throws(ConfigurationError) {
      let applied = configuration.reloading(next)
      try dependencies.reload(applied)
      logger.notice("reloaded keys, presets, qualities and the watermark")
      let waiting = applied.settings(differingFrom: next)
      guard !waiting.isEmpty else { return }
      logger.warning("settings that have changed, and need a restart: \(waiting.joined(separator: ", "))")
    }
  }

  extension ImageServer.Configuration {
    /// Returns this configuration with those settings of another one that can change while a server runs.
    func reloading(_ other: Self) -> Self {
      var result = self
      (result.keys, result.salts) = (other.keys, other.salts)
      (result.signatureSize, result.trustedSignatures) = (other.signatureSize, other.trustedSignatures)
      (result.allowsUnsigned, result.sourceEncryptionKey) = (other.allowsUnsigned, other.sourceEncryptionKey)
      // A server that started without keys for purges has nothing that purges.
      if !purgeKeys.isEmpty { (result.purgeKeys, result.purgeSalts) = (other.purgeKeys, other.purgeSalts) }
      (result.presets, result.presetFile) = (other.presets, other.presetFile)
      (result.allowsOnlyPresets, result.allowedOptions) = (other.allowsOnlyPresets, other.allowedOptions)
      result.ignoresFilenames = other.ignoresFilenames
      result.bearerToken = other.bearerToken
      (result.skippedFormats, result.autoRotates) = (other.skippedFormats, other.autoRotates)
      (result.preferredFormats, result.colorCountOfPNG) = (other.preferredFormats, other.colorCountOfPNG)
      (result.quality, result.formatQuality) = (other.quality, other.formatQuality)
      result.formatEffort = other.formatEffort
      result.writesProgressiveJPEG = other.writesProgressiveJPEG
      (result.stripsMetadata, result.keepsCopyright) = (other.stripsMetadata, other.keepsCopyright)
      (result.keepsLocation, result.sendsSVG) = (other.keepsLocation, other.sendsSVG)
      result.usesThumbnails = other.usesThumbnails
      (result.watermark, result.watermarkData) = (other.watermark, other.watermarkData)
      result.watermarkOpacity = other.watermarkOpacity
      return result
    }

    /// Returns the names of the settings whose values are not those of another configuration, in the order of the help.
    func settings(differingFrom other: Self) -> [String] {
      // Keys and salts are written as empty texts, so only their numbers are compared.
      ServerSetting.all.filter { $0.get(self) != $0.get(other) }.map(\.name)
    }
  }
#endif
