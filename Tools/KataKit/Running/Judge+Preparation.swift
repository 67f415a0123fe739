extension Judge {
  /// Builds ahead what the next save will want: the specs with Thread Sanitizer built in.
  ///
  /// For the time in which a person reads a verdict that isn't `passed`. Once the spec passes, only
  /// the learner's own file is left to be compiled before races are looked for; the first time, that
  /// saves a whole build. Yields to everything else that runs.
  ///
  /// Blocks until all is built or `stop` asks for the end, so call it on a thread of its own and stop
  /// it before the next ``judge(_:stop:onEvent:)``. What goes wrong is left for that to say.
  ///
  /// - Returns: Whether all is built.
  @discardableResult
  public func prepareSanitizer(for kata: Kata, stop: StopSignal) -> Bool {
    // The plain build first: it's a moment's work, and the engine of planned builds learns by it
    // what SwiftPM has done already.
    [Self.plainBuild(of: kata), Self.sanitizedBuild(of: kata)].allSatisfy { request in
      var request = request
      request.isUnhurried = true
      return BuildLock(request.scratch, in: house).hold(stop: stop) {
        guard !stop.isStopped else { return false }
        if case .built? = try? SwiftBuild(house: house).run(request, stop: stop) { return true }
        return false
      }
    }
  }

  /// The build whose specs give the verdict.
  static func plainBuild(of kata: Kata) -> SwiftBuild.Request {
    SwiftBuild.Request(module: kata.module, scratch: ".build/katas")
  }

  /// The build whose specs look for races.
  static func sanitizedBuild(of kata: Kata) -> SwiftBuild.Request {
    SwiftBuild.Request(module: kata.module, scratch: ".build/katas-tsan", sanitized: true)
  }
}
