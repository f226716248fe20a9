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
        throw ConfigurationError(
          "tls-key",
          "TLS cannot be set up with \(configuration.tlsKey ?? ""): set the key of tls-certificate (\(error))")
      }
    }

    private static func notPEM(_ path: String, _ content: String) -> String {
      "\(path) cannot be read, or has no \(content) in PEM: set the path of a file with one"
    }

    private var tlsConfiguration: TLSConfiguration? {
      get throws(ConfigurationError) {
        guard let chain = configuration.tlsCertificate, let key = configuration.tlsKey else { return nil }
        let certificates: [NIOSSLCertificate]
        do {
          certificates = try NIOSSLCertificate.fromPEMFile(chain)
        } catch {
          throw ConfigurationError("tls-certificate", Self.notPEM(chain, "certificate"))
        }
        guard !certificates.isEmpty else {
          throw ConfigurationError("tls-certificate", Self.notPEM(chain, "certificate"))
        }
        let privateKey: NIOSSLPrivateKey
        do {
          privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
        } catch {
          throw ConfigurationError("tls-key", Self.notPEM(key, "private key"))
        }
        return TLSConfiguration.makeServerConfiguration(
          certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
      }
    }
  }
#endif
