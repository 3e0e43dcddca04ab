import type { QueryClient } from '@tanstack/react-query'
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

/** Stores what is heard as places. */
export function followPlayer(engine: Engine, queryClient: QueryClient): void {
  const recording = recordPlayer(engine)
  void import('./follow-other-devices.ts')
    .then(({ followOtherDevices }) => followOtherDevices(engine, queryClient, recording))
    .then(
      (devices) => (otherDevices = devices),
      // Offline and not stored, or a device that keeps nothing: the player plays on by itself.
    )
    .catch(() => undefined)
  void import('#features/ready/keep-ready.ts')
    .then(({ keepReadyWhileListening }) => keepReadyWhileListening(engine, queryClient))
    .catch(() => undefined)
}
