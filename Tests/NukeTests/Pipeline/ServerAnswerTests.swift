import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeOrigin
import NukeTesting
import Testing

@Suite("The URLResponse of a result", .timeLimit(.minutes(1)))
struct ServerAnswerTests {
  let data = SampleImage.png(width: 20, height: 10)
  private let origins = Origins()

  private func origin() throws -> NukeOrigin {
    try origins.start { [data] _ in
      var response = NukeOrigin.Response.data(data, type: "image/png")
      response.headers += [("ETag", "\"v1\""), ("X-Part", "one"), ("x-part", "two")]
      return response
    }
  }

  private func check(_ response: URLResponse?, from url: URL) throws {
    let response = try #require(response as? HTTPURLResponse)
    #expect(response.url == url)
    #expect(response.statusCode == 200)
    #expect(response.mimeType == "image/png")
    #expect(response.expectedContentLength == data.count)
    #expect(response.value(forHTTPHeaderField: "etag") == "\"v1\"")
    #expect(response.value(forHTTPHeaderField: "X-Part") == "one, two")
  }

  @Test("The decoder and all copies of the response have the same object")
  func oneObject() async throws {
    let origin = try origin()
    let contexts = Lock<[ImageDecodingContext]>([])
    let pipeline = ImagePipeline.fake(loader: DataLoader(configuration: .init())) {
      $0.makeImageDecoder = { context in
        contexts.withLock { $0.append(context) }
        return ImageDecoders.Default()
      }
    }
    let url = origin.url("/a.png")
    let response = try await pipeline.imageTask(with: url).response
    let copy = response
    try check(response.urlResponse, from: url)
    let context = try #require(contexts.withLock { $0.first })
    #expect(response.urlResponse === copy.urlResponse)
    #expect(response.urlResponse === context.urlResponse)
  }

  @Test("Concurrent threads get the same object")
  func concurrentReads() async throws {
    let origin = try origin()
    let pipeline = ImagePipeline.fake(loader: DataLoader(configuration: .init()))
    let response = try await pipeline.imageTask(with: origin.url("/a.png")).response
    let objects = await withTaskGroup(of: URLResponse?.self) { group in
      for _ in 0..<16 { group.addTask { response.urlResponse } }
      return await group.reduce(into: [URLResponse?]()) { $0.append($1) }
    }
    #expect(objects.count == 16)
    #expect(objects.allSatisfy { $0 != nil && $0 === response.urlResponse })
  }

  @Test("Data that is not decoded has a URLResponse")
  func undecoded() async throws {
    let origin = try origin()
    let url = origin.url("/a.png")
    let (data, response) = try await ImagePipeline.fake(loader: DataLoader(configuration: .init()))
      .data(for: ImageRequest(url: url))
    #expect(data == self.data)
    try check(response, from: url)
  }

  @Test("The object of a custom loader is returned itself")
  func ownLoader() async throws {
    let url = imageURL("a.png")
    let answer = URLResponse(url: url, mimeType: "image/png", expectedContentLength: data.count, textEncodingName: nil)
    let loader = FakeDataLoader()
    loader.answer(url, with: .data(data, response: answer))
    let response = try await ImagePipeline.fake(loader: loader).imageTask(with: url).response
    #expect(response.urlResponse === answer)
  }

  @Test("A program can set it")
  func setting() {
    let first = URLResponse(url: imageURL("a"), mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
    let second = URLResponse(url: imageURL("b"), mimeType: nil, expectedContentLength: 2, textEncodingName: nil)
    let request = ImageRequest(url: imageURL("a"))
    var response = ImageResponse(
      container: ImageContainer(image: PlatformImage()), request: request, urlResponse: first)
    let copy = response
    response.urlResponse = second
    #expect(response.urlResponse === second && copy.urlResponse === first)
    response.urlResponse = nil
    #expect(response.urlResponse == nil)

    var context = ImageDecodingContext(request: request, data: Data(), urlResponse: first)
    #expect(context.urlResponse === first)
    context.urlResponse = second
    #expect(context.urlResponse === second)
    #expect(ImageEncodingContext(request: request, image: PlatformImage(), urlResponse: first).urlResponse === first)
  }
}
