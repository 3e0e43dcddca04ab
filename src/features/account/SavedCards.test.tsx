// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { render } from '#tests/support/render.tsx'
import { SavedCards } from './SavedCards.tsx'

vi.mock('#net/call.ts', () => ({ call: vi.fn() }))
vi.mock('#session/session.ts', () => ({ reloadUser: async () => undefined }))
afterEach(() => {
  cleanup()
  vi.mocked(call).mockReset()
})

const visa = { id: 'one', brand: 'visa', last4: '4242', expires: '2040-08', expired: false }
const old = { id: 'two', brand: 'amex', last4: '0005', expires: '2020-01', expired: true }

/** Answers with these cards until one is removed. */
function serve(cards: object[], onRemove: () => void = () => undefined) {
  let kept = cards
  vi.mocked(call).mockImplementation((async (name: string) => {
    if (name === 'GET /api/payment_methods') return { 'hydra:member': kept }
    onRemove()
    kept = kept.slice(1)
    return undefined
  }) as never)
}

test('paying: cards are listed in the settings with their last month, and removed after a question', async () => {
  serve([visa, old])
  render(<SavedCards ownerUuid="u1" />)
  expect(
    (await screen.findAllByRole('listitem')).map((item) => item.querySelector('div')?.textContent),
  ).toEqual(['Visa ending 4242Expires 08/40', 'American Express ending 0005Expired 01/20'])
  fireEvent.click(screen.getByRole('button', { name: 'Remove Visa ending 4242' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove Visa ending 4242?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Remove this card' }))
  await expect.poll(() => screen.queryAllByText(/Visa ending 4242$/)).toEqual([])
  expect(vi.mocked(call)).toHaveBeenCalledWith('DELETE /api/payment_methods/{id}', { params: { id: 'one' } })
})

test('a card that another device has removed disappears without an error', async () => {
  serve([visa], () => {
    serve([])
    throw new NetProblem('refused', 404)
  })
  render(<SavedCards ownerUuid="u1" />)
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Visa ending 4242' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Remove this card' }))
  expect(await screen.findByText(/You have no saved cards/)).toBeTruthy()
})
