import Foundation
import KataKit

extension Commands {
  /// Makes a page of the progress that participants have exported into a folder and its subfolders.
  ///
  /// Files that can't be read are reported, on the page and on standard error, and left out. With
  /// `refresh`, the page reloads itself after that many seconds.
  package func scoreboard(of folder: String?, to output: String?, refresh: Int?) throws -> ExitCode
  {
    guard let folder else {
      throw KataError("Which folder? Name it: 'make scoreboard FROM=handed-in'.", .usage)
    }
    let path = output ?? repository.url(".build/scoreboard.html").path
    let file = OutputFile(path)
    try file.check()
    let collected = try CollectedProgress(in: folder)
    for refusal in collected.refusals { tell("\(refusal.path): \(refusal.sentence)\n") }
    guard !collected.participants.isEmpty else {
      throw KataError(
        "There is no file in '\(folder)' that 'make export' has written; collect some there first.",
        .notDone)
    }
    let page = ScoreboardPage(
      scoreboard: Scoreboard(collected), date: Date(), refresh: refresh)
    try file.write(page.text)
    let people = collected.participants.count
    let left = collected.refusals.count
    print(
      "\(people == 1 ? "1 participant" : "\(people) participants")"
        + (left == 0 ? "" : ", \(left == 1 ? "1 file" : "\(left) files") left out")
        + ". The page is \(repository.short(file.path)).\n")
    return .done
  }
}
