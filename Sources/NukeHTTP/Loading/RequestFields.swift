import Foundation
package import FoundationNetworking

/// The header fields of a request, except those that describe its connection and its body.
package enum RequestFields {
  /// Returns the fields of the request and those that the configuration adds.
  package static func all(
    of request: URLRequest, _ configuration: DataLoader.Configuration
  ) -> [(name: String, value: String)] {
    let own = request.allHTTPHeaderFields ?? [:]
    var fields = own.map { (name: $0.key, value: $0.value) }
    if !configuration.additionalHeaders.isEmpty {
      let given = Set(own.keys.map { $0.lowercased() })
      for (name, value) in configuration.additionalHeaders where !given.contains(name.lowercased()) {
        fields.append((name, value))
      }
    }
    // Signed fields must arrive unchanged, and libcurl 7.88 signs all of these. It also sorts `accept-encoding` before
    // `accept`.
    guard configuration.signing == nil else { return fields }
    var has = (accept: false, encoding: false, agent: false)
    for (name, _) in fields {
      switch name.utf8.count {
      case 6 where name.lowercased() == "accept": has.accept = true
      case 10 where name.lowercased() == "user-agent": has.agent = true
      case 15 where name.lowercased() == "accept-encoding": has.encoding = true
      default: break
      }
    }
    if !has.accept { fields.append(("Accept", configuration.accept)) }
    if !has.encoding { fields.append(("Accept-Encoding", "identity")) }
    if !has.agent, let agent = configuration.userAgent { fields.append(("User-Agent", agent)) }
    return fields
  }

  /// Throws an error if a field cannot be sent.
  package static func check(_ name: String, _ value: String) throws(DataLoader.TransferError) {
    // The field would also be sent to servers.
    guard name.utf8.count != 19 || name.lowercased() != "proxy-authorization" else {
      throw .malformedRequest(reason: "credentials for a proxy belong in the proxy's URL, in the configuration")
    }
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }) else {
      throw .malformedRequest(reason: "\"\(name)\" cannot be the name of a header field")
    }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw .malformedRequest(reason: "the value of the header field \(name) contains a control character")
    }
  }
}
