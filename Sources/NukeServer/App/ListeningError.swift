#if Server
  import Foundation
  import Hummingbird
  import HummingbirdCore
  import NIOCore
  import NIOPosix
  import ServiceLifecycle

  /// The reason why the server cannot listen. The description names the address and the settings that choose it.
  struct ListeningError: Error, Hashable, CustomStringConvertible {
    let description: String

    /// Creates the error of a place; `nil` for an error that has another cause than the place.
    init?(_ error: any Error, at place: ListeningPlace) {
      let (reason, settings): (String, String)
      switch error {
      case let error as IOError where error.errnoCode == EADDRINUSE:
        description = "\(place) is in use: set another \(place.portSetting), or end the other program"
        return
      case let error as IOError:
        (reason, settings) = (String(cString: strerror(error.errnoCode)).lowercased(), place.settings)
      case let error as SocketAddressError.UnknownHost:
        (reason, settings) = ("the host \(error.host) cannot be resolved", place.hostSetting)
      case SocketAddressError.unixDomainSocketPathTooLong:
        (reason, settings) = ("the path is longer than \(Self.longestPath) bytes", place.settings)
      case is UnixDomainSocketPathWrongType:
        (reason, settings) = ("the file exists and is not a socket", place.settings)
      default: return nil
      }
      description = "cannot listen on \(place): \(reason): set another \(settings)"
    }

    /// The maximum length of the path of a socket. SwiftNIO has the limit of the system with the shortest paths.
    private static let longestPath = 103
  }

  /// A place to listen on, as it is configured.
  enum ListeningPlace: CustomStringConvertible {
    /// The names of the settings `host` and `port` begin with `prefix`.
    case port(Int, host: String, prefix: String = "")
    case socket(path: String)

    var address: BindAddress {
      switch self {
      case .port(let port, let host, _): .hostname(host, port: port)
      case .socket(let path): .unixDomainSocket(path: path)
      }
    }

    var description: String {
      switch self {
      case .port(let port, let host, _): ListeningAddress.text(host: host, port: port)
      case .socket(let path): "unix:\(path)"
      }
    }

    fileprivate var hostSetting: String {
      switch self {
      case .port(_, _, let prefix): prefix + "host"
      case .socket: "socket"
      }
    }

    fileprivate var portSetting: String {
      switch self {
      case .port(_, _, let prefix): prefix + "port"
      case .socket: "socket"
      }
    }

    fileprivate var settings: String {
      hostSetting == portSetting ? portSetting : "\(hostSetting) or \(portSetting)"
    }
  }

  /// A server of HTTP whose errors name the place that it cannot listen on.
  struct Listener: Service {
    let place: ListeningPlace
    let application: any Service

    func run() async throws {
      do {
        try await application.run()
      } catch {
        throw ListeningError(error, at: place) ?? error
      }
    }
  }
#endif
