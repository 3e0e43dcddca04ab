import type { QueryClient } from '@tanstack/react-query'
import { portsOfPlayer } from '#features/listening/follow-player.ts'
import type { PlayerPorts } from '#features/player/ports.ts'
import { nextPort } from './next-port.ts'

/** The player's ports, with the places of its listener and what comes after a book. */
export const portsWithNext = async (queryClient: QueryClient): Promise<PlayerPorts> => ({
  ...(await portsOfPlayer(queryClient)),
  next: nextPort(queryClient),
})
