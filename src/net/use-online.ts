import { useSyncExternalStore } from 'react'
import { connectivity } from './connectivity.ts'

/** Whether the shop can be reached, as far as is known. Whoever reads a page that the server wrote has reached it. */
export const useOnline = (): boolean => useSyncExternalStore(connectivity.subscribe, isOnline, () => true)

const isOnline = () => connectivity.snapshot() !== 'offline'

/** Whether the network wants a sign-in before it lets anybody through. */
export const useWantsSignIn = (): boolean =>
  useSyncExternalStore(connectivity.subscribe, connectivity.wantsSignIn, () => false)
