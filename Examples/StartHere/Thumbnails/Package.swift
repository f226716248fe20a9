// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Thumbnails",
  dependencies: [
    .package(name: "nuke", path: "../../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
  ],
  targets: [
    .executableTarget(
      name: "Thumbnails",
      dependencies: [
        .product(name: "Nuke", package: "nuke"), .product(name: "Hummingbird", package: "hummingbird"),
      ])
  ])
