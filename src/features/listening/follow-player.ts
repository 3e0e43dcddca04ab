import type { QueryClient } from '@tanstack/react-query'
import type { Engine } from '#features/player/engine-interface.ts'
import type { OtherDevices } from './follow-other-devices.ts'
import { holdsSound } from './claim-sound.ts'
import { openListener, openedListening } from './lazy.ts'
import type { Listening } from './listening.ts'
import { startRecorder, type PlayerEvents } from './recorder.ts'

/** Once they are known to the page's player. */
let otherDevices: OtherDevices | undefined

/** The player's port `takeOver`; nothing to take over before the other devices are known. */
export const takeOverFromOtherDevices: OtherDevices['takeOver'] = (at) => otherDevices?.takeOver(at)

/** Stores what is heard as places. */
export function followPlayer(engine: Engine, queryClient: QueryClient): void {
  const recording = recordPlayer(engine)
  void import('./follow-other-devices.ts')
    .then(({ followOtherDevices }) => followOtherDevices(engine, queryClient, recording))
    .then(
      (devices) => (otherDevices = devices),
      // Offline and not stored, or storage is blocked: the player works without it.
    )
    .catch(() => undefined)
  void import('#features/ready/keep-ready.ts')
    .then(({ keepReadyWhileListening }) => keepReadyWhileListening(engine, queryClient))
    .catch(() => undefined)
}

export interface Recording {
  /** Another device takes over: records and sends the current place before this returns. */
  handOver: () => void
  stop: () => void
}

/**
 * Stores and sends the player's places for the current user, until stopped. Once per page. What was opened for one user is
 * never stored for another who logs in while it plays.
 */
export function recordPlayer(player: PlayerEvents): Recording {
  toListening(() => undefined)
  /** The user when the title was opened; for a visitor, the user who logs in next. */
  let heardBy = openListener()
  const forget = player.on('load', () => void (heardBy = openListener()))
  const recorder = startRecorder(player, {
    keep(place) {
      heardBy ??= openListener()
      if (heardBy === openListener()) toListening((listening) => listening.keep(place))
    },
    mayWrite: holdsSound,
    nowMs: () => performance.now(),
  })
  const send = () => toListening((listening) => void listening.sendNow())
  const leave = (how: 'hidden' | 'going') => {
    recorder.hide()
    toListening((listening) => listening.leave(how))
  }
  const onHide = () => {
    if (document.visibilityState === 'hidden') leave('hidden')
  }
  const onGoing = () => leave('going')
  document.addEventListener('visibilitychange', onHide)
  // After either of these no later event is promised.
  document.addEventListener('freeze', onGoing)
  addEventListener('pagehide', onGoing)
  // `load`: a closed player's window has handed its book back, and left its last places unsent.
  const stopsSending = (['pause', 'seek', 'chapterEnd', 'ended', 'load'] as const).map((kind) =>
    player.on(kind, send),
  )
  return {
    handOver: () => leave('hidden'),
    stop() {
      forget()
      recorder.stop()
      stopsSending.forEach((stop) => stop())
      document.removeEventListener('visibilitychange', onHide)
      document.removeEventListener('freeze', onGoing)
      removeEventListener('pagehide', onGoing)
    },
  }
}

let asked: Promise<Listening> | undefined
let ready: Listening | undefined

/** Synchronous if the places are open: a page that is being closed can't wait. */
function toListening(work: (listening: Listening) => void): void {
  const opened = openedListening()
  if (opened === asked && ready) return work(ready)
  asked = opened
  ready = undefined
  void opened?.then(
    (listening) => {
      if (opened === asked) ready = listening
      work(listening)
    },
    // Asked for again with the next place.
    () => undefined,
  )
}
