import { useSyncExternalStore } from 'react'
import { connectivity } from './connectivity.ts'

/** True as far as the shop is known to be reachable. A reader of a page that the server wrote has reached it. */
export const useOnline = (): boolean => useSyncExternalStore(connectivity.subscribe, isOnline, () => true)

const isOnline = () => connectivity.snapshot() !== 'offline'

/** True if the network wants a sign-in before it lets anybody through. */
export const useWantsSignIn = (): boolean =>
  useSyncExternalStore(connectivity.subscribe, connectivity.wantsSignIn, () => false)
