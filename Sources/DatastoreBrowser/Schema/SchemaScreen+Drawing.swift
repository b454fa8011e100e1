import Basics
import DatastoreCore
import TerminalUI

extension SchemaScreen {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    Box(
      title: "Schema of \(state.storeName)", trailingTitle: form == .outline ? "outline" : "graph",
      note: state.schemaEditing.edits.isEmpty
        ? CountText.counted(state.schema.entities.count, "entity")
        : "\(state.schemaEditing.title), ctrl-s saves"
    ).cover(&buffer, in: Self.area(in: buffer.size))
    let status = state.layout.status
    buffer.draw(
      " " + (message.isEmpty ? state.message?.text ?? "" : message), in: status,
      role: message.isEmpty ? state.message?.role ?? .statusBar : .warning)
    let body = Self.body(in: buffer.size)
    switch text {
    case nil: buffer.draw("reading…", in: body, role: .dim)
    case .failure(let failure)?: buffer.draw(wrapped: failure.message, in: body, role: .error)
    case .success(let schema)?:
      if state.schema.entities.isEmpty, state.schemaEditing.edits.isEmpty {
        buffer.draw("This file has no tables.", in: body, role: .dim)
      }
      draw(schema, into: &buffer, in: state)
    }
    return nil
  }

  private func draw(
    _ schema: SchemaText, into buffer: inout ScreenBuffer, in state: BrowserState
  ) {
    let lines = schema.lines(form, buffer.glyphs)
    let titles = schema.titles(form)
    drawLines(into: &buffer, in: state) { index, buffer, place in
      let shown = lines[index].droppingCells(left)
      let isTitle = schema.entity(ofLine: index, form).map { titles[$0] == index } ?? false
      buffer.draw(shown, in: place, role: isTitle ? .sectionHeader : .text, truncation: .clip)
      markMatches(in: shown, into: &buffer, in: place)
    }
  }
}
