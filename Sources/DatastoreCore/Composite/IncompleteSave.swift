public import Foundation

/// A save to two files that one of them lacks, found when a datastore of several stores is opened.
///
/// SQLite cannot commit in two files at once. A program that is killed between two commits, a loss of power,
/// or a file that is restored from a backup leave such a pair behind. It is reported until a later save to
/// the same two files is complete.
public struct IncompleteSave: Sendable, Hashable, CustomStringConvertible {
  /// The file that has the save.
  public let file: URL
  /// The file that lacks it.
  public let lacking: URL
  /// Whether it is known which file lacks the save; false if each has a save that the other one lacks.
  public let isKnown: Bool

  public var description: String {
    isKnown
      ? "The last save across \(file.path) and \(lacking.path) is not in \(lacking.path): the program ended while it "
        + "was saved, or the file was put back from a backup."
      : "\(file.path) and \(lacking.path) each have a save across both that the other one lacks: one of them was put "
        + "back from a backup."
  }
}
