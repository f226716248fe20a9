import CNukeCurl
import Foundation

/// Opens the sockets that libcurl connects.
enum CurlSocket {
  /// Opens a socket for the address that libcurl is about to connect to. Returns `CURL_SOCKET_BAD` for a refused
  /// address; libcurl then tries the host's next one.
  static func open(_ target: UnsafeMutablePointer<curl_sockaddr>, for transfer: CurlTransfer) -> curl_socket_t {
    guard let (address, port) = read(target), transfer.mayConnect(to: address) else { return CURL_SOCKET_BAD }
    if let dialing = transfer.dialing {
      guard let (address, port) = dialing.connect(address, port) else { return CURL_SOCKET_BAD }
      write(address, port, to: target)
    }
    let kind = target.pointee.socktype
    return socket(target.pointee.family, kind | CInt(SOCK_CLOEXEC.rawValue), target.pointee.protocol)
  }

  /// Returns the address as a `sockaddr`. libcurl's structure declares only its beginning, but has room for the largest
  /// address.
  private static func system(_ target: UnsafeMutablePointer<curl_sockaddr>) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(target) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
  }

  /// Returns the address and port; `nil` for an address that is not IP.
  private static func read(_ target: UnsafeMutablePointer<curl_sockaddr>) -> (IPAddress, UInt16)? {
    switch target.pointee.family {
    case AF_INET:
      let address = system(target).loadUnaligned(as: sockaddr_in.self)
      return (
        IPAddress(version4: UInt32(bigEndian: address.sin_addr.s_addr)), UInt16(bigEndian: address.sin_port)
      )
    case AF_INET6:
      var address = system(target).loadUnaligned(as: sockaddr_in6.self)
      return (
        withUnsafeBytes(of: &address.sin6_addr) { IPAddress(version6Bytes: $0) }, UInt16(bigEndian: address.sin6_port)
      )
    default: return nil
    }
  }

  private static func write(_ address: IPAddress, _ port: UInt16, to target: UnsafeMutablePointer<curl_sockaddr>) {
    if address.isVersion4 {
      var new = sockaddr_in()
      new.sin_family = sa_family_t(AF_INET)
      new.sin_port = port.bigEndian
      new.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.low).bigEndian
      target.pointee.family = AF_INET
      target.pointee.addrlen = CUnsignedInt(MemoryLayout<sockaddr_in>.size)
      system(target).storeBytes(of: new, as: sockaddr_in.self)
    } else {
      var new = sockaddr_in6()
      new.sin6_family = sa_family_t(AF_INET6)
      new.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &new.sin6_addr) { bytes in
        bytes.storeBytes(of: address.high.bigEndian, as: UInt64.self)
        bytes.storeBytes(of: address.low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      target.pointee.family = AF_INET6
      target.pointee.addrlen = CUnsignedInt(MemoryLayout<sockaddr_in6>.size)
      system(target).storeBytes(of: new, as: sockaddr_in6.self)
    }
  }
}
