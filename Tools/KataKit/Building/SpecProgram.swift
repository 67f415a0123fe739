/// A built program of specs, and what answers are compiled with so that it can judge them.
///
/// An answer is a library of its own, which the program loads at launch. So the specs are built
/// once, and a change in an answer costs the compilation of one file.
package struct SpecProgram: Codable, Sendable {
  let module: Module
  /// Whether Thread Sanitizer is built in.
  let sanitized: Bool
  /// The folder of the program and, if it judges more than one answer, of the compiled stubs; like
  /// all paths here, relative to the root, or absolute.
  let folder: String
  /// The file in `folder` that is started.
  let program: String
  /// The folder of the interface that the specs are compiled against.
  let interface: String
  /// What answers call at their points; nil if they have none.
  let hooks: String?
  /// How answers are compiled for it, if the driver has said so.
  var recipe: AnswerRecipe?
  /// The state of its sources when it was built; if that has changed, it's built again.
  var inputs: [String: FileStamp] = [:]
  let toolchain: String
  let mark: FileStamp

  /// The folder of the modules that answers import.
  var references: String { "\(interface)/references" }

  /// The stub of a kata, for answers that need the sources of their neighbours.
  func stubSource(of kata: Kata) -> String { SpecBuild.stubSource(of: kata, in: interface) }

  /// The compiled stub of a kata, for answers that are judged together with it.
  func stubObject(of kata: Kata) -> String { "\(folder)/stubs/\(kata.name).o" }

  /// The public interface of a kata's stub.
  func stubInterface(of kata: Kata) -> String { "\(folder)/stubs/\(kata.name).swiftinterface" }
}
