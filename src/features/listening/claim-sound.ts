interface Claim {
  /** Names the tab that is playing now. */
  tab: string
}

const NAME = 'murmur-sound'
const tab = crypto.randomUUID()
let hasSound = false
let lose: (() => void) | undefined

/** False once another tab took the sound over: from then on this one writes no places (trap 21). */
export const holdsSound = (): boolean => hasSound

/**
 * Says to the other tabs that this one speaks. `onLost` is called once, when another tab says the same;
 * the returned function gives the sound up.
 */
export function claimSound(onLost: () => void): () => void {
  hasSound = true
  const channel = globalThis.BroadcastChannel && new BroadcastChannel(NAME)
  let ended = false
  const release = () => {
    if (ended) return
    ended = true
    channel?.close()
  }
  const lost = () => {
    if (ended) return
    // Before the player pauses: its place must not overwrite the other tab's.
    hasSound = false
    release()
    onLost()
  }
  lose = lost
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<Claim>) => {
      if (data.tab !== tab) lost()
    }
  channel?.postMessage({ tab } satisfies Claim)
  return release
}

/** Another device has the sound: like another tab's, its place is not written over. */
export const giveSoundAway = (): void => lose?.()
