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
