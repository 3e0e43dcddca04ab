import type { AudioBookTime } from '#contract/listening.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { samePlace, notedFrom } from './model.ts'

interface FollowingPlayer {
  slug: () => string | undefined
  place: () => ChapterSeconds
  sounding: () => boolean
  /** Moves to a place while paused, without recording it. */
  stand: (place: AudioBookTime) => void
  /** Moves there as if the listener had, without changing whether it plays. */
  goTo: (place: ChapterSeconds | AudioBookTime) => void
  /** Where playback resumes for this place: a few seconds before it (PLAY-06). */
  resumesAt: (place: AudioBookTime) => ChapterSeconds | undefined
}

export interface FollowPorts {
  player: FollowingPlayer
  deviceId: string
  /**
   * Stores the server's place; true if it is now this device's place, because nothing newer was heard here.
   */
  follow: (row: AudioBookTime) => Promise<boolean>
  /** Accepts the place without asking, and drops places recorded here since `sinceMs`. */
  goThere: (row: AudioBookTime, sinceMs: number) => Promise<void>
  /** False for a place that this device already received. */
  isNews: (row: AudioBookTime) => Promise<boolean>
  /** Stores both places and asks the listener. */
  askWhich: (row: AudioBookTime) => Promise<void>
  record: (slug: string, place: ChapterSeconds) => Promise<void>
  ask: (slug: string) => Promise<AudioBookTime | undefined>
  /** "Moved to Oranges, 12:40, heard on Rosa's phone." */
  showMoved: (row: AudioBookTime, undo: () => void) => void
  /** True while the server can be reached and the listener has not turned this off. */
  isOn: () => boolean
  nowMs: () => number
}

export interface Follower {
  onPlace: (row: AudioBookTime) => Promise<void>
  played: () => Promise<void>
  /** Any message from the server, even a heartbeat. */
  contacted: () => void
  /** The listener moved or opened something: stop following. */
  moved: () => void
  /**
   * Where playback resumes if the player followed another device and the listener hasn't moved since; else
   * undefined.
   */
  resumesFollowed: () => ChapterSeconds | undefined
}

/** Don't request again while the last contact is younger than this. */
const FRESH_MS = 30_000
/** A later answer doesn't move a playing book; the card asks instead. */
const IN_TIME_MS = 800

/** Moves an open, paused player to the place from another device; on play, requests the latest place. */
export function createFollower(ports: FollowPorts): Follower {
  const { player } = ports
  let contactedAtMs = Number.NEGATIVE_INFINITY
  /** Consecutive moves that follow one device: one notice, and one undo for all. */
  let trail: { deviceId: string | null; from: ChapterSeconds } | undefined
  /** After an undo, the same device is no longer followed. */
  let declined: string | null | undefined
  /** The place the player followed to, until the listener moves. */
  let followed: AudioBookTime | undefined

  const contacted = () => void (contactedAtMs = ports.nowMs())

  const undo = (row: AudioBookTime, slug: string, from: ChapterSeconds) => () => {
    declined = row.deviceId
    trail = undefined
    if (player.slug() === slug) player.goTo(from)
    void ports.record(slug, from)
  }

  const onPlace = async (row: AudioBookTime) => {
    contacted()
    const { slug } = notedFrom(row)
    if (row.deviceId === ports.deviceId || !ports.isOn()) return
    const open = player.slug() === slug
    // Don't move a playing book: the server compares the places when this device sends its own.
    if (open && (player.sounding() || declined === row.deviceId)) return
    const from = player.place()
    if (!(await ports.follow(row)) || !open || player.slug() !== slug || player.sounding()) return
    // The player was opened at this place and is already a few seconds before it.
    if (isSame(from, player.resumesAt(row))) return
    player.stand(row)
    followed = row
    if (trail?.deviceId === row.deviceId) return
    trail = { deviceId: row.deviceId, from }
    if (!samePlace(from, row)) ports.showMoved(row, undo(row, slug, from))
  }

  const played = async () => {
    const slug = player.slug()
    trail = undefined
    declined = undefined
    followed = undefined
    if (!slug || !ports.isOn() || ports.nowMs() - contactedAtMs <= FRESH_MS) return
    const sinceMs = Date.now()
    const from = player.place()
    const startMs = ports.nowMs()
    const row = await ports.ask(slug).catch(() => undefined)
    if (!row) return
    contacted()
    const isLate = ports.nowMs() - startMs > IN_TIME_MS
    if (row.deviceId === ports.deviceId || samePlace(from, row) || !(await ports.isNews(row))) return
    // Paused or another book since: handle the place like any other.
    if (player.slug() !== slug || !player.sounding()) return onPlace(row)
    if (isLate) return ports.askWhich(row)
    await ports.goThere(row, sinceMs)
    player.goTo(row)
    ports.showMoved(row, undo(row, slug, from))
  }

  return {
    onPlace,
    played,
    contacted,
    moved() {
      trail = undefined
      followed = undefined
    },
    resumesFollowed() {
      const isThere =
        followed && notedFrom(followed).slug === player.slug() && isSame(player.place(), followed)
      return isThere ? player.resumesAt(followed!) : undefined
    },
  }
}

/** The audio element rounds its position, so places a fraction of a second apart count as equal. */
const SAME_SPOT_SECONDS = 0.5

const isSame = (a: ChapterSeconds, b: ChapterSeconds | undefined) =>
  b !== undefined && a.chapter === b.chapter && Math.abs(a.seconds - b.seconds) <= SAME_SPOT_SECONDS
