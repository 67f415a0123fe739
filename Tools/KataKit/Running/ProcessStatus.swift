/// What the system says of a process at this moment.
struct ProcessStatus: Sendable {
  let process: Int32
  let parent: Int32
  let group: Int32
  let threads: Int
  /// What it holds of the machine's memory, in bytes; what is merely reserved doesn't count.
  let residentBytes: Int
  /// The time that it has computed, on all cores together.
  let processorSeconds: Double
  /// Whether a signal has stopped it, and nobody has woken it since.
  let isStopped: Bool

  /// A process, all that it has started and lives, and its group.
  ///
  /// Looks at every process of the machine, which takes a few milliseconds. What has lost its parent
  /// and left the group isn't found.
  static func tree(of root: Int32) -> [ProcessStatus] {
    let all = all()
    var members: Set<Int32> = [root]
    var count = 0
    while members.count > count {
      count = members.count
      for status in all where members.contains(status.parent) || status.group == root {
        members.insert(status.process)
      }
    }
    return all.filter { members.contains($0.process) }
  }

  /// A process, the first that it has started and that lives, the first of that one, and so on.
  ///
  /// Looks at every process of the machine, as ``tree(of:)`` does.
  static func line(from root: Int32) -> [ProcessStatus] {
    let all = all()
    var line = all.filter { $0.process == root }
    while let last = line.last,
      let next = all.filter({ $0.parent == last.process }).min(by: { $0.process < $1.process })
    {
      line.append(next)
    }
    return line
  }
}
