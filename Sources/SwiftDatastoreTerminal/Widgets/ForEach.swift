public import SwiftDatastore

/// The same widgets for each of several objects or sections, one below the other.
///
/// Widgets that do not fit are not created, and their objects not read. `ForEach` does not scroll: use
/// ``Table`` for a list to move through.
public struct ForEach: Widget {
  private let count: Int
  /// The widgets for each element of a range.
  private let content: @MainActor (Range<Int>, Drawing) -> [Stack]

  public func draw(in canvas: Canvas) { _ = flow(in: canvas) }
}

extension ForEach: FlowingWidget {
  func flow(in canvas: Canvas) -> Int {
    var rest = canvas
    var next = 0
    while !rest.isEmpty, next < count {
      // Reads as many objects together as there may be room for.
      let range = next..<min(count, next + rest.rows)
      for stack in content(range, canvas.drawing) where !rest.isEmpty {
        rest = rest.split(top: stack.flow(in: rest)).rest
      }
      next = range.upperBound
    }
    return canvas.rows - rest.rows
  }
}

extension ForEach {
  /// Shows the objects of a list, of all its sections.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - content: the widgets for an object; redrawn when the object changes.
  public init<T: DatastoreObject>(
    _ list: ListSnapshot<T>,
    @WidgetBuilder content: @escaping @MainActor (ObjectPublisher<T>) -> [any Widget]
  ) {
    self.init(list, 0..<list.itemIDs.count, content)
  }

  /// Shows the objects of a section.
  ///
  /// - Parameters:
  ///   - section: the section.
  ///   - list: the list of the section.
  ///   - content: the widgets for an object; redrawn when the object changes.
  public init<T: DatastoreObject>(
    _ section: ListSnapshot<T>.Section, of list: ListSnapshot<T>,
    @WidgetBuilder content: @escaping @MainActor (ObjectPublisher<T>) -> [any Widget]
  ) {
    self.init(list, section.indices, content)
  }

  /// Shows the sections of a list.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - content: the widgets for a section, often a `ForEach` for its objects among them.
  public init<T: DatastoreObject>(
    sectionsOf list: ListSnapshot<T>,
    @WidgetBuilder content: @escaping @MainActor (ListSnapshot<T>.Section) -> [any Widget]
  ) {
    count = list.numberOfSections
    self.content = { range, _ in
      range.compactMap { list.section(at: $0) }.map { Stack(content($0)) }
    }
  }

  /// Shows several objects and follows them.
  ///
  /// - Parameters:
  ///   - publishers: the publishers of the objects.
  ///   - content: the widgets for an object; redrawn when the object changes.
  public init<T: DatastoreObject>(
    _ publishers: [ObjectPublisher<T>],
    @WidgetBuilder content: @escaping @MainActor (ObjectPublisher<T>) -> [any Widget]
  ) {
    count = publishers.count
    self.content = { range, drawing in
      range.map { index in
        drawing.followed.follow(publishers[index])
        return Stack(content(publishers[index]))
      }
    }
  }

  /// Shows the values of several objects, as they were when the snapshots were made.
  ///
  /// - Parameters:
  ///   - snapshots: the values of the objects.
  ///   - content: the widgets for an object.
  public init<T: DatastoreObject>(
    _ snapshots: [ObjectSnapshot<T>],
    @WidgetBuilder content: @escaping @MainActor (ObjectSnapshot<T>) -> [any Widget]
  ) {
    count = snapshots.count
    self.content = { range, _ in range.map { Stack(content(snapshots[$0])) } }
  }

  private init<T: DatastoreObject>(
    _ list: ListSnapshot<T>, _ indices: Range<Int>,
    _ content: @escaping @MainActor (ObjectPublisher<T>) -> [any Widget]
  ) {
    count = indices.count
    self.content = { range, drawing in
      let places = indices.lowerBound + range.lowerBound..<indices.lowerBound + range.upperBound
      return list.publishers(in: places).compactMap { publisher in
        guard let publisher else { return nil }
        drawing.followed.follow(publisher)
        return Stack(content(publisher))
      }
    }
  }
}
