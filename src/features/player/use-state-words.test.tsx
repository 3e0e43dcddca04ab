// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noDownload, type Download } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { stagePlayer } from '#tests/support/player-screen.tsx'
import type { EngineState } from './engine-interface.ts'
import { usePlayer } from './store.ts'
import { useStateWords } from './use-player.ts'

beforeEach(() => usePlayer.setState(usePlayer.getInitialState(), true))
afterEach(() => {
  cleanup()
  useDownloadsStore.setState(useDownloadsStore.getInitialState(), true)
})

const said = () => renderHook(useStateWords).result

test('PLAY-09: without a player the state is neither offline nor visitor', async () => {
  const { engine } = await stagePlayer()
  const state = engine.state()
  act(() => usePlayer.setState({ ...usePlayer.getInitialState(), state }, true))
  expect(said().current).toEqual({ words: 'Streaming', isOnDevice: false })
})

test('PLAY-09: the text follows the network and the state of another device', async () => {
  const { ports } = await stagePlayer()
  const words = said()
  expect(words.current).toEqual({ words: 'Streaming', isOnDevice: false })
  act(() => ports.goOffline())
  expect(words.current.words).toBe('Needs a connection')
  act(() => ports.goOnline())
  expect(words.current.words).toBe('Streaming')
  act(() => usePlayer.setState(({ state }) => ({ state: { ...state, stored: true } })))
  expect(words.current).toEqual({ words: 'Kept ahead on this device', isOnDevice: true })
  act(() => usePlayer.setState(({ state }) => ({ state: { ...state, wentElsewhere: true } })))
  expect(words.current).toEqual({ words: 'Playing elsewhere', isOnDevice: false })
})

test('PLAY-09: reports a download during playback at once, and a prefetched chapter once paused', async () => {
  const key = 'audio/the-salt-ledger'
  const download = { ...noDownload(key), share: 1, stored: new Map([[1, '']]) } as const
  await stagePlayer()
  const words = said()
  const after = (state: Download['state'], status: EngineState['status']) => {
    act(() => {
      useDownloadsStore.setState({ byTitle: new Map([[key, { ...download, state }]]) })
      usePlayer.setState(({ state: before }) => ({ state: { ...before, status, stored: false } }))
    })
    return words.current
  }
  const statuses = ['paused', 'playing', 'ended'] as const
  const saved = { words: 'Saved on this device', isOnDevice: true }
  const keptAhead = { words: 'Kept ahead on this device', isOnDevice: true }
  expect(statuses.map((status) => after('done', status))).toEqual([saved, saved, saved])
  expect(statuses.map((status) => after('none', status))).toEqual([
    keptAhead,
    { words: 'Streaming', isOnDevice: false },
    keptAhead,
  ])
})
