import { QueryObserver, type QueryClient } from '@tanstack/react-query'
import { connectivity } from '#net/connectivity.ts'
import { registerUserScope } from '#session/user-scope.ts'
import { followOtherTabs } from '#session/tabs.ts'
import { useSession } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import { useBagCount } from './count.ts'
import { mergedWords } from './model.ts'
import { joinGuestBag } from './mutations.ts'
import { bagQuery, reloadBag } from './queries.ts'
import { bagHolder, CART_KEY, readCartAgain, useBagStore } from './store.ts'
import { forgetOwners, isWaiting, WAITING_KEY } from './waiting.ts'

/** Long enough to read a whole sentence. */
const MERGED_FOR_MS = 8_000

/**
 * Runs as long as the page lives; call it once. At log-in it merges the device's bag into the account's, with
 * a message (SESS-04, SESS-05), or loads the account's (SESS-13). Also updates the header's count.
 */
export function followBag(queryClient: QueryClient): void {
  const observer = new QueryObserver(queryClient, bagQuery(bagHolder()))
  const count = () => {
    // Show 0 until this user's bag has loaded, rather than the previous user's count.
    useBagCount.setState(observer.getCurrentResult().data?.itemCount ?? 0, true)
  }
  observer.subscribe(count)
  const look = () => {
    observer.setOptions(bagQuery(bagHolder()))
    count()
  }

  let joining = false
  const join = async () => {
    if (joining || !useBagStore.getState().cartId || bagHolder().kind !== 'user') return
    joining = true
    useBagStore.setState({ joinFailed: false })
    try {
      const merged = await joinGuestBag(queryClient)
      const words = merged ? mergedWords(merged) : ''
      if (words) toast(words, { forMilliseconds: MERGED_FOR_MS })
    } catch {
      useBagStore.setState({ joinFailed: true })
    } finally {
      joining = false
    }
  }
  let sending: Promise<void> | undefined
  const send = async () => {
    const { sendWaiting } = await import('./send-waiting.ts')
    await join()
    const words = await sendWaiting(queryClient)
    if (words) toast(words, { forMilliseconds: MERGED_FOR_MS })
  }
  const tell = () => {
    if (!isWaiting(bagHolder()) || !useSession.getState().ready) {
      void join()
      return
    }
    sending ??= send()
      .catch(() => undefined)
      .finally(() => (sending = undefined))
  }
  const changed = () => {
    look()
    tell()
  }

  followOtherTabs(CART_KEY, readCartAgain)
  followOtherTabs(WAITING_KEY, () => void reloadBag(queryClient))
  registerUserScope('bag', {
    close() {
      useBagStore.setState({ joinFailed: false })
      forgetOwners()
      look()
    },
  })
  useBagStore.subscribe((state, before) => {
    if (state.cartId !== before.cartId) changed()
  })
  useSession.subscribe((state, before) => {
    if (state.owner?.uuid !== before.owner?.uuid || state.status !== before.status || !before.ready) changed()
  })
  connectivity.subscribe((state) => {
    if (state === 'online') tell()
  })
  changed()
}
