/// The state of a process at one moment.
struct ProcessStatus: Sendable {
  let process: Int32
  let parent: Int32
  let group: Int32
  let threads: Int
  /// Its resident memory in bytes; reserved memory doesn't count.
  let residentBytes: Int
  /// Its processor time, on all cores together.
  let processorSeconds: Double
  /// Whether a signal has stopped it, and none has continued it since.
  let isStopped: Bool

  /// A process, its living descendants, and its group.
  ///
  /// Inspects every process of the machine, which takes a few milliseconds. A descendant that has
  /// lost its parent and left the group isn't found.
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

  /// A process, its first living child, the first living child of that one, and so on.
  ///
  /// Inspects every process of the machine, as ``tree(of:)`` does.
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
