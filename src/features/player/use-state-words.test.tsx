// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stagePlayer } from '#tests/support/player-stage.ts'
import { usePlayer } from './store.ts'
import { useStateWords } from './use-state-words.ts'

beforeEach(() => usePlayer.setState(usePlayer.getInitialState(), true))
afterEach(cleanup)

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
  expect(words.current).toEqual({ words: 'Saved on this device', fromHere: true })
  act(() => usePlayer.setState(({ state }) => ({ state: { ...state, wentElsewhere: true } })))
  expect(words.current).toEqual({ words: 'Playing elsewhere', fromHere: false })
})
