// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DatedPlace } from '#storage/places-db.ts'
import { previewPlace } from '#features/player/preview.ts'
import { usePlayer } from '#features/player/store.ts'
import { aPlayable } from '#tests/support/playable-title.ts'
import { TwoPlacesQuestion } from './TwoPlaces.tsx'

const choose = vi.fn()
vi.mock('./queries.ts', () => ({ useTitleNames: () => undefined }))
vi.mock('#features/player/preview.ts', () => ({ previewPlace: vi.fn() }))
vi.mock('#features/player/lazy.ts', () => ({ thePlayer: () => Promise.resolve({}) }))
vi.mock('./lazy.ts', () => ({ openedListening: () => Promise.resolve({ choose }) }))

const place = (chapter: number): DatedPlace => ({
  chapter,
  seconds: 60,
  heardAt: '2026-11-21T08:00:00Z',
  eventId: null,
  deviceId: null,
})
const question = {
  slug: 'salt',
  here: place(1),
  there: { ...place(3), deviceName: 'Rosa’s phone' },
  foundAtMs: 0,
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const goTo = vi.fn()

beforeEach(() => {
  vi.clearAllMocks()
  choose.mockImplementation((_slug: string, choice: 'here' | 'there') => Promise.resolve(question[choice]))
  const initial = usePlayer.getInitialState()
  usePlayer.setState({
    ...initial,
    controls: { goTo } as never,
    state: { ...initial.state, title: aPlayable({ slug: 'salt' }) },
  })
  render(<TwoPlacesQuestion question={question} named={false} />)
})
afterEach(() => {
  cleanup()
  usePlayer.setState(usePlayer.getInitialState(), true)
})

test('PLAY-27: choosing the other place moves the open book there', async () => {
  await press('Go there')
  expect(choose).toHaveBeenCalledExactlyOnceWith('salt', 'there')
  expect(goTo).toHaveBeenCalledExactlyOnceWith(question.there)
})

test('PLAY-27: choosing this place does not move the book', async () => {
  await press('Stay here')
  expect(choose).toHaveBeenCalledExactlyOnceWith('salt', 'here')
  expect(goTo).not.toHaveBeenCalled()
})

test('previews five seconds of either place; the same button stops the preview', async () => {
  const stop = vi.fn()
  let over = () => undefined as void
  vi.mocked(previewPlace).mockImplementation((_player, { onEnd }) => {
    over = onEnd
    return stop
  })
  await press('Hear 5 s from Rosa’s phone')
  expect(vi.mocked(previewPlace).mock.calls[0]![1]).toMatchObject({ slug: 'salt', place: question.there })
  await press('Stop')
  expect(stop).toHaveBeenCalledOnce()
  over()
  await press('Hear 5 s from this device')
  expect(vi.mocked(previewPlace).mock.calls[1]![1]).toMatchObject({ slug: 'salt', place: question.here })
  expect(await screen.findByRole('button', { name: 'Stop' })).toBeTruthy()
  over()
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Hear 5 s/ })).toHaveLength(2))
  expect(choose).not.toHaveBeenCalled()
})
