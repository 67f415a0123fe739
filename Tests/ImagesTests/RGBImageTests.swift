import Images
import Testing

@Suite struct RGBImageTests {
  private let image = RGBImage(rows: [
    [RGB(1, 2, 3), RGB(4, 5, 6), RGB(7, 8, 9)],
    [RGB(10, 11, 12), RGB(13, 14, 15), RGB(16, 17, 18)],
  ])

  @Test func `pixels lie row by row`() {
    #expect(image.width == 3)
    #expect(image.height == 2)
    #expect(image[2, 0] == RGB(7, 8, 9))
    #expect(image[0, 1] == RGB(10, 11, 12))
    #expect(image.pixels[5] == RGB(16, 17, 18))
    #expect(image.row(1) == [RGB(10, 11, 12), RGB(13, 14, 15), RGB(16, 17, 18)])
  }

  @Test func `the three ways to make an image agree`() {
    #expect(RGBImage(width: 3, height: 2, pixels: image.pixels) == image)
    #expect(RGBImage(width: 3, height: 2) { x, y in image[x, y] } == image)
    #expect(RGBImage(width: 2, height: 3, pixels: image.pixels) != image)
  }

  @Test func `a change leaves the copy alone`() {
    var copy = image
    copy.setRow(0, to: image.row(1))
    copy[1, 1] = RGB(grey: 0)
    #expect(copy.row(0) == image.row(1))
    #expect(copy.row(1) == [RGB(10, 11, 12), RGB(0, 0, 0), RGB(16, 17, 18)])
    #expect(image[1, 1] == RGB(13, 14, 15))
  }

  @Test func `a description shows the pixels of a small image`() {
    #expect(image.description == "3 × 2 pixels (#010203 #040506 #070809 | #0A0B0C #0D0E0F #101112)")
    let tall = RGBImage(width: 1, height: 10_000) { _, _ in RGB(grey: 255) }
    #expect(tall.description.hasPrefix("1 × 10000 pixels (#FFFFFF | #FFFFFF |"))
    #expect(tall.description.hasSuffix("| #FFFFFF | …)"))
    #expect(tall.description.count < 300)
    #expect(RGBImage.town(width: 5_000, height: 3).description.count < 300)
  }

  @Test func `the town can be painted at any size`() {
    for (width, height) in [(1, 1), (3, 2), (240, 180), (7, 500)] {
      let town = RGBImage.town(width: width, height: height)
      #expect(town.width == width)
      #expect(town.height == height)
    }
  }
}
