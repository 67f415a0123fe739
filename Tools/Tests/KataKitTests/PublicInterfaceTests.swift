import Foundation
import Testing

@testable import KataKit

@Suite struct PublicInterfaceTests {
  private static let stub = """
    // swift-interface-format-version: 1.0
    import Dispatch
    final public class Store : Swift.Sendable {
      public init()
      final public func add(_ photo: Photo, after seconds: Swift.Double)
      final public var count: Swift.Int {
        get
      }
    }
    """

  private func contains(_ text: String) -> Bool {
    PublicInterface(text).isCompatible(with: PublicInterface(Self.stub))
  }

  @Test func `what shows more, imports other modules or is checked by its author will do`() {
    #expect(contains(Self.stub))
    #expect(contains("import Foundation\n" + Self.stub + "\npublic struct More {\n}\n"))
    #expect(contains(Self.stub.replacing(": Swift.Sendable", with: ": @unchecked Swift.Sendable")))
    #expect(contains(Self.stub.replacing("    get\n", with: "    get\n    set\n")))
  }

  // It's compiled into the caller: specs compiled with the stub's would call that.
  @Test func `what an argument is by default is a part of the interface, all of it`() {
    let stub = """
      public struct Timer {
        public init(seconds: Swift.Double = 1, schedule: @escaping (Swift.Double) -> Swift.Void = { seconds in
            wait(seconds)
          }, queue: Queue)
      }
      """
    let more = stub.replacing("wait(seconds)", with: "wait(seconds)\n      wait(seconds)")
    #expect(PublicInterface(stub + "\n").isCompatible(with: PublicInterface(stub)))
    #expect(!PublicInterface(more).isCompatible(with: PublicInterface(stub)))
    #expect(
      !PublicInterface(stub.replacing("= 1", with: "= 2")).isCompatible(with: PublicInterface(stub))
    )
  }

  @Test func `what may be inlined is called like what may not`() {
    let inlinable = """
      extension Swift.Array {
        @inlinable public func map<T>(_ body: (Element) -> T, by: Swift.Int = 1) -> [T] {
          if true { return [] }
          return []
        }
        public var first: Element {
          @inlinable get {
            return self[0]
          }
        }
      }
      """
    let stub = PublicInterface(
      """
      extension Swift.Array {
        public func map<T>(_ body: (Element) -> T, by: Swift.Int = 1) -> [T]
        public var first: Element {
          get
        }
      }
      """)
    #expect(PublicInterface(inlinable).isCompatible(with: stub))
    #expect(!PublicInterface(inlinable.replacing("by:", with: "for:")).isCompatible(with: stub))
  }

  @Test func `names that no caller writes may be others`() {
    let others = Self.stub.replacing("_ photo:", with: "_ picture:")
      .replacing("after seconds:", with: "after delay:")
    #expect(contains(others))
    #expect(!contains(Self.stub.replacing("after seconds:", with: "seconds:")))
    #expect(!contains(Self.stub.replacing("count:", with: "number:")))
  }

  @Test func `what is written otherwise and is the same will do`() {
    let stub = PublicInterface(
      """
      public enum State : Swift.Equatable, Swift.Sendable {
        case ready
        case done
      }
      final public class Work : Foundation.Operation, @unchecked Swift.Sendable {
        override final public func main()
      }
      """)
    let other = PublicInterface(
      """
      public enum State : Swift.Sendable, Swift.Equatable {
        case done, ready
      }
      final public class Work : Foundation.Operation, Swift.CustomStringConvertible {
      }
      extension M.Work : Swift.Sendable {}
      """)
    #expect(!other.isCompatible(with: stub), "An extension says so of another name.")
    let same = PublicInterface(
      """
      public enum State : Swift.Sendable, Swift.Equatable {
        case done, ready
      }
      final public class Work : Foundation.Operation, Swift.CustomStringConvertible, Swift.Sendable {
      }
      """)
    #expect(same.isCompatible(with: stub))
  }

  @Test func `an answer that overrides more needs specs that know it`() {
    let stub = PublicInterface("final public class Work : Foundation.Operation {\n}\n")
    let other = PublicInterface(
      "final public class Work : Foundation.Operation {\n  override final public func cancel()\n}\n"
    )
    #expect(!other.isCompatible(with: stub))
    #expect(stub.isCompatible(with: other))
  }

  @Test(arguments: [" : Swift.Sendable", "final ", "  public init()\n", "_ photo: Photo, "])
  func `what lacks something of the stub's needs another look`(part: String) throws {
    try #require(Self.stub.contains(part))
    #expect(!contains(Self.stub.replacing(part, with: "")))
  }
}
