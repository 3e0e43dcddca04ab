import { useEffect, useState } from 'react'

/** `back` for three seconds after the connection returned. */
export type OfflineState = 'online' | 'offline' | 'back'

const BACK_FOR_MS = 3_000

export function useOfflineState(online: boolean): OfflineState {
  const [state, setState] = useState<OfflineState>('online')
  useEffect(() => {
    if (!online) setState('offline')
    else setState((before) => (before === 'offline' ? 'back' : before))
  }, [online])

  useEffect(() => {
    if (state !== 'back') return undefined
    const timer = setTimeout(() => setState('online'), BACK_FOR_MS)
    return () => clearTimeout(timer)
  }, [state])
  return state
}
