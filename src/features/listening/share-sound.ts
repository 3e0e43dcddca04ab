import type { SoundClaim } from '#contract/listening.ts'
import { elsewhereOf, givesWay, type Elsewhere, type Held, type Spot } from './arrival-model.ts'

export interface Sounding extends Spot {
  readonly slug: string
}

export interface SharePorts {
  deviceId: string
  /** Tells the server how long this device has been playing; answers which device has the sound, if it can. */
  claim: (claimId: string, sounding: Sounding, agoSeconds: number) => Promise<SoundClaim | undefined>
  release: (claimId: string) => Promise<unknown>
  /** Pauses, without writing a place over the other device's. */
  giveWay: () => void
  /** Undefined: it is nowhere else any more. */
  onElsewhere: (elsewhere: Elsewhere | undefined) => void
  /** Off where two people listen on one account. */
  isOn: () => boolean
  nowMs: () => number
}

export interface SharedSound {
  played: (sounding: Sounding) => void
  stopped: () => void
  /** Another device's claim was told. */
  told: (claim: SoundClaim) => void
  silenced: (claimId: string) => void
  /** The server can be reached again: what it missed is said once more. */
  again: () => void
  /** Where it went on, if this device gave way. */
  elsewhere: () => Elsewhere | undefined
  /** The other device went on. */
  movedOn: (place: Spot) => void
}

/** Of two devices that play one listener's sound, the one that started last has it; the server says which. */
export function shareSound(ports: SharePorts): SharedSound {
  let held: (Held & { sounding: Sounding; sinceMs: number; rival?: SoundClaim }) | undefined
  let elsewhere: Elsewhere | undefined

  const sayElsewhere = (next: Elsewhere | undefined) => {
    if (next === elsewhere) return
    elsewhere = next
    ports.onElsewhere(next)
  }

  const yieldTo = (claim: SoundClaim) => {
    held = undefined
    ports.giveWay()
    sayElsewhere(elsewhereOf(claim))
  }

  const send = async () => {
    const mine = held
    if (!mine) return
    const agoSeconds = Math.max(0, (ports.nowMs() - mine.sinceMs) / 1000)
    // Without an answer it is said again when the server is back.
    const stands = await ports.claim(mine.claimId, mine.sounding, agoSeconds).catch(() => undefined)
    if (!stands) return
    // Stopped or restarted before the answer came: the two calls may have arrived out of order.
    if (held?.claimId !== mine.claimId) return void ports.release(mine.claimId).catch(() => undefined)
    const { rival } = held
    if (stands.deviceId !== ports.deviceId) return yieldTo(stands)
    held = { ...mine, startedAt: stands.startedAt }
    // A newer claim was announced before this answer came.
    if (rival && Date.parse(rival.startedAt) > Date.parse(stands.startedAt)) yieldTo(rival)
  }

  return {
    played(sounding) {
      sayElsewhere(undefined)
      if (!ports.isOn()) return
      held = { claimId: crypto.randomUUID(), startedAt: undefined, sounding, sinceMs: ports.nowMs() }
      void send()
    },
    stopped() {
      const mine = held
      held = undefined
      if (mine) void ports.release(mine.claimId).catch(() => undefined)
    },
    told(claim) {
      if (givesWay(held, claim, ports.deviceId)) yieldTo(claim)
      else if (held && claim.deviceId !== ports.deviceId) held = { ...held, rival: claim }
    },
    silenced(claimId) {
      if (elsewhere?.claimId === claimId) sayElsewhere(undefined)
    },
    again: () => void send(),
    elsewhere: () => elsewhere,
    movedOn(place) {
      if (elsewhere) sayElsewhere({ ...elsewhere, chapter: place.chapter, seconds: place.seconds })
    },
  }
}
