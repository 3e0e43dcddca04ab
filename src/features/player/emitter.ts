export interface Emitter<Events> {
  /** Returns the function that unsubscribes. */
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
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored under its own kind
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
  /** Notifies listeners immediately if a value differs. */
  change: (part: Partial<S>) => void
  /** Listeners learn of changes made by `work` at the next `change` or `notify`. */
  quietly: (work: () => void) => void
  notify: () => void
}

/** An immutable state whose notifications can be deferred. */
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
