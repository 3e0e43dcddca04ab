import type { QueryClient } from '@tanstack/react-query'
import { markFinished, markHeard } from '#features/downloads/lazy.ts'
import type { Engine } from '#features/player/controls.ts'
import { playerPorts } from '#features/player/player-ports.ts'
import type { PlayerPorts } from '#features/player/ports.ts'
import { claimSound } from './claim-sound.ts'
import type { OtherDevices } from './follow-other-devices.ts'
import { openedListening } from './lazy.ts'
import { recordPlayer } from './record-player.ts'

/** Once they are known to the page's player. */
let otherDevices: OtherDevices | undefined

/** The player's ports, with the places of its listener. */
export const portsOfPlayer = (queryClient: QueryClient): Promise<PlayerPorts> =>
  playerPorts(queryClient, {
    lastPlace: async (slug) => (await openedListening())?.lastPlace(slug),
    claimSound,
    takeOver: (at) => otherDevices?.takeOver(at),
    sendNow: () =>
      void openedListening()?.then(
        (listening) => listening.sendNow(),
        () => undefined,
      ),
  })

/** Heard sound becomes places; a book that was heard to its end counts as finished until it is heard again. */
export function followPlayer(engine: Engine, queryClient: QueryClient): void {
  const recording = recordPlayer(engine)
  void import('./follow-other-devices.ts')
    .then(({ followOtherDevices }) => followOtherDevices(engine, queryClient, recording))
    .then(
      (devices) => (otherDevices = devices),
      // Offline and not stored, or a device that keeps nothing: the player plays on by itself.
    )
    .catch(() => undefined)
  void import('#features/ready/keep-while-listening.ts')
    .then(({ keepReadyWhileListening }) => keepReadyWhileListening(engine, queryClient))
    .catch(() => undefined)
  engine.on('play', ({ title }) => {
    if (title.kind === 'book') markHeard(title.slug).catch(onFullDevice)
  })
  engine.on('ended', ({ title }) => {
    if (title.kind === 'book') markFinished(title.slug).catch(onFullDevice)
  })
}

/** A place that a full device could not note is noted the next time; the sound goes on. */
const onFullDevice = () => undefined
