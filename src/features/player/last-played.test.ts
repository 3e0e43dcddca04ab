// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgetStarted, keepStarted } from '#features/library/started.ts'
import { becomeUser } from '#session/store.ts'
import { ownBook } from '#storage/own-title.ts'
import { titleKey } from '#storage/title-key.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { aPlayable } from '#tests/support/playable-title.ts'
import {
  lastPlayedChapterTitle,
  storeLastPlayed,
  useIsInPage,
  useRestingTitle,
  useShowsInPage,
} from './last-played.ts'
import { usePlayer } from './store.ts'

const ROSA = '6c1f6e3e-2f0c-4d57-9d0f-8c7b1f6f3a20'
const salt = aPlayable()
const startedAs = (slug: string, seconds: number) => ({
  key: titleKey('audio', slug),
  book: ownBook(aTitle({ slug, title: slug, series: [] })),
  ...{ share: 0.5, left: '1 min left', chapter: '2. Two sets of books', place: { chapter: 2, seconds } },
})

beforeEach(() => {
  becomeUser({ uuid: ROSA } as never, null)
  usePlayer.setState(usePlayer.getInitialState(), true)
})
afterEach(() => {
  cleanup()
  act(() => forgetStarted())
  storeLastPlayed(undefined)
})

test('PLAY-15: the last book rests at its saved place only while no title is in a player', () => {
  storeLastPlayed(salt)
  keepStarted(ROSA, [startedAs('tide', 3), startedAs(salt.slug, 15)], true)
  const { result } = renderHook(useRestingTitle)
  const resting = { title: { slug: salt.slug, chapters: salt.chapters }, place: { chapter: 2, seconds: 15 } }
  expect(result.current).toMatchObject(resting)
  act(() => usePlayer.setState({ isInOtherWindow: true }))
  expect(result.current).toBeUndefined()
  act(() => usePlayer.setState(({ state }) => ({ isInOtherWindow: false, state: { ...state, title: salt } })))
  expect(result.current).toBeUndefined()
  act(() => usePlayer.setState(usePlayer.getInitialState(), true))
  expect(result.current).toMatchObject(resting)
})

test('a title counts as shown by its page until the page says which it shows', () => {
  const isInPage = (slug: string | undefined) => renderHook(() => useIsInPage(slug)).result.current
  expect([isInPage('salt'), isInPage(undefined)]).toEqual([true, true])
  const page = renderHook(() => useShowsInPage([titleKey('audio', 'tide'), titleKey('audio', 'salt')]))
  expect([isInPage('salt'), isInPage('ferry'), isInPage(undefined)]).toEqual([true, false, false])
  page.unmount()
  expect(isInPage('ferry')).toBe(true)
})

test('the chapter titles of the last book are known, and of no other book', () => {
  storeLastPlayed(salt)
  expect(lastPlayedChapterTitle(salt.slug, 2)).toBe('Two sets of books')
  expect(lastPlayedChapterTitle('tide', 2)).toBeUndefined()
  storeLastPlayed(undefined)
  expect(lastPlayedChapterTitle(salt.slug, 2)).toBeUndefined()
})
