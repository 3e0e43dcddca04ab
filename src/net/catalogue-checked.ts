/** When the server last confirmed this device's catalogue. */
export interface CheckedCatalogue {
  readonly at: number
  /** The server has more titles than this device. */
  readonly isPartial: boolean
}

let checked: CheckedCatalogue | undefined
const listeners = new Set<() => void>()

/** @param header from an answer: milliseconds, followed by `partial` if the server has more titles */
export function noteCatalogue(header: string | null): void {
  const [at, partial] = header?.split(' ') ?? []
  const isPartial = partial !== undefined
  if (!at || (checked?.at === Number(at) && checked.isPartial === isPartial)) return
  checked = { at: Number(at), isPartial }
  for (const listener of listeners) listener()
}

// For `useSyncExternalStore`.
export const checkedCatalogue = (): CheckedCatalogue | undefined => checked
export const onCatalogue = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
