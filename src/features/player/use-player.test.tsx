// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noDownload } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { aPlayable } from '#tests/support/playable-title.ts'
import { stagePlayer } from '#tests/support/player-screen.tsx'
import { OFF } from './engine-interface.ts'
import { usePlayer, wantsSound } from './store.ts'
import { useBookmarks, useChapter, useShowsChapters, useTitleDownload } from './use-player.ts'

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
  expect(usePlayer.getState().sleep).toEqual({ choice: undefined, leftSeconds: undefined, fading: false })
})

test('a title that waits for its sound counts as one that plays', () => {
  const statuses = ['off', 'paused', 'waiting', 'playing', 'ended'] as const
  expect(statuses.filter((status) => wantsSound({ ...OFF, status }))).toEqual(['waiting', 'playing'])
})

test('there are no chapter and no bookmarks before the player loads, then those of its title', async () => {
  const { result } = renderHook(() => ({ chapter: useChapter(), bookmarks: useBookmarks() }))
  expect(result.current).toEqual({ chapter: undefined, bookmarks: [] })
  const { ports } = await stagePlayer()
  expect(result.current.chapter?.number).toBe(1)
  const mark = { id: 'here', slug: aPlayable().slug, chapter: 1, seconds: 5, note: '', madeAtMs: 0 }
  await act(async () => ports.markElsewhere(() => void ports.marks.set(mark.id, mark)))
  expect(result.current.bookmarks).toMatchObject([{ id: 'here' }])
})

test('a book’s download isn’t its sample’s', () => {
  const key = 'audio/the-salt-ledger'
  useDownloadsStore.setState({ byTitle: new Map([[key, { ...noDownload(key), state: 'done' }]]) })
  const states = [aPlayable(), aPlayable({ kind: 'sample' }), undefined].map(
    (title) => renderHook(() => useTitleDownload(title)).result.current.state,
  )
  expect(states).toEqual(['done', 'none', 'none'])
  useDownloadsStore.setState(useDownloadsStore.getInitialState(), true)
})
