/** The summary counts each `kind`; `text` is shown for the row. */
export interface Remark {
  readonly kind: string
  readonly text: string
}

export class RowRefused extends Error {
  readonly kind: string

  constructor(kind: string, text = kind) {
    super(text)
    this.kind = kind
  }
}

/** The rows before the fault are imported. */
export class BrokenFile extends Error {}

export interface Read<T> {
  readonly value: T
  readonly note?: { readonly kind: string; readonly text: string }
}

/** At most one of each kind. */
export class Notes {
  readonly all: Remark[]

  constructor(before: readonly Remark[] = []) {
    this.all = [...before]
  }

  add(kind: string, text: string): void {
    if (!this.all.some((note) => note.kind === kind)) this.all.push({ kind, text })
  }

  read<T>(read: Read<T> | undefined): T | undefined {
    if (read?.note) this.add(read.note.kind, read.note.text)
    return read?.value
  }
}
