import type { AudioBookTime, SoundClaim, SoundClaimAnswer } from '#contract/listening.ts'
import type { ChapterSeconds, HeardPlace } from '#storage/place.ts'
import { elsewhereOf, givesWay, notedFrom, type PlayingElsewhere, type OwnClaim } from './model.ts'

interface SharePorts {
  deviceId: string
  /**
   * Reports to the server how long this device has been playing; resolves to the device that has the sound.
   */
  claim: (claimId: string, sounding: HeardPlace, agoSeconds: number) => Promise<SoundClaimAnswer | undefined>
  release: (claimId: string) => Promise<unknown>
  /** Pauses and sends the place; after that, doesn't overwrite the other device's place. */
  giveWay: () => HeardPlace | undefined
  /** Undefined if no other device plays any more. */
  onElsewhere: (elsewhere: PlayingElsewhere | undefined) => void
  /** Off if two people listen on one account. */
  isOn: () => boolean
  nowMs: () => number
}

export interface SharedSound {
  /**
   * This device plays. Resolves to the place at which another device stopped, if it reports that in time.
   * Returns undefined immediately if none plays.
   */
  played: (sounding: HeardPlace) => Promise<AudioBookTime | undefined> | undefined
  onPlace: (row: AudioBookTime) => void
  /** True if the last `played` took over from a device that was playing the same title. */
  tookOver: () => boolean
  stopped: () => void
  onClaim: (claim: SoundClaim) => void
  onRelease: (claimId: string) => void
  /** The server is reachable again: repeats the claim it missed. */
  reconnected: () => void
  /** The live stream ended: other devices' state is unknown. */
  disconnected: () => void
  /** Where the other device plays, if this one gave way. */
  elsewhere: () => PlayingElsewhere | undefined
  movedOn: (place: ChapterSeconds) => void
}

/** Short enough to pass for a slow start; a good network needs a third of it. */
const HAND_OVER_MS = 500

/** Lets one device of a listener play at a time: the one that started last, as the server decides. */
export function shareSound(ports: SharePorts): SharedSound {
  let own: (OwnClaim & { sounding: HeardPlace; sinceMs: number; rival?: SoundClaim }) | undefined
  let elsewhere: PlayingElsewhere | undefined
  /** The claim of another playing device, as far as known here. */
  let others: SoundClaim | 'none' | 'unknown' = 'unknown'
  let resolveTakeOver: ((row?: AudioBookTime) => void) | undefined
  let tookOver = false

  const changeElsewhere = (next: PlayingElsewhere | undefined) => {
    if (next === elsewhere) return
    elsewhere = next
    ports.onElsewhere(next)
  }

  const yieldTo = (claim: SoundClaim) => {
    own = undefined
    others = claim
    const stopped = ports.giveWay()
    const there = elsewhereOf(claim)
    // The other device continues where this one stopped, not at its own earlier place.
    changeElsewhere(stopped?.slug === there.slug ? { ...there, ...spotOf(stopped) } : there)
  }

  const send = async () => {
    const mine = own
    if (!mine) return undefined
    const agoSeconds = Math.max(0, (ports.nowMs() - mine.sinceMs) / 1000)
    // Without an answer, the claim is repeated when the server is back.
    const winner = await ports.claim(mine.claimId, mine.sounding, agoSeconds).catch(() => undefined)
    if (!winner) return undefined
    // Stopped or restarted before the answer: the two calls may have arrived out of order.
    if (own?.claimId !== mine.claimId) {
      void ports.release(mine.claimId).catch(() => undefined)
      return undefined
    }
    const { rival } = own
    if (winner.deviceId !== ports.deviceId) yieldTo(winner)
    else {
      own = { ...mine, startedAt: winner.startedAt }
      others = 'none'
      // A newer claim was announced before this answer came.
      if (rival && Date.parse(rival.startedAt) > Date.parse(winner.startedAt)) yieldTo(rival)
    }
    return winner
  }

  /** The place at which the other device stopped: heard after the claim. */
  const askWhereItStopped = (slug: string, claimed: Promise<SoundClaimAnswer | undefined>) =>
    new Promise<AudioBookTime | undefined>((resolve) => {
      const rows: AudioBookTime[] = []
      let from: { deviceId: string; sinceMs: number } | undefined
      const end = (row?: AudioBookTime) => {
        clearTimeout(timer)
        if (resolveTakeOver === onRow) resolveTakeOver = undefined
        resolve(row)
      }
      const timer = setTimeout(() => end(), HAND_OVER_MS)
      const look = () => {
        const row = rows.find(
          ({ deviceId, heardAt }) => deviceId === from?.deviceId && Date.parse(heardAt) >= from.sinceMs,
        )
        if (row) end(row)
      }
      const onRow = (row?: AudioBookTime) => {
        if (!row) return end()
        if (notedFrom(row).slug === slug) rows.push(row)
        look()
      }
      resolveTakeOver = onRow
      void claimed.then((winner) => {
        const before = winner?.before
        if (!before || before.deviceId === ports.deviceId || elsewhereOf(before).slug !== slug) return end()
        from = { deviceId: before.deviceId, sinceMs: Date.parse(winner.startedAt) }
        tookOver = true
        look()
      })
    })

  return {
    played(sounding) {
      changeElsewhere(undefined)
      resolveTakeOver?.()
      tookOver = false
      if (!ports.isOn()) return undefined
      const isAlone = others === 'none'
      own = { claimId: crypto.randomUUID(), startedAt: undefined, sounding, sinceMs: ports.nowMs() }
      const claimed = send()
      return isAlone ? undefined : askWhereItStopped(sounding.slug, claimed)
    },
    onPlace: (row) => resolveTakeOver?.(row),
    tookOver: () => tookOver,
    stopped() {
      const mine = own
      own = undefined
      if (mine) void ports.release(mine.claimId).catch(() => undefined)
    },
    onClaim(claim) {
      if (claim.deviceId !== ports.deviceId && !own) others = claim
      if (givesWay(own, claim, ports.deviceId)) yieldTo(claim)
      else if (own && claim.deviceId !== ports.deviceId) own = { ...own, rival: claim }
    },
    onRelease(claimId) {
      if (typeof others === 'object' && others.claimId === claimId) others = 'none'
      if (elsewhere?.claimId === claimId) changeElsewhere(undefined)
    },
    reconnected() {
      others = 'unknown'
      void send()
    },
    disconnected: () => void (others = 'unknown'),
    elsewhere: () => elsewhere,
    movedOn(place) {
      if (elsewhere) changeElsewhere({ ...elsewhere, chapter: place.chapter, seconds: place.seconds })
    },
  }
}

const spotOf = ({ chapter, seconds }: ChapterSeconds): ChapterSeconds => ({ chapter, seconds })
