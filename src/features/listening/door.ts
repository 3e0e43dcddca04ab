import type { Listening, ListeningPorts } from './listening.ts'
import { holdsSound } from './claim-sound.ts'
import { startRecorder, type Ear } from './recorder.ts'

let open: { ownerUuid: string; listening: Promise<Listening> } | undefined

/**
 * The places of whoever this device belongs to. Safe to call at every change of the session: the same owner's
 * stay open, another's are closed. The machinery is loaded apart, so that the first page does not carry it.
 */
export function openListeningOf(
  ownerUuid: string | undefined,
  ports: ListeningPorts = {},
): Promise<Listening> | undefined {
  if (open?.ownerUuid === ownerUuid) return open?.listening
  void open?.listening.then((listening) => listening.stop())
  open = undefined
  if (!ownerUuid) return undefined
  open = {
    ownerUuid,
    listening: import('./listening.ts').then(({ openListening }) => openListening(ownerUuid, ports)),
  }
  return open.listening
}

/** Undefined for a visitor. */
export const openedListening = (): Promise<Listening> | undefined => open?.listening

/** Has the player's places kept for whoever is listening, until stopped. Once per page. */
export function recordPlayer(player: Ear): () => void {
  const recorder = startRecorder(player, {
    keep: (place) => void open?.listening.then((listening) => listening.keep(place)),
    mayWrite: holdsSound,
    nowMs: () => performance.now(),
  })
  const send = () => void open?.listening.then((listening) => listening.sendNow())
  const onHide = () => {
    if (document.visibilityState !== 'hidden') return
    recorder.hide()
    send()
  }
  const onLeave = () => recorder.hide()
  document.addEventListener('visibilitychange', onHide)
  // iOS may freeze the page right after this; no later event is promised.
  addEventListener('pagehide', onLeave)
  // A closed player's window has handed its book back, and left its last places unsent.
  const stopsSending = [player.on('pause', send), player.on('load', send)]
  return () => {
    recorder.stop()
    stopsSending.forEach((stop) => stop())
    document.removeEventListener('visibilitychange', onHide)
    removeEventListener('pagehide', onLeave)
  }
}

/** Before a log-out: what waits is sent if that is possible at once; give this to `beforeLogOut`. */
export const sendBeforeLogOut = async (): Promise<unknown> => (await open?.listening)?.sendNow()
