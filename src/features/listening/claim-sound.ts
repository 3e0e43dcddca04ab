interface Claim {
  /** Who speaks now. */
  tab: string
}

const NAME = 'murmur-sound'
const tab = crypto.randomUUID()
let speaking = false

/** False once another tab took the sound over: from then on this one writes no places (trap 21). */
export const holdsSound = (): boolean => speaking

/**
 * Says to the other tabs that this one speaks. `onLost` is called once, when another tab says the same;
 * the returned function gives the sound up.
 */
export function claimSound(onLost: () => void): () => void {
  speaking = true
  if (!globalThis.BroadcastChannel) return () => (speaking = false)

  const channel = new BroadcastChannel(NAME)
  let ended = false
  const release = () => {
    if (ended) return
    ended = true
    channel.close()
  }
  channel.onmessage = ({ data }: MessageEvent<Claim>) => {
    if (data.tab === tab || ended) return
    // Before the player is told: its pause must not write a place over the other tab's.
    speaking = false
    release()
    onLost()
  }
  channel.postMessage({ tab } satisfies Claim)
  return release
}
