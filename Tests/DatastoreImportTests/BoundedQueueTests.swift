import DatastoreCore
import DatastoreImport
import Dispatch
import Testing

@Suite struct BoundedQueueTests {
  private struct Broken: Error {}

  @Test(
    "Pieces come in their order, then the ending, and the reader is never further ahead than it may be"
  )
  func order() throws {
    let queue = BoundedQueue<Int, String>(most: 3)
    let put = Lock(0)
    BlockingWork.begin {
      for number in 1...1_000 {
        #expect(queue.put(number))
        put.withLock { $0 = number }
      }
      queue.end(.success("done"))
    }
    for number in 1...1_000 {
      guard case .piece(number) = try queue.next() else {
        Issue.record("not \(number)")
        return
      }
      #expect(put.withLock { $0 } <= number + 3)
    }
    guard case .ending("done") = try queue.next() else {
      Issue.record("not at its end")
      return
    }
  }

  @Test(
    "A reader that waits for room is released when nothing more is wanted; what has come is still there"
  )
  func closed() throws {
    let queue = BoundedQueue<Int, Int>(most: 2)
    let isFull = DispatchSemaphore(value: 0)
    BlockingWork.begin {
      var number = 0
      while true {
        if number == 2 { isFull.signal() }
        guard queue.put(number) else { break }
        number += 1
      }
      #expect(!queue.put(9), "and again")
      queue.end(.success(number))
    }
    isFull.wait()
    queue.close()
    var numbers: [Int] = []
    while case .piece(let number) = try queue.next() { numbers.append(number) }
    #expect(numbers == [0, 1])
  }

  @Test("An error comes behind the pieces before it")
  func failing() throws {
    let queue = BoundedQueue<Int, Void>(most: 2)
    #expect(queue.put(1))
    queue.end(.failure(Broken()))
    guard case .piece(1) = try queue.next() else {
      Issue.record("not the piece")
      return
    }
    #expect(throws: Broken.self) { try queue.next() }
  }
}
