import Foundation
import SwiftDatastore
import Testing

/// A list in sections as plain arrays, to which a batch of changes is applied step by step, as a view would.
struct ListModel: Equatable {
  var sections: [ListSectionID] = []
  var items: [[DatastoreObjectID]] = []

  init<T>(_ snapshot: ListSnapshot<T>) {
    for section in snapshot.sections {
      sections.append(section.id)
      items.append(Array(snapshot.itemIDs(inSection: section.id)))
    }
  }

  /// Applies the batch that turns this list into `new`, in the order that `FetchedObjectsBatch` documents.
  mutating func apply(_ batch: FetchedObjectsBatch, to new: ListModel) {
    let leaving = (batch.deleted + batch.moved.map(\.from)).sorted(by: >)
    for path in leaving { items[path.section].remove(at: path.row) }
    for section in batch.deletedSections.reversed() {
      #expect(items[section].isEmpty, "a section goes when it is empty")
      sections.remove(at: section)
      items.remove(at: section)
    }
    for section in batch.insertedSections {
      sections.insert(new.sections[section], at: section)
      items.insert([], at: section)
    }
    for path in (batch.inserted + batch.moved.map(\.to)).sorted() {
      items[path.section].insert(new.items[path.section][path.row], at: path.row)
    }
  }
}
