/// A matrix for straight (not premultiplied) colors: four weighted sums of red, green, blue, alpha and 1.
package struct PixelMatrix: Hashable, Sendable {
  /// The rows for red, green, blue and alpha of the result, each with the weights of red, green, blue and alpha, and a
  /// constant.
  package var rows: [[Double]]

  /// - Parameter rows: four rows of five numbers.
  package init(rows: [[Double]]) { self.rows = rows }

  package static let identity = PixelMatrix(rows: [
    [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0],
  ])

  /// The weights of the channels in the ITU-R BT.709 luminance.
  package static let luminance = (red: 0.2126, green: 0.7152, blue: 0.0722)

  /// Creates a matrix for color only, from three rows of three numbers.
  package init(colors rows: [[Double]], adding bias: [Double] = [0, 0, 0]) {
    self.rows = zip(rows, bias).map { $0 + [0, $1] } + [[0, 0, 0, 1, 0]]
  }

  /// Creates a matrix that computes the luminance times `color`, plus `bias`.
  package init(luminanceTimes color: [Double], adding bias: [Double] = [0, 0, 0]) {
    let (red, green, blue) = Self.luminance
    self.init(colors: color.map { [red * $0, green * $0, blue * $0] }, adding: bias)
  }

  /// Returns the product: this matrix is applied first, then `other`.
  package func followed(by other: PixelMatrix) -> PixelMatrix {
    PixelMatrix(
      rows: other.rows.map { row in
        (0..<5).map { column in
          (0..<4).reduce(column == 4 ? row[4] : 0) { $0 + row[$1] * rows[$1][column] }
        }
      })
  }

  /// Interpolates between the identity (0) and this matrix (1). Other values extrapolate.
  package func mixed(_ amount: Double) -> PixelMatrix {
    PixelMatrix(
      rows: zip(rows, Self.identity.rows).map { row, identity in
        zip(row, identity).map { $1 + ($0 - $1) * amount }
      })
  }

  /// Returns a matrix that moves colors away from gray of the same luminance (above 1) or towards it (below 1).
  package static func saturation(_ amount: Double) -> PixelMatrix {
    PixelMatrix(luminanceTimes: [1, 1, 1]).mixed(1 - amount)
  }

  /// Returns a matrix for (c − 1/2) · contrast + 1/2 + brightness.
  package static func contrast(_ contrast: Double, brightness: Double = 0) -> PixelMatrix {
    let bias = 0.5 - contrast / 2 + brightness
    return PixelMatrix(colors: [[contrast, 0, 0], [0, contrast, 0], [0, 0, contrast]], adding: [bias, bias, bias])
  }

  /// `true` if alpha is unchanged.
  var keepsAlpha: Bool { rows[3] == Self.identity.rows[3] }
}

extension PixelMatrix {
  /// The weights in the form that the kernel uses: for each of red, green and blue, those of the three channels and of
  /// alpha. `nil` if they are too large, or alpha changes.
  ///
  /// For premultiplied pixels, the weights of alpha and of the constant are one weight if alpha has no weight or is
  /// always 1.
  func fixedPoint(isOpaque: Bool) -> [Int16]? {
    guard keepsAlpha, isOpaque || rows[..<3].allSatisfy({ $0[3] == 0 }) else { return nil }
    var result: [Int16] = []
    for row in rows[..<3] {
      // The rounding error is carried over, so that weights with a sum of one keep this sum.
      var carry = 0.0
      for weight in [row[0], row[1], row[2], row[3] + row[4]] {
        let exact = weight * Double(1 << 12)
        let wanted = exact + carry
        guard abs(wanted) < 32767 else { return nil }
        let rounded = exact == exact.rounded() ? exact : wanted.rounded()
        carry = exact == exact.rounded() ? carry : wanted - rounded
        result.append(Int16(rounded))
      }
    }
    return result
  }
}
