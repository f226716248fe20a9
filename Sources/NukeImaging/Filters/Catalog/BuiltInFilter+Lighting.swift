import CNukeKernels
import Foundation

extension BuiltInFilter {
  static let lighting: [BuiltInFilter] = [
    BuiltInFilter(
      "CISpotLight",
      """
      Lights the image with a spotlight. Colors are multiplied by the light's color, brightness · max(cos, \
      0)^(1/concentration). The cosine is that of the angle at the light between the pixel and the point the light \
      points at, in pixels, with the image at the height 0. Our own formula.
      """,
      [
        .vector("inputLightPosition", [400, 600, 150]), .vector("inputLightPointsAt", [200, 200, 0]),
        .number("inputBrightness", 3), .number("inputConcentration", 0.1, in: 0.001...1e6),
        .color("inputColor", .white),
      ]
    ) { values, image in
      let (light, target) = (values.vector("inputLightPosition"), values.vector("inputLightPointsAt"))
      let position = SIMD3(light[0], light[1], light[2])
      let axis = (SIMD3(target[0], target[1], target[2]) - position).normalized
      let (power, brightness) = (1 / values.number("inputConcentration"), values.number("inputBrightness"))
      let lightColor = values.color("inputColor").straight * brightness
      return image.recolored { color, place in
        let cosine = ((SIMD3(place, 0) - position).normalized * axis).sum()
        return color * lightColor * pow(max(cosine, 0), power)
      }
    },
    BuiltInFilter(
      "CIHeightFieldFromMask",
      """
      Makes a height field from a mask. The gray value rises from the edge of the area with a luminance of at least \
      1/2, as a quarter circle: √(1 − (1 − d/radius)²) up to the radius, then 1, where d is the distance to the \
      nearest pixel below 1/2. Those pixels are black. BT.709 luminance. Our own formula, following Core Image's \
      description.
      """,
      [.number("inputRadius", 10, in: 0...1e6)]
    ) { values, image in
      let plane = LuminancePlane(image)
      let squares = plane.squaredDistances(to: { $0 < 0.5 })
      let radius = values.radius
      return image.recolored { _, column, row in
        let distance = squares[row * plane.width + column].squareRoot()
        let rest = distance < radius ? 1 - distance / radius : 0
        return SIMD3(repeating: distance > 0 ? (1 - rest * rest).squareRoot() : 0)
      }
    },
    BuiltInFilter(
      "CIShadedMaterial",
      """
      Lights the image, used as a height field, like the ball in the shading image. The height is the BT.709 \
      luminance. The shading image is sampled at (1 + n) / 2 of its sides, bilinearly. n is x and y of the unit vector \
      along (−scale · slope, 1), where the slope is half the difference of the pixels on both sides. Alpha is that of \
      the image. Our own formula.
      """,
      [.image("inputShadingImage"), .number("inputScale", 10, in: 0...1e6)]
    ) { values, image in
      let (plane, scale) = (LuminancePlane(image), values.scale)
      let (shading, size) = (values.image("inputShadingImage"), values.image("inputShadingImage").extent)
      let lit = shading.warped(width: image.pixelWidth, height: image.pixelHeight, edges: .repeated) { point in
        let (column, row) = (Int(point.x), image.pixelHeight - 1 - Int(point.y))
        let slope = ImagePoint(
          plane[column + 1, row] - plane[column - 1, row], plane[column, row - 1] - plane[column, row + 1])
        let normal = SIMD3(-slope.x / 2 * scale, -slope.y / 2 * scale, 1).normalized
        return (ImagePoint(normal.x, normal.y) + 1) / 2 * size
      }
      return lit?.withScale(image.scale).blended(over: image, nuke_blend_source_in)
    },
  ]
}

extension SIMD3<Double> {
  fileprivate var normalized: SIMD3<Double> { self / (self * self).sum().squareRoot() }
}

extension LuminancePlane {
  /// Returns, for each pixel, the squared distance to the nearest pixel that is `wanted`, in pixels; infinity if there
  /// is none.
  ///
  /// Uses the algorithm of Felzenszwalb and Huttenlocher: columns first, then the lower envelope of parabolas along the
  /// rows.
  fileprivate func squaredDistances(to wanted: (Double) -> Bool) -> [Double] {
    var squares = [Double](repeating: .infinity, count: width * height)
    for column in 0..<width {
      var distance = Double.infinity
      for row in 0..<height {
        distance = wanted(self[column, row]) ? 0 : distance + 1
        squares[row * width + column] = distance * distance
      }
      distance = .infinity
      for row in (0..<height).reversed() {
        distance = wanted(self[column, row]) ? 0 : distance + 1
        squares[row * width + column] = min(squares[row * width + column], distance * distance)
      }
    }
    // The vertices of the parabolas, and the positions from which each is the lowest.
    var vertices = [(place: Int, from: Double)]()
    for row in 0..<height {
      let start = row * width
      vertices.removeAll(keepingCapacity: true)
      for column in 0..<width where squares[start + column].isFinite {
        let value = squares[start + column] + Double(column * column)
        var from = -Double.infinity
        while let last = vertices.last {
          let other = squares[start + last.place] + Double(last.place * last.place)
          from = (value - other) / Double(2 * (column - last.place))
          if from > last.from { break }
          vertices.removeLast()
          from = -Double.infinity
        }
        vertices.append((column, from))
      }
      guard !vertices.isEmpty else { continue }
      let heights = vertices.map { squares[start + $0.place] }
      var current = 0
      for column in 0..<width {
        while current + 1 < vertices.count, vertices[current + 1].from < Double(column) { current += 1 }
        let offset = Double(column - vertices[current].place)
        squares[start + column] = offset * offset + heights[current]
      }
    }
    return squares
  }
}
