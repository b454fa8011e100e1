public import Foundation

/// A save over two files that one of them lacks, as a datastore of several stores finds it when it is opened.
///
/// SQLite cannot commit in two files at once. A program that is killed between two commits, a loss of power,
/// or a file that is put back from a backup leave such a pair behind. It is reported until a later save over
/// the same two files is complete.
public struct IncompleteSave: Sendable, Hashable, CustomStringConvertible {
  /// The file that has the save.
  public let file: URL
  /// The file that lacks it.
  public let lacking: URL
  /// Whether it is known which of the two is which: not where each has a save that the other one lacks.
  public let isKnown: Bool

  public var description: String {
    isKnown
      ? "The last save across \(file.path) and \(lacking.path) is not in \(lacking.path): the program ended while it "
        + "was saved, or the file was put back from a backup."
      : "\(file.path) and \(lacking.path) each have a save across both that the other one lacks: one of them was put "
        + "back from a backup."
  }
}
