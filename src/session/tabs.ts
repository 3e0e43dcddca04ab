import { ownerOf } from '#net/settings.ts'

type SessionNews = 'in' | 'out' | 'ended'

const NAME = 'murmur-session'
let channel: BroadcastChannel | undefined

/** Notifies the other tabs. A channel doesn't receive its own messages, so there is no echo. */
export function announce(news: SessionNews) {
  channel?.postMessage(news)
}

export function followSessionOfOtherTabs(onNews: () => void): () => void {
  // The message can arrive before local storage changes; the storage event means that the token is there.
  const unfollow = followOtherTabs('token', ({ oldValue, newValue }) => {
    // A renewed token doesn't change the user.
    if (ownerOf(oldValue ?? undefined) !== ownerOf(newValue ?? undefined)) onNews()
  })
  if (globalThis.BroadcastChannel) {
    channel = new BroadcastChannel(NAME)
    channel.onmessage = onNews
  }
  return () => {
    unfollow()
    channel?.close()
    channel = undefined
  }
}

type Changed = (change: Pick<StorageEvent, 'oldValue' | 'newValue'>) => void

/** Calls back when another tab changes this local storage key, or clears everything. Returns a stop. */
export function followOtherTabs(key: string, changed: Changed): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) changed(event)
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
