#if Server
  import Hummingbird
  import HummingbirdCore
  import HummingbirdTLS
  import NIOSSL

  extension ImageServer {
    /// Returns the server for the configured protocols: HTTP/1.1, with TLS if there is a certificate, and HTTP/2 if it
    /// is enabled.
    ///
    /// - Parameter dependencies: the objects that connections use.
    func serverBuilder(_ dependencies: ConnectionDependencies) throws(ConfigurationError) -> HTTPServerBuilder {
      let limits = configuration.clientLimits
      guard let tls = try tlsConfiguration else { return .images(limits: limits, dependencies) }
      do {
        // Reports an invalid certificate or key before the server listens.
        _ = try NIOSSLContext(configuration: tls)
        return configuration.isHTTP2Enabled
          ? .images(http2With: tls, limits: limits, dependencies)
          : try .tls(.images(limits: limits, dependencies), tlsConfiguration: tls)
      } catch {
        throw ConfigurationError("tls-key", at: configuration.tlsKey ?? "", "TLS cannot be set up with it: \(error)")
      }
    }

    private var tlsConfiguration: TLSConfiguration? {
      get throws(ConfigurationError) {
        guard let chain = configuration.tlsCertificate, let key = configuration.tlsKey else { return nil }
        let certificates: [NIOSSLCertificate]
        do {
          certificates = try NIOSSLCertificate.fromPEMFile(chain)
        } catch {
          throw ConfigurationError("tls-certificate", at: chain, "it cannot be read, or has no certificate in PEM")
        }
        guard !certificates.isEmpty else {
          throw ConfigurationError("tls-certificate", at: chain, "it has no certificate in PEM")
        }
        let privateKey: NIOSSLPrivateKey
        do {
          privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
        } catch {
          throw ConfigurationError("tls-key", at: key, "it cannot be read, or has no private key in PEM")
        }
        return TLSConfiguration.makeServerConfiguration(
          certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
      }
    }
  }
#endif
