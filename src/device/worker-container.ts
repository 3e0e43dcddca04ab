/** A worker of ours, as far as a page speaks with it: the worker's own types know nothing of a page. */
export interface Worker {
  readonly state: string
  postMessage: (message: unknown) => void
  addEventListener: (type: 'statechange', run: () => void) => void
}

export interface Registration {
  readonly active: Worker | null
  readonly waiting: Worker | null
  readonly installing: Worker | null
  /** Not every browser's. */
  readonly sync?: { register: (tag: string) => Promise<void> }
  update: () => Promise<unknown>
  addEventListener: (type: 'updatefound', run: () => void) => void
}

interface Container {
  readonly controller: unknown
  readonly ready: Promise<Registration>
  register: (address: string, options: { scope: string }) => Promise<Registration>
  getRegistration: () => Promise<Registration | undefined>
  addEventListener: (type: 'controllerchange', run: () => void, options: { once: boolean }) => void
}

/** Undefined on the server, and where the browser has no workers. */
export const workerContainer = (): Container | undefined =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of the browser's that is named above
  (globalThis.navigator as unknown as { serviceWorker?: Container } | undefined)?.serviceWorker
