public import SwiftDatastore

/// The same widgets for each of several objects or sections, one below the other.
///
/// Those that there is no room for are not made, and their objects not read. It does not scroll: for a list
/// to go through there is ``Table``.
public struct ForEach: Widget {
  private let count: Int
  /// The widgets of each in a range.
  private let content: @MainActor (Range<Int>, Drawing) -> [Stack]

  public func draw(in canvas: Canvas) { _ = flow(in: canvas) }
}

extension ForEach: FlowingWidget {
  func flow(in canvas: Canvas) -> Int {
    var rest = canvas
    var next = 0
    while !rest.isEmpty, next < count {
      // Read together, as many as there may be room for.
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
  /// For each object of a list, in all sections.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - content: the widgets for an object; drawn again when it changes.
  public init<T: DatastoreObject>(
    _ list: ListSnapshot<T>,
    @WidgetBuilder content: @escaping @MainActor (ObjectPublisher<T>) -> [any Widget]
  ) {
    self.init(list, 0..<list.itemIDs.count, content)
  }

  /// For each object of a section.
  ///
  /// - Parameters:
  ///   - section: the section.
  ///   - list: the list that it is a section of.
  ///   - content: the widgets for an object; drawn again when it changes.
  public init<T: DatastoreObject>(
    _ section: ListSnapshot<T>.Section, of list: ListSnapshot<T>,
    @WidgetBuilder content: @escaping @MainActor (ObjectPublisher<T>) -> [any Widget]
  ) {
    self.init(list, section.indices, content)
  }

  /// For each section of a list.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - content: the widgets for a section: a `ForEach` for its objects may be among them.
  public init<T: DatastoreObject>(
    sectionsOf list: ListSnapshot<T>,
    @WidgetBuilder content: @escaping @MainActor (ListSnapshot<T>.Section) -> [any Widget]
  ) {
    count = list.numberOfSections
    self.content = { range, _ in
      range.compactMap { list.section(at: $0) }.map { Stack(content($0)) }
    }
  }

  /// For each of several objects that are followed.
  ///
  /// - Parameters:
  ///   - publishers: where their values come from.
  ///   - content: the widgets for an object; drawn again when it changes.
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

  /// For the values of each of several objects, as they were when the snapshots were made.
  ///
  /// - Parameters:
  ///   - snapshots: the values.
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
