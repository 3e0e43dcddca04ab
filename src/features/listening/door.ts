import type { Listening, ListeningPorts } from './listening.ts'

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

/** Before a log-out: what waits is sent if that is possible at once; give this to `beforeLogOut`. */
export const sendBeforeLogOut = async (): Promise<unknown> => (await open?.listening)?.sendNow()
