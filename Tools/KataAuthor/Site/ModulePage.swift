import KataKit

/// The first page of a module's symbol documentation: the library, and its types by kata.
struct ModulePage {
  let module: Module
  /// The module's katas, in teaching order.
  let katas: [KataFacts]

  var markdown: String {
    let groups = katas.filter { !$0.localSymbols.isEmpty }.map { facts in
      let symbols = facts.localSymbols.map { "- ``\($0)``" }.joined(separator: "\n")
      return "### \(Prose(facts.kata.title).markdown)\n\n\(symbols)"
    }
    return """
      # ``\(module.rawValue)``

      @Metadata {
      \(module.metadata(images: module.libraryImages).joined(separator: "\n").indented(by: 2))
      }

      The references of a chapter of Concurrency Katas: a library without dependencies.

      ## Overview

      ```swift
      import \(module.rawValue)
      ```

      Every type keeps the contract that its kata's spec asks for, on macOS and Linux: on which threads it may be
      called, what blocks, what cancelling does. They are listed in the order of the katas, and the chapter
      <doc:/\(Site.landing)/\(module.chapter)> explains them.

      ## Topics

      \(groups.joined(separator: "\n\n"))

      """
  }
}
