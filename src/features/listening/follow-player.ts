import type { QueryClient } from '@tanstack/react-query'
import type { Engine } from '#features/player/engine-interface.ts'
import type { OtherDevices } from './follow-other-devices.ts'
import { holdsSound } from './claim-sound.ts'
import { openListener, openedListening } from './lazy.ts'
import type { Listening } from './listening.ts'
import { startRecorder, type PlayerEvents } from './recorder.ts'

let otherDevices: OtherDevices | undefined

/** The player's `takeOver` port; undefined until the module for other devices has loaded. */
export const takeOverFromOtherDevices: OtherDevices['takeOver'] = (at) => otherDevices?.takeOver(at)

/** Records the player's places, and follows the other devices. */
export function followPlayer(engine: Engine, queryClient: QueryClient): void {
  const recording = recordPlayer(engine)
  void import('./follow-other-devices.ts')
    .then(({ followOtherDevices }) => followOtherDevices(engine, queryClient, recording))
    .then(
      (devices) => (otherDevices = devices),
      // Offline with the module not cached, or storage is blocked: the player works without it.
    )
    .catch(() => undefined)
  void import('#features/ready/keep-ready.ts')
    .then(({ keepReadyWhileListening }) => keepReadyWhileListening(engine, queryClient))
    .catch(() => undefined)
}

export interface Recording {
  /** Another device takes over: records and sends the current place synchronously. */
  handOver: () => void
  stop: () => void
}

/**
 * Stores and sends the player's places for the current user, until stopped. Once per page. A title opened by
 * one user is never recorded for another user who logs in while it plays.
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
  // No later event is guaranteed after either of these.
  document.addEventListener('freeze', onGoing)
  addEventListener('pagehide', onGoing)
  // `load`: a closing player's window hands its book back with its last places unsent.
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

/** Synchronous if listening is open: a closing page can't wait. */
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
    // Retried with the next place.
    () => undefined,
  )
}
