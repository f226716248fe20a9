#if Server
  import Foundation

  /// A key as Google creates it, for an account that does not exist. The RSA key was created with `openssl genrsa 1024`
  /// for these tests, and is not used anywhere else.
  enum ServiceAccountKey {
    static func json(_ changes: [String: String?] = [:]) -> String {
      var fields: [String: String] = [
        "type": "service_account", "private_key_id": "k1", "private_key": pem,
        "client_email": "reader@project.iam.gserviceaccount.com", "token_uri": "https://oauth2.example.com/token",
      ]
      for (name, value) in changes { fields[name] = value }
      let data = (try? JSONSerialization.data(withJSONObject: fields)) ?? Data()
      return String(decoding: data, as: UTF8.self)
    }

    static let pem = "-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n"

    private static let base64 = """
      MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAMXlkV41mVezZNGJOW6/hs4VqHw8Z8ltBekpBSqTD0ThZtdMZGOO
      7JOlp0kG+rfrCPLgKp/VJmjnivAhWSZ5YN0qAGbtPAfl9bg6hYX/cNdyg5Wg4/7KfYMsSje+mmZkN+xXolHaHVCkVhJYvA5QnVq4
      nG8I6Jemm3VLUqCMYrXfAgMBAAECgYAJlZKyw1nH25JYa5LygCghNv9P9QT5xmPw5OGxLCojJd97MeHyyGtAw1cUvFfMLH/kc2Ld
      Fs+jaQNbmeHdcSd1uLtY17lJWGsaKunOj1S7tfMSck7lC7lScPwStCzkgo1rzXyJMU0dV18OWwCKhnDW80keieNupQbIkLQuygR4
      QQJBAPcfUG6X7qLnTG5J7qBNh/3Ntlz2g92m4KPzeivFbc5Q4EHIgjaXX1XTVqPQKy+a8tU2DWZyZcf1VUjEb9qY5dECQQDNAYuu
      YOg/T2HLlu+ES+BrSpGQR93COQVkKevZhL6O+MNC1EWR6mMnHmuH1+w+lJo1BHrhDXYRL27up2VD/tyvAkEAiT88/o8nHBZ13nL1
      MtachpsvgyXuSrYZ4TSiT5kQyRsl0aM4nnUnn5UGc2hz87aM01l3y8QRPyLEQOvIa5GrYQJAGr3535xqj1+mjS06P1K6iqRmiqCl
      T+GqT1+ckXpcdUAEEKKqFJezqXWxZz4GZj9yQjo8YUElRqaeXOlfL1h+pwJAQkym3k1JIueZ+2rGEyv5UdBExAYPn1BmOJsDOmfE
      hB2Vna4cPRM5ePOWy7Lwo53vYYYqMDc5+W3sdlCzTRPozQ==
      """
  }
#endif
