#if Server
  import NukeServing

  // The settings for the contents of responses.
  extension ImageServer.Configuration {
    /// The header fields and cookies that sources receive.
    var passthrough: FieldPassthrough {
      get throws(ConfigurationError) {
        guard !passedCookies.isEmpty else { return FieldPassthrough(fields: passedHeaders) }
        guard let cookieBaseURL else {
          throw ConfigurationError(
            "cookie-passthrough", "cookie-base-url is not set: it says which sources receive cookies")
        }
        guard let sources = SourcePattern(cookieBaseURL), ["http", "https"].contains(sources.scheme) else {
          throw ConfigurationError(
            "cookie-base-url",
            "\(cookieBaseURL.debugDescription) is not an http or https URL, such as https://photos.example.com/")
        }
        return FieldPassthrough(
          fields: passedHeaders,
          cookies: .init(passedCookies.contains("*") ? nil : Set(passedCookies), to: sources))
      }
    }

    /// Returns the settings of responses.
    ///
    /// - Parameter passthrough: the fields that sources receive.
    func responseSettings(_ passthrough: FieldPassthrough) -> AnswerSettings {
      var settings = AnswerSettings()
      settings.passthrough = passthrough
      settings.offeredFormats = negotiatedFormats
      settings.enforcedFormats = enforcedFormats
      settings.isAttachment = sendsAttachments
      settings.entityTagSuffix = entityTagSuffix ?? ""
      settings.clientHints = usesClientHints ? [.dpr, .width] : []
      settings.freshness = ttl
      settings.honorsNoCache = honorsNoCache
      settings.fallbackStatus = fallbackStatus == 0 ? nil : fallbackStatus
      settings.fallbackFreshness = fallbackTTL
      settings.sendsSizes = sendsSizes
      settings.allowedOrigins =
        corsOrigins.isEmpty ? .none : corsOrigins.contains("*") ? .any : .only(Set(corsOrigins))
      return settings
    }
  }
#endif
