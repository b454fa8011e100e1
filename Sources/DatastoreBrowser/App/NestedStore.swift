import SwiftDatastore

/// A store that the browser shows above another one, with all commands of a store. Leaving it returns to the
/// former place.
protocol NestedStore: AnyObject, Sendable {
  var datastore: SwiftDatastore { get }
  /// The origin of the copy, as part of a sentence. Nothing about the store is kept between runs.
  var subject: String { get }
  /// Prepares the state of the store, before anything is read.
  ///
  /// - Parameter below: the state of the store below.
  func prepare(_ state: inout BrowserState, above below: BrowserState)
  /// Arranges the table that is shown first, and requests the effects for it.
  func arrange(_ state: inout BrowserState)
  /// Returns the effect that reads the store again and shows it in place of this one.
  ///
  /// - Parameter below: the current state of the store below.
  func askAgain(below: BrowserState) -> Effect
  /// The effects that fill the store while it is shown, started once the table is being read.
  func work() -> [Effect]
  /// Closes and removes the store. Waits for the file system.
  func close()
}
