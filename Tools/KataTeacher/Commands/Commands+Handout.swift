import Foundation
import KataKit

extension Commands {
  /// The options of a handout.
  package struct HandoutOptions: Sendable {
    /// Whether the references are included.
    package var hasReferences = false
    /// Whether the documentation's site is included, if it's built.
    package var hasDocs = false
    /// Whether to make a template folder for GitHub Classroom instead of an archive.
    package var isClassroom = false
    /// The archive or folder to write.
    package var output: String?

    package init() {}
  }

  /// The folder that an archive unpacks into.
  private static let handoutName = "concurrency-katas"

  /// Makes an archive of some katas, with everything that a participant needs to work on them.
  ///
  /// `names` are katas and modules, separated by commas; without any, all katas.
  package func handout(_ names: String?, _ options: HandoutOptions) throws -> ExitCode {
    let katas = try names.map { try Catalogue.katas(listed: $0) } ?? Catalogue.katas
    if options.isClassroom, options.hasReferences {
      throw KataError(
        "Every student sees a classroom's template, so it can't include the references; leave out CLASSROOM or REFERENCES.",
        .usage)
    }
    let name = options.isClassroom ? "classroom" : "\(Self.handoutName).tar.gz"
    let output = options.output ?? repository.url(".build/handouts/\(name)").path
    let file = OutputFile(output)
    if !options.isClassroom { try file.check() }
    var handout = try Handout(of: katas, hasReferences: options.hasReferences, in: repository)
    handout.hasSite = options.hasDocs
    var files = try handout.files()
    if options.hasDocs { try addSite(to: &files, of: handout) }
    let draft = ".build/handouts/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(at: repository.url(draft)) }
    let archive = Archive(repository: repository)
    let folder = "\(draft)/\(Self.handoutName)"
    try archive.lay(files, in: folder)
    if options.isClassroom {
      try ClassroomTemplate(repository: repository, katas: katas).finish(folder, as: output)
    } else {
      try archive.pack(files, in: folder, to: file)
    }
    print(summary(of: handout, files.count, in: repository.short(output)))
    return .done
  }

  private func summary(of handout: Handout, _ files: Int, in output: String) -> String {
    let katas = handout.katas.count
    let content =
      "\(katas == 1 ? "1 kata" : "\(katas) katas"), \(files) files, "
      + (handout.hasReferences ? "with the references." : "without solutions.")
    let builtOn = handout.selection.builtOn.map(\.name)
    guard !builtOn.isEmpty, !handout.hasReferences else { return "\(output): \(content)\n" }
    let note =
      "The \(builtOn.count == 1 ? "reference" : "references") of "
      + "\(builtOn.joined(separator: ", ")) \(builtOn.count == 1 ? "is" : "are") included, since "
      + "other katas use \(builtOn.count == 1 ? "it" : "them"); the first page says so."
    return "\(output): \(content)\n\(style.reflow(note, indent: 0))\n"
  }

  /// Adds the documentation's site, without the pages for instructors.
  ///
  /// Without the references, a page that shows part of one is left out, and that is reported.
  private func addSite(to files: inout [String: Handout.Item], of handout: Handout) throws {
    let site = Repository.site
    guard repository.exists("\(site)/index.html") else {
      throw KataError("The documentation isn't built; 'make docs' builds it.", .notDone)
    }
    let search = try SolutionSearch(for: handout)
    var leftOut: [String] = []
    for path in try repository.files(below: site) {
      let name = String(path.dropFirst(site.count + 1))
      // These contain the questions that are asked afterwards, with their answers.
      if name.split(separator: "/").contains(where: { $0.hasPrefix("workshop") }) { continue }
      let isText = ["json", "html", "md", "svg"].contains(URL(filePath: path).pathExtension)
      if isText, let text = try? repository.text(path), search.kata(shownBy: text) != nil {
        leftOut.append(name)
      } else {
        files["Site/\(name)"] = .copy(path)
      }
    }
    if !leftOut.isEmpty {
      warn(
        "\(leftOut.count) of the site's files show parts of references and were left out: "
          + "\(leftOut.prefix(5).joined(separator: ", "))\(leftOut.count > 5 ? " …" : "").")
    }
  }
}
