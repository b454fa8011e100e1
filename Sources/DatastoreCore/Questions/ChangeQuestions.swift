package import struct Foundation.Date

/// The rows of a store at one moment, kept by the engine that has read them.
package protocol StoreBaseline: AnyObject, Sendable {
  /// The time of reading.
  var date: Date { get }
}

/// Keeps the current rows of the store, as far as there is room for them, for comparing with later states.
/// Reads them once.
package struct BaselineQuestion: StoreQuestion {
  package typealias Answer = any StoreBaseline

  package init() {}

  package var task: String { "Comparing with an earlier state" }
}

/// The differences between the rows of a store and those of a baseline, whichever program has written it.
/// Reads every row.
package struct DifferencesQuestion: StoreQuestion {
  package typealias Answer = StoreDifferences

  /// Made by the same engine, of the same file; the store it came from may have been closed since.
  package let baseline: any StoreBaseline
  /// The greatest number of reported objects of one entity.
  package let limit: Int

  package init(since baseline: any StoreBaseline, limit: Int) {
    self.baseline = baseline
    self.limit = limit
  }

  package var task: String { "Comparing with an earlier state" }
}

/// The differences of a store's rows.
package struct StoreDifferences: Sendable {
  /// The differences of one entity and its descendants.
  package struct Part: Sendable, Codable {
    package let entity: EntityIndex
    /// The first differing objects, each as if all differences had been staged and saved at once: the changes
    /// of a deleted one tell its former values.
    package var objects: [StagedObject]
    /// The numbers of all differing objects, including those that are not reported.
    package var inserted = 0
    package var deleted = 0
    package var updated = 0

    package init(entity: EntityIndex, objects: [StagedObject] = []) {
      self.entity = entity
      self.objects = objects
    }

    /// The number of all differing objects.
    package var count: Int { inserted + deleted + updated }
  }

  /// Entities without differences are left out.
  package var parts: [Part] = []
  /// Tables that could not be compared, with the reason: the end of a sentence.
  package var leftOut: [(table: String, reason: String)] = []

  package init() {}
}
