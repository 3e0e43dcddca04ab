import type { Read } from './cells.ts'
import type { Remark } from './entry.ts'

/** Collects notes about a row while it is read, at most one of each kind. */
export class Notes {
  readonly all: Remark[]

  constructor(before: readonly Remark[] = []) {
    this.all = [...before]
  }

  add(kind: string, text: string): void {
    if (!this.all.some((note) => note.kind === kind)) this.all.push({ kind, text })
  }

  /** Stores the note and returns the value. */
  read<T>(read: Read<T> | undefined): T | undefined {
    if (read?.note) this.add(read.note.kind, read.note.text)
    return read?.value
  }
}
