import { useSyncExternalStore } from 'react'
import { connectivity } from './connectivity.ts'

/** False while the server is known to be unreachable. Always true for server-rendered markup. */
export const useOnline = (): boolean => useSyncExternalStore(connectivity.subscribe, isOnline, () => true)

const isOnline = () => connectivity.snapshot() !== 'offline'

export const useWantsSignIn = (): boolean =>
  useSyncExternalStore(connectivity.subscribe, connectivity.wantsSignIn, () => false)
