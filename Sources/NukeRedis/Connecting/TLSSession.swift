#if Redis
  import CNukeOpenSSL

  /// The client side of a TLS connection, without its socket: it encrypts and decrypts bytes in memory.
  ///
  /// The connection sends ``encrypted``, and passes what it receives to ``receive(_:)``. Used by one thread at a time.
  final class TLSSession {
    private let session: OpaquePointer
    /// Encrypted bytes from the server. The session owns both buffers.
    private let incoming: OpaquePointer
    /// Encrypted bytes for the server.
    private let outgoing: OpaquePointer

    /// - Parameter host: the name or address that the certificate of the server must have.
    /// - Throws: ``RedisError/notConnected(_:)`` if a file of the configuration cannot be used.
    init(_ configuration: RedisConfiguration.TLS, host: String) throws(RedisError) {
      ERR_clear_error()
      guard let context = SSL_CTX_new(TLS_client_method()) else { throw Self.failure("TLS is not available") }
      // The session retains the context.
      defer { SSL_CTX_free(context) }
      try Self.configure(context, configuration)
      guard let session = SSL_new(context), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
      else { throw .notConnected("out of memory") }
      (self.session, self.incoming, self.outgoing) = (session, incoming, outgoing)
      SSL_set_bio(session, incoming, outgoing)
      SSL_set_connect_state(session)
      SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
      // An address is compared with the addresses in the certificate, and is no server name (RFC 6066 §3).
      if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1 { return }
      guard SSL_set1_host(session, host) == 1, nuke_tls_set_server_name(session, host) == 1 else {
        throw Self.failure("\(host) is not a valid host name")
      }
    }

    deinit { SSL_free(session) }

    private static func configure(
      _ context: OpaquePointer, _ configuration: RedisConfiguration.TLS
    ) throws(RedisError) {
      guard nuke_tls_require_1_2(context) == 1 else { throw failure("TLS 1.2 is not available") }
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
      if let file = configuration.caFile {
        guard SSL_CTX_load_verify_locations(context, file, nil) == 1 else {
          throw failure("the certificate authorities in \(file) cannot be read")
        }
      } else {
        SSL_CTX_set_default_verify_paths(context)
      }
      // OpenSSL would ask for the password of a key on the terminal.
      SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
      if let file = configuration.certificateFile {
        guard SSL_CTX_use_certificate_chain_file(context, file) == 1 else {
          throw failure("the certificate in \(file) cannot be read")
        }
        let keyFile = configuration.keyFile ?? file
        guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1 else {
          throw failure("the key in \(keyFile) cannot be read, or does not belong to the certificate")
        }
      }
    }

    /// Continues the handshake. Returns `true` if it is complete; otherwise, the server has to reply to ``encrypted``.
    ///
    /// - Throws: ``RedisError/notConnected(_:)`` if the certificate of the server is not valid, among others.
    func shakeHands() throws(RedisError) -> Bool {
      ERR_clear_error()
      let result = SSL_do_handshake(session)
      if result == 1 { return true }
      guard SSL_get_error(session, result) == SSL_ERROR_WANT_READ else {
        let verdict = SSL_get_verify_result(session)
        guard verdict != Int(X509_V_OK), let text = X509_verify_cert_error_string(verdict) else {
          throw Self.failure("the TLS handshake failed")
        }
        throw .notConnected("the certificate of the server is not valid: \(String(cString: text))")
      }
      return false
    }

    /// Encrypts bytes, and adds the result to ``encrypted``.
    func send(_ bytes: UnsafeRawBufferPointer) throws(RedisError) {
      ERR_clear_error()
      guard SSL_write(session, bytes.baseAddress, CInt(bytes.count)) == CInt(bytes.count) else {
        throw Self.failure("TLS failed to encrypt")
      }
    }

    /// The bytes to send to the server. They are valid until the next call of another member.
    var encrypted: UnsafeRawBufferPointer {
      var start: UnsafePointer<CChar>?
      let count = nuke_tls_pending(outgoing, &start)
      return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// Removes sent bytes from the beginning of ``encrypted``.
    ///
    /// - Parameter scratch: memory for at least `count` bytes.
    func removeEncrypted(_ count: Int, scratch: UnsafeMutableRawPointer) {
      _ = BIO_read(outgoing, scratch, CInt(count))
    }

    /// Takes encrypted bytes from the server.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(RedisError) {
      guard BIO_write(incoming, bytes.baseAddress, CInt(bytes.count)) == CInt(bytes.count) else {
        throw .notConnected("out of memory")
      }
    }

    /// Decrypts received bytes.
    ///
    /// - Returns: the number of decrypted bytes; 0 if more encrypted bytes are needed.
    func read(into buffer: UnsafeMutableRawPointer, size: Int) throws(RedisError) -> Int {
      ERR_clear_error()
      let count = SSL_read(session, buffer, CInt(size))
      if count > 0 { return Int(count) }
      switch SSL_get_error(session, count) {
      case SSL_ERROR_WANT_READ: return 0
      case SSL_ERROR_ZERO_RETURN: throw .closed
      default: throw Self.failure("TLS failed")
      }
    }

    /// Returns an error with a description and OpenSSL's reason.
    private static func failure(_ text: String) -> RedisError {
      guard let reason = ERR_reason_error_string(ERR_peek_last_error()) else { return .notConnected(text) }
      return .notConnected("\(text): \(String(cString: reason))")
    }
  }
#endif
