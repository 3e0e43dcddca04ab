// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noDownload } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { stagePlayer } from '#tests/support/player-screen.ts'
import type { EngineState } from './engine-events.ts'
import { usePlayer } from './store.ts'
import { useStateWords } from './use-state-words.ts'

beforeEach(() => usePlayer.setState(usePlayer.getInitialState(), true))
afterEach(() => {
  cleanup()
  useDownloadsStore.setState(useDownloadsStore.getInitialState(), true)
})

const said = () => renderHook(useStateWords).result

test('PLAY-09: without a player nobody is taken for offline or for a visitor', async () => {
  const { engine } = await stagePlayer()
  const state = engine.state()
  act(() => usePlayer.setState({ ...usePlayer.getInitialState(), state }, true))
  expect(said().current).toEqual({ words: 'Streaming', fromHere: false })
})

test('PLAY-09: the words follow the network, and what is told of another device', async () => {
  const { ports } = await stagePlayer()
  const words = said()
  expect(words.current).toEqual({ words: 'Streaming', fromHere: false })
  act(() => ports.goOffline())
  expect(words.current.words).toBe('Needs a connection')
  act(() => ports.goOnline())
  expect(words.current.words).toBe('Streaming')
  act(() => usePlayer.setState(({ state }) => ({ state: { ...state, stored: true } })))
  expect(words.current).toEqual({ words: 'Kept ahead on this device', fromHere: true })
  act(() => usePlayer.setState(({ state }) => ({ state: { ...state, wentElsewhere: true } })))
  expect(words.current).toEqual({ words: 'Playing elsewhere', fromHere: false })
})

test('PLAY-09: what the engine has not asked about yet is known by the downloads while it stands still, not while it sounds', async () => {
  const key = 'audio/the-salt-ledger'
  const download = { ...noDownload(key), state: 'done', share: 1, stored: new Set([1]) } as const
  useDownloadsStore.setState({ byTitle: new Map([[key, download]]) })
  await stagePlayer()
  const words = said()
  const after = (status: EngineState['status']) => {
    act(() => usePlayer.setState(({ state }) => ({ state: { ...state, status, stored: false } })))
    return words.current.words
  }
  expect((['paused', 'playing', 'ended'] as const).map(after)).toEqual([
    'Saved on this device',
    'Saved, from the next chapter on',
    'Saved on this device',
  ])
})
