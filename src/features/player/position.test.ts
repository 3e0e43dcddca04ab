// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { aPlayable } from '#tests/support/playable-title.ts'
import { playingEngine } from '#tests/support/player-engine.ts'
import { followPosition, usePosition, useResumeSeconds, useTimeline } from './position.ts'
import { usePlayer } from './store.ts'

test('the place updates as it moves, and is the same object while it does not', async () => {
  const { audio, engine } = await playingEngine()
  followPosition(engine)
  let draws = 0
  const { result } = renderHook(() => {
    draws += 1
    return usePosition()
  })
  await act(() => audio.hears(1))
  expect(result.current).toMatchObject({ chapter: 1, seconds: 1, duration: 60 })
  const [before, drawn] = [usePosition.getState(), draws]
  act(() => engine.pause())
  expect(usePosition.getState()).toBe(before)
  expect(draws).toBe(drawn)
})

test('a hidden page updates no place; a visible page shows the current one again', async () => {
  const { audio, engine } = await playingEngine()
  followPosition(engine)
  const { result } = renderHook(() => usePosition())
  await act(() => audio.hears(1))
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  const shown = result.current
  await act(() => audio.hears(5))
  expect(result.current).toBe(shown)
  visibility.mockReturnValue('visible')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(result.current.seconds).toBe(6)
  await act(() => audio.hears(1))
  expect(result.current.seconds).toBe(7)
  visibility.mockRestore()
})

test('“Play from” names the second of a paused player; while it plays, and for other titles, the saved place', async () => {
  const { audio, engine } = await playingEngine()
  followPosition(engine)
  const title = aPlayable()
  const follow = () => act(() => usePlayer.setState({ state: engine.state() }))
  const named = (slug: string) =>
    renderHook(() => useResumeSeconds(slug, { chapter: 1, seconds: 30, atMs: Date.now() } as never)).result
      .current
  const saved = named('another-title')
  await act(() => audio.hears(7))
  follow()
  expect(named(title.slug)).toBe(saved)
  act(() => engine.pause())
  follow()
  expect(named(title.slug)).toBe(7)
  expect(named('another-title')).toBe(saved)
})

test('figures and scrubber show the chapter; the book if the listener chose that and it has several chapters', () => {
  const shown = (wholeBook: boolean, title: ReturnType<typeof aPlayable> | undefined) => {
    usePlayer.setState(({ state }) => ({ wholeBook, state: { ...state, title } }))
    return renderHook(() => useTimeline()).result.current.of
  }
  const book = aPlayable()
  const short = aPlayable({ chapters: book.chapters.slice(0, 1) })
  expect([shown(false, book), shown(true, book)]).toEqual(['chapter', 'book'])
  expect([shown(true, short), shown(true, undefined)]).toEqual(['chapter', 'chapter'])
  usePlayer.setState(usePlayer.getInitialState(), true)
})
