// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aPlayable } from '#tests/support/playable-title.ts'
import { stagePlayer } from '#tests/support/player-screen.tsx'
import { usePlayer } from './store.ts'
import { useShowsChapters } from './use-player.ts'

beforeEach(() => usePlayer.setState(usePlayer.getInitialState(), true))
afterEach(cleanup)

test('PLAY-05: shows chapters of a book, and of a sample to users; before the player loads, to no one', async () => {
  const shows = () =>
    [aPlayable(), aPlayable({ kind: 'sample' }), aPlayable({ chapters: [] }), undefined].map(
      (title) => renderHook(() => useShowsChapters(title)).result.current,
    )
  expect(shows()).toEqual([true, false, false, false])
  await act(() => stagePlayer())
  expect(shows()).toEqual([true, true, false, false])
})

test('a player starts with the figures of the chapter, not of the book', () => {
  expect(usePlayer.getState()).toMatchObject({ wholeBook: false, display: 'mini', isInOtherWindow: false })
})
