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

interface NotifiedState<S> {
  read: () => S
  /** Notifies listeners at once if something differs. */
  change: (part: Partial<S>) => void
  /** Changes made by `work` are kept back until the next `change` or `notify`. */
  quietly: (work: () => void) => void
  notify: () => void
}

/** A state that is replaced, never altered, and whose listeners can be made to wait. */
export function createNotifiedState<S extends object>(
  first: S,
  onChange: (state: S) => void,
): NotifiedState<S> {
  let state = first
  let notified = first
  let quiet = false

  const notify = () => {
    if (quiet || state === notified) return
    notified = state
    onChange(state)
  }

  return {
    read: () => state,
    change(part) {
      const next = { ...state, ...part }
      for (const key in part) if (next[key] !== state[key]) state = next
      notify()
    },
    quietly(work) {
      quiet = true
      work()
      quiet = false
    },
    notify,
  }
}
