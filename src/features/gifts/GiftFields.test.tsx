// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configureNet } from '#net/settings.ts'
import { GiftFields } from './GiftFields.tsx'
import { useGifts } from './store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  useGifts.setState({ checks: {} })
  configureNet({ exchange: async () => ({ purchased: false }) })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const save = vi.fn(async () => undefined)
const show = () =>
  render(
    <GiftFields
      uuid="i1"
      kind="audio_books"
      slug="the-quiet-ferry"
      title="The Quiet Ferry"
      gift
      giftEmail={null}
      giftMessage={null}
      forced={false}
      save={save}
    />,
  )

test('GIFT-16: a gift says for one second that it was saved, and no longer', async () => {
  show()
  expect(screen.queryByText('Saved')).toBeNull()
  fireEvent.change(screen.getByLabelText('Their email'), { target: { value: 'mina@harbour.example' } })
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(save).toHaveBeenCalledExactlyOnceWith({ gift: true, giftEmail: 'mina@harbour.example' })
  expect(screen.queryByText('Saved')).not.toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(999))
  expect(screen.queryByText('Saved')).not.toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.queryByText('Saved')).toBeNull()
})

test('a message is kept when its writer rests, when the field is left, and when the page goes', async () => {
  save.mockClear()
  show()
  const message = screen.getByLabelText('Your message')
  const write = (value: string) => fireEvent.change(message, { target: { value } })
  const kept = () => save.mock.calls.map(([wish]: unknown[]) => (wish as { giftMessage: string }).giftMessage)
  write('For the')
  await act(() => vi.advanceTimersByTimeAsync(399))
  expect(kept()).toEqual([])
  write('For the crossing')
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(kept()).toEqual(['For the crossing'])
  write('For the crossing.')
  fireEvent.blur(message)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(kept()).toEqual(['For the crossing', 'For the crossing.'])
  save.mockRejectedValueOnce(new Error('nobody answers'))
  write('For you.')
  await act(() => vi.advanceTimersByTimeAsync(400))
  act(() => void dispatchEvent(new Event('pagehide')))
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(kept().slice(2)).toEqual(['For you.', 'For you.'])
})
