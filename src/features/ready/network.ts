interface Connection {
  readonly type?: string
  readonly saveData?: boolean
  addEventListener?: (name: 'change', hear: () => void) => void
}

// Missing in some browsers, and in TypeScript's types.
const connection = (): Connection | undefined =>
  typeof navigator === 'undefined' || !('connection' in navigator)
    ? undefined
    : // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Network Information API
      (navigator.connection as Connection | undefined)

/** Whether the browser reports its network at all. */
export const tellsNetwork = (): boolean => {
  const known = connection()
  return known?.type !== undefined || known?.saveData !== undefined
}

/** A mobile network, or data saving is on; false if the browser doesn't report it. */
export const isMetered = (): boolean => {
  const known = connection()
  return known?.saveData === true || known?.type === 'cellular'
}

export const onNetworkChange = (hear: () => void): void => connection()?.addEventListener?.('change', hear)
