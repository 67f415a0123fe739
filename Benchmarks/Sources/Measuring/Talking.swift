import Foundation

/// A failure that one sentence explains.
public struct BenchmarkError: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String
  /// The program's exit code: 2 for invalid arguments, else 1.
  public let code: Int32

  /// A measurement that failed.
  public init(_ sentence: String) {
    self.init(sentence, code: 1)
  }

  /// Arguments that are invalid.
  public static func usage(_ sentence: String) -> BenchmarkError {
    BenchmarkError(sentence, code: 2)
  }

  private init(_ sentence: String, code: Int32) {
    description = sentence
    self.code = code
  }
}

/// Prints a line without buffering it, also into a file or a pipe.
public func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Prints the error and ends the program.
public func end(_ program: String, with error: any Error) -> Never {
  FileHandle.standardError.write(Data("\(program): \(error)\n".utf8))
  exit((error as? BenchmarkError)?.code ?? 1)
}

/// Parses a number of pairs.
///
/// - Throws: A `BenchmarkError` if it isn't one.
public func pairs(in word: String?) throws -> Int {
  guard let count = word.flatMap({ Int($0) }), count > 0 else {
    throw BenchmarkError.usage("--pairs takes a whole number from 1 up.")
  }
  return count
}
