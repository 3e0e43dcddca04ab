import type { AudioBookTime, SoundClaim, SoundClaimAnswer } from '#contract/listening.ts'
import type { ChapterSeconds, HeardPlace } from '#device/place.ts'
import { elsewhereOf, givesWay, notedFrom, type PlayingElsewhere, type Held } from './other-device-model.ts'

export interface SharePorts {
  deviceId: string
  /** Tells the server how long this device has been playing; answers which device has the sound, if it can. */
  claim: (claimId: string, sounding: HeardPlace, agoSeconds: number) => Promise<SoundClaimAnswer | undefined>
  release: (claimId: string) => Promise<unknown>
  /** Pauses, and sends where it stopped; from then on no place is written over the other device's. */
  giveWay: () => HeardPlace | undefined
  /** Undefined: it is nowhere else any more. */
  onElsewhere: (elsewhere: PlayingElsewhere | undefined) => void
  /** Off where two people listen on one account. */
  isOn: () => boolean
  nowMs: () => number
}

export interface SharedSound {
  /**
   * This device plays. The place at which another device stopped, if it has the sound and says so in time. Undefined
   * at once where none does.
   */
  played: (sounding: HeardPlace) => Promise<AudioBookTime | undefined> | undefined
  /** A place of another device was told. */
  placed: (row: AudioBookTime) => void
  stopped: () => void
  /** Another device's claim was told. */
  told: (claim: SoundClaim) => void
  silenced: (claimId: string) => void
  /** The server can be reached again: what it missed is said once more. */
  again: () => void
  /** Nobody tells any more which devices play. */
  missed: () => void
  /** The place where it went on, if this device gave way. */
  elsewhere: () => PlayingElsewhere | undefined
  /** The other device went on. */
  movedOn: (place: ChapterSeconds) => void
}

/** A listener takes this for a slow start, and a good network needs a third of it. */
const HAND_OVER_MS = 500

/** Of two devices that play one listener's sound, the one that started last has it; the server says which. */
export function shareSound(ports: SharePorts): SharedSound {
  let held: (Held & { sounding: HeardPlace; sinceMs: number; rival?: SoundClaim }) | undefined
  let elsewhere: PlayingElsewhere | undefined
  /** The claim of another device that plays, as far as this one was told. */
  let others: SoundClaim | 'none' | 'unknown' = 'unknown'
  let takingOver: ((row?: AudioBookTime) => void) | undefined

  const sayElsewhere = (next: PlayingElsewhere | undefined) => {
    if (next === elsewhere) return
    elsewhere = next
    ports.onElsewhere(next)
  }

  const yieldTo = (claim: SoundClaim) => {
    held = undefined
    others = claim
    const stopped = ports.giveWay()
    const there = elsewhereOf(claim)
    // The other device goes on where this one stopped, not where it had been itself.
    sayElsewhere(stopped?.slug === there.slug ? { ...there, ...spotOf(stopped) } : there)
  }

  const send = async () => {
    const mine = held
    if (!mine) return undefined
    const agoSeconds = Math.max(0, (ports.nowMs() - mine.sinceMs) / 1000)
    // Without an answer it is said again when the server is back.
    const stands = await ports.claim(mine.claimId, mine.sounding, agoSeconds).catch(() => undefined)
    if (!stands) return undefined
    // Stopped or restarted before the answer came: the two calls may have arrived out of order.
    if (held?.claimId !== mine.claimId) {
      void ports.release(mine.claimId).catch(() => undefined)
      return undefined
    }
    const { rival } = held
    if (stands.deviceId !== ports.deviceId) yieldTo(stands)
    else {
      held = { ...mine, startedAt: stands.startedAt }
      others = 'none'
      // A newer claim was announced before this answer came.
      if (rival && Date.parse(rival.startedAt) > Date.parse(stands.startedAt)) yieldTo(rival)
    }
    return stands
  }

  /** The place at which the device stopped whose sound was claimed: it was heard after the claim. */
  const askWhereItStopped = (slug: string, claimed: Promise<SoundClaimAnswer | undefined>) =>
    new Promise<AudioBookTime | undefined>((resolve) => {
      const told: AudioBookTime[] = []
      let from: { deviceId: string; sinceMs: number } | undefined
      const end = (row?: AudioBookTime) => {
        clearTimeout(timer)
        if (takingOver === hear) takingOver = undefined
        resolve(row)
      }
      const timer = setTimeout(() => end(), HAND_OVER_MS)
      const look = () => {
        const row = told.find(
          ({ deviceId, heardAt }) => deviceId === from?.deviceId && Date.parse(heardAt) >= from.sinceMs,
        )
        if (row) end(row)
      }
      const hear = (row?: AudioBookTime) => {
        if (!row) return end()
        if (notedFrom(row).slug === slug) told.push(row)
        look()
      }
      takingOver = hear
      void claimed.then((stands) => {
        const before = stands?.before
        if (!before || before.deviceId === ports.deviceId || elsewhereOf(before).slug !== slug) return end()
        from = { deviceId: before.deviceId, sinceMs: Date.parse(stands.startedAt) }
        look()
      })
    })

  return {
    played(sounding) {
      sayElsewhere(undefined)
      takingOver?.()
      if (!ports.isOn()) return undefined
      const isAlone = others === 'none'
      held = { claimId: crypto.randomUUID(), startedAt: undefined, sounding, sinceMs: ports.nowMs() }
      const claimed = send()
      return isAlone ? undefined : askWhereItStopped(sounding.slug, claimed)
    },
    placed: (row) => takingOver?.(row),
    stopped() {
      const mine = held
      held = undefined
      if (mine) void ports.release(mine.claimId).catch(() => undefined)
    },
    told(claim) {
      if (claim.deviceId !== ports.deviceId && !held) others = claim
      if (givesWay(held, claim, ports.deviceId)) yieldTo(claim)
      else if (held && claim.deviceId !== ports.deviceId) held = { ...held, rival: claim }
    },
    silenced(claimId) {
      if (typeof others === 'object' && others.claimId === claimId) others = 'none'
      if (elsewhere?.claimId === claimId) sayElsewhere(undefined)
    },
    again() {
      others = 'unknown'
      void send()
    },
    missed: () => void (others = 'unknown'),
    elsewhere: () => elsewhere,
    movedOn(place) {
      if (elsewhere) sayElsewhere({ ...elsewhere, chapter: place.chapter, seconds: place.seconds })
    },
  }
}

const spotOf = ({ chapter, seconds }: ChapterSeconds): ChapterSeconds => ({ chapter, seconds })
