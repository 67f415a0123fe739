import KataTesting
import Testing

/// Tests that build: one after another, since most share one clone.
@Suite(
  .serialized, .kata, .timeLimit(.minutes(15)), .enabled(if: isMakeTest, "part of 'make test'"))
enum SharedCloneTests {}
