import Foundation
import Nuke
import NukeTesting
import Testing

/// The tests are deprecated themselves, so that the names they use do not warn.
@Suite("The API of version 13")
struct Nuke13Tests {
  let url = imageURL("a")

  @Test("A request can be created with user info")
  @available(*, deprecated)
  func userInfo() {
    let info: [ImageRequest.UserInfoKey: any Sendable] = ["place": "list"]
    let requests = [
      ImageRequest(
        url: url, processors: [FakeProcessor("p")], priority: .high, options: .disableDiskCache, userInfo: info),
      ImageRequest(
        urlRequest: URLRequest(url: url), processors: [FakeProcessor("p")], priority: .high, options: .disableDiskCache,
        userInfo: info),
      ImageRequest(
        id: "a", data: { Data() }, processors: [FakeProcessor("p")], priority: .high, options: .disableDiskCache,
        userInfo: info),
      ImageRequest(
        id: "a", image: { ImageContainer(image: .init()) }, processors: [FakeProcessor("p")], priority: .high,
        options: .disableDiskCache, userInfo: info),
    ]
    for request in requests {
      #expect(request.userInfo["place"] as? String == "list")
      #expect(request.priority == .high)
      #expect(request.options == .disableDiskCache)
      #expect(request.processors.map(\.identifier) == ["p"])
    }
    #expect(ImageRequest(url: url, userInfo: nil).userInfo.isEmpty)
  }

  @Test("A scale can be a Float")
  @available(*, deprecated)
  func scale() {
    var request = ImageRequest(url: url)
    let wanted: Float = 2.5
    request.scale = wanted
    let (wide, narrow): (CGFloat, Float) = (request.scale, request.scale)
    #expect(wide == 2.5)
    #expect(narrow == 2.5)
    request.scale = -wanted
    let ignored: CGFloat = request.scale
    #expect(ignored == 1)
  }

  @Test("The start of a task is not an event")
  @available(*, deprecated)
  func started() {
    let events: [ImageTask.Event] = [
      .progress(.init(completed: 1, total: 2)), .finished(.failure(.cancelled)),
    ]
    for event in events {
      switch event {
      case .started: Issue.record("\(event) is none")
      case .progress, .preview, .finished: break
      }
      if case ImageTask.Event.started = event { Issue.record("\(event) is none") }
    }
  }
}
