export interface Emitter<Events> {
  /** The returned function ends it. */
  on: <Kind extends keyof Events>(kind: Kind, listener: (event: Events[Kind]) => void) => () => void
  emit: <Kind extends keyof Events>(kind: Kind, event: Events[Kind]) => void
}

export function createEmitter<Events>(): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>()

  return {
    on(kind, listener) {
      const listenersOfKind = listeners.get(kind) ?? new Set()
      listeners.set(kind, listenersOfKind.add(listener))
      return () => void listenersOfKind.delete(listener)
    },
    emit(kind, event) {
      for (const listener of [...(listeners.get(kind) ?? [])]) {
        try {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept under its own kind
          listener(event as never)
        } catch (error) {
          // A listener that throws must not stop the sound.
          reportError(error)
        }
      }
    },
  }
}
