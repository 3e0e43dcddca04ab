import type { Read } from './cells.ts'
import type { Remark } from './entry.ts'

/** Notes about a row while it is read; of each kind once. */
export class Notes {
  readonly all: Remark[]

  constructor(before: readonly Remark[] = []) {
    this.all = [...before]
  }

  add(kind: string, text: string): void {
    if (!this.all.some((note) => note.kind === kind)) this.all.push({ kind, text })
  }

  /** Notes the remark and answers the value. */
  read<T>(read: Read<T> | undefined): T | undefined {
    if (read?.note) this.add(read.note.kind, read.note.text)
    return read?.value
  }
}
