import { ownerOf } from '#net/token-owner.ts'
import { followOtherTabs } from './other-tabs.ts'

export type SessionNews = 'in' | 'out' | 'ended'

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
