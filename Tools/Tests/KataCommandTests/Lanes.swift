import Testing

// Three suites run beside each other, and in each of them one test after another.

/// Tests that judge in one clone, in which the specs are built once.
@Suite(.serialized, .ownThread, .timeLimit(.minutes(15))) enum SharedCloneTests {}

/// Tests that build something else, in clones of their own.
@Suite(.serialized, .ownThread, .timeLimit(.minutes(15))) enum OwnBuildTests {}

/// Tests that build nothing.
@Suite(.serialized, .ownThread, .timeLimit(.minutes(15))) enum UnbuiltCloneTests {}
