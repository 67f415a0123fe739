/// How often something happened, in words: "once", and a number for all else.
public func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
