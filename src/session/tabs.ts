import { ownerOf } from '#net/settings.ts'

type SessionNews = 'in' | 'out' | 'ended'

const NAME = 'murmur-session'
let channel: BroadcastChannel | undefined

/** Tells the other tabs. A channel never hears itself, so nobody echoes. */
export function announce(news: SessionNews) {
  channel?.postMessage(news)
}

/** Calls back when another tab logged in or out. */
export function followSessionOfOtherTabs(onNews: () => void): () => void {
  // The message can arrive before local storage does; the storage event says when the token is really there.
  const unfollow = followOtherTabs('token', ({ oldValue, newValue }) => {
    // A renewed token says nothing new of who is here.
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

/** Calls back when another tab changed what local storage holds under this key, or cleared all of it. Returns a stop. */
export function followOtherTabs(key: string, changed: Changed): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) changed(event)
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
