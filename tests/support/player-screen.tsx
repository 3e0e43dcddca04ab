import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import type { Playable } from '#features/player/model.ts'
import type { PlayerPorts } from '#features/player/ports.ts'
import { type RunningPlayer, usePlayer } from '#features/player/store.ts'
import { startPlayer } from '#features/player/start.ts'
import { becomeUser } from '#session/store.ts'
import { aPlayable, fakePorts } from './playable-title.ts'
import { FakeAudio } from './fake-audio.ts'

const LISTENER = '6c1f6e3e-2f0c-4d57-9d0f-8c7b1f6f3a20'

let before: RunningPlayer | undefined

/** A running player with a title in it, on an element without sound; everything else is real. */
export async function stagePlayer(title: Partial<Playable> = {}, part: Partial<PlayerPorts> = {}) {
  // Otherwise the player of an earlier test would still write to the shared store.
  act(() => before?.engine.turnOff())
  usePlayer.setState(usePlayer.getInitialState(), true)
  act(() => becomeUser({ uuid: LISTENER, firstName: 'Rosa', fullName: 'Rosa Lind' }, null))
  const audio = new FakeAudio()
  const ports = fakePorts(part)
  const visited: string[] = []
  const player = startPlayer(ports, (path) => void visited.push(path), audio.asElement())
  before = player
  player.engine.load(aPlayable(title), undefined)
  await act(() => audio.arrives(60))
  return { audio, ports, player, engine: player.engine, visited }
}

/** Renders a part of the player's screen with what the app provides around it. */
export function renderInApp(part: ReactNode) {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterContextProvider router={router}>{part}</RouterContextProvider>
    </QueryClientProvider>,
  )
}
