interface Claim {
  tab: string
}

const NAME = 'murmur-sound'
const tab = crypto.randomUUID()
let hasSound = false
let lose: (() => void) | undefined

/** False once another tab took over the sound: this tab then writes no more places (trap 21). */
export const holdsSound = (): boolean => hasSound

/**
 * Claims the sound from the other tabs. Calls `onLost` once, when another tab claims it;
 * the returned function releases the claim.
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
    // Before the player pauses: its place must not overwrite the other tab's place.
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

/** Another device took over the sound: don't overwrite its place, as with another tab. */
export const giveSoundAway = (): void => lose?.()
