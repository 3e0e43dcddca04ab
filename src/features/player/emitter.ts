export interface Emitter<Events> {
  /** The returned function ends it. */
  on: <Kind extends keyof Events>(kind: Kind, hear: (event: Events[Kind]) => void) => () => void
  emit: <Kind extends keyof Events>(kind: Kind, event: Events[Kind]) => void
}

export function createEmitter<Events>(): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>()

  return {
    on(kind, hear) {
      const hearers = listeners.get(kind) ?? new Set()
      listeners.set(kind, hearers.add(hear))
      return () => void hearers.delete(hear)
    },
    emit(kind, event) {
      for (const hear of [...(listeners.get(kind) ?? [])]) {
        try {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept under its own kind
          hear(event as never)
        } catch (error) {
          // A listener that throws must not stop the sound.
          reportError(error)
        }
      }
    },
  }
}
