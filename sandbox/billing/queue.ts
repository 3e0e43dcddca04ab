interface Entry {
  readonly id: string
  readonly at: number
  /** Order among entries of the same time: the order in which ids were first added. */
  readonly place: number
}

/** A priority queue of ids. A binary heap; replaced entries stay in it until they reach the top. */
export class Queue {
  readonly #heap: Entry[] = []
  readonly #current = new Map<string, Entry>()
  readonly #places = new Map<string, number>()

  set(id: string, at: number | undefined): void {
    if (this.#current.get(id)?.at === at) return
    if (at === undefined) {
      this.#current.delete(id)
      return
    }
    const place = this.#places.get(id) ?? this.#places.size
    this.#places.set(id, place)
    const entry = { id, at, place }
    this.#current.set(id, entry)
    this.#push(entry)
  }

  first(): string | undefined {
    for (;;) {
      const [top] = this.#heap
      if (!top || this.#current.get(top.id) === top) return top?.id
      this.#drop()
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let index = heap.push(entry) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(entry, heap[parent]!)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = entry
  }

  #drop(): void {
    const heap = this.#heap
    const last = heap.pop()!
    if (heap.length === 0) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left
      if (child >= heap.length || !isBefore(heap[child]!, last)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = last
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.at < other.at || (one.at === other.at && one.place < other.place)
