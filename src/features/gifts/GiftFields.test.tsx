// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configureNet } from '#net/settings.ts'
import { GiftFields } from './GiftFields.tsx'
import { useGifts } from './address-check.ts'

const exchange = vi.fn(async (): Promise<unknown> => ({ purchased: false }))

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetAllMocks()
  exchange.mockResolvedValue({ purchased: false })
  useGifts.setState({ checks: {} })
  configureNet({ exchange })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const save = vi.fn(async (_wish: object): Promise<void> => undefined)
const fields = ({ forced = false, gift = true } = {}) => (
  <GiftFields
    uuid="i1"
    kind="audio_books"
    slug="the-quiet-ferry"
    title="The Quiet Ferry"
    gift={gift}
    giftEmail={null}
    giftMessage={null}
    giftDeliveryDate={null}
    forced={forced}
    save={save}
  />
)
const show = (more: { forced?: boolean } = {}) => render(fields(more))

test('GIFT-16: a saved gift shows “saved” for one second only', async () => {
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

test('a message is saved after a pause in typing, on blur, and when the page closes', async () => {
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

const email = () => screen.getByLabelText<HTMLInputElement>('Their email')
const isInvalid = () => email().getAttribute('aria-invalid') === 'true'
const isSaid = (words: string) => screen.queryByText(words) !== null
const type = async (address: string) => {
  fireEvent.change(email(), { target: { value: address } })
  await act(() => vi.advanceTimersByTimeAsync(400))
}

test('GIFT-12: a malformed gift address shows Invalid email on blur, and on a second attempt', async () => {
  show()
  await type('mina@harbour')
  expect(isSaid('Invalid email')).toBe(false)
  fireEvent.blur(email())
  expect(isSaid('Invalid email')).toBe(true)
  fireEvent.focus(email())
  expect(isSaid('Invalid email')).toBe(false)
  fireEvent.keyDown(email(), { key: 'Enter' })
  expect(isSaid('Invalid email')).toBe(true)
  expect(exchange).not.toHaveBeenCalled()
})

test('GIFT-13 GIFT-14: a recipient who owns the book is reported, also after a new focus', async () => {
  exchange.mockResolvedValue({ purchased: true })
  show()
  await type('nell@murmur.example')
  expect(isSaid('Already have this book')).toBe(true)
  fireEvent.blur(email())
  fireEvent.focus(email())
  expect(isSaid('Already have this book')).toBe(true)
  expect(save).not.toHaveBeenCalled()
  await type('mina')
  fireEvent.blur(email())
  expect(isSaid('Invalid email')).toBe(true)
  fireEvent.focus(email())
  expect(isSaid('Invalid email')).toBe(false)
})

test('GIFT-10: turning the gift off removes its address and message, also after it is turned on again', async () => {
  const { rerender } = show()
  await type('mina@harbour.example')
  fireEvent.change(screen.getByLabelText('Your message'), { target: { value: 'For the crossing.' } })
  fireEvent.click(screen.getByRole('checkbox'))
  rerender(fields({ gift: false }))
  await act(async () => undefined)
  expect(screen.queryByLabelText('Their email')).toBeNull()
  expect(save).toHaveBeenLastCalledWith({ gift: false })
  expect(useGifts.getState().checks).toEqual({})
  fireEvent.click(screen.getByRole('checkbox'))
  expect(email().value).toBe('')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your message').value).toBe('')
})

test('GIFT-11: a title in the buyer’s library can only be given, and says why', () => {
  show({ forced: true })
  const toggle = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Send as a gift, The Quiet Ferry' })
  expect(toggle.checked).toBe(true)
  expect(toggle.disabled).toBe(true)
  expect(isSaid('You already own this one, so it can only be a gift.')).toBe(true)
})

test('GIFT-15: a message may be empty, long, or contain anything; it is saved as typed', async () => {
  show()
  const message = screen.getByLabelText('Your message')
  for (const words of ['<img src=x onerror=alert(1)>', `${'word '.repeat(190)}\nend 🦉`, '']) {
    fireEvent.change(message, { target: { value: words } })
    await act(async () => fireEvent.blur(message))
    expect(save).toHaveBeenLastCalledWith({ gift: true, giftMessage: words })
  }
  expect(message.getAttribute('aria-invalid')).not.toBe('true')
})

test('ERR-24: a gift that couldn’t be saved shows no message, and blur tries again', async () => {
  save.mockRejectedValue(new Error('nobody answered'))
  show()
  await type('mina@harbour.example')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(isInvalid()).toBe(false)
  expect(useGifts.getState().checks).toEqual({ i1: 'unsaved' })
  save.mockResolvedValue(undefined)
  await act(async () => fireEvent.blur(email()))
  expect(useGifts.getState().checks).toEqual({ i1: 'valid' })
})

test('month: a title given in the bag can have a day, in the giver’s time zone; a day that has passed is refused', async () => {
  show()
  const day = screen.getByLabelText('When it arrives')
  const type = async (value: string) => {
    fireEvent.change(day, { target: { value } })
    await act(() => vi.advanceTimersByTimeAsync(0))
  }
  await type('25/12/')
  await type('25/12/1999')
  expect(screen.getByText('Choose today or a later day')).toBeTruthy()
  expect(save).not.toHaveBeenCalled()
  await type('25/12/2999')
  const giftTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(save).toHaveBeenLastCalledWith({ gift: true, giftDeliveryDate: '2999-12-25', giftTimeZone })
  await type('')
  expect(save).toHaveBeenLastCalledWith({ gift: true, giftDeliveryDate: null, giftTimeZone })
})
