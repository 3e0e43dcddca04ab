// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { CardActivation } from '#contract/cards.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { announced } from '#ui/announce.ts'
import { aTitle, refusal, SETTINGS } from '#tests/support/card-shop.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { tokensOfWhoIsIn } from '#tests/support/token-store.ts'
import { PointOfSale } from './PointOfSale.tsx'

afterEach(cleanup)

const NUMBER = '4821 0057 7731'
type Answer = () => Promise<CardActivation> | CardActivation

const activation = (ending: string, more: Partial<CardActivation> = {}): CardActivation => ({
  '@id': `/api/audiobook-cards/activations/${ending}`,
  '@type': 'CardActivation',
  id: ending,
  activated: true,
  activatedAt: new Date().toISOString(),
  ending,
  price: 12,
  audioBook: aTitle({ title: 'The Salt Ledger' }),
  takeBackUntil: new Date(Date.now() + 589_000).toISOString(),
  takenBackAt: null,
  ...more,
})

/** A desk whose activations are answered in turn; what was sent is in `sent`. */
async function aDesk({
  emailRequired = false,
  answers = [] as Answer[],
  today = [] as CardActivation[],
  settings = SETTINGS,
} = {}) {
  const sent: unknown[] = []
  const sold = [...today]
  configureNet({
    tokens: { ...tokensOfWhoIsIn, read: async () => ({ token: tokenOf('corner'), refreshToken: undefined }) },
    origin: 'http://shop',
    fetch: () => Promise.reject(new TypeError('no network')),
    exchange: async ({ method, path, json }: Exchange) => {
      if (path.startsWith('/api/settings')) return { ...settings, requiredPurchaserEmail: emailRequired }
      if (path.endsWith('/find-activation')) {
        const found = sold.find(({ ending }) => (json as { token: string }).token.endsWith(ending))
        if (!found) throw refusal(404)
        return found
      }
      if (path.endsWith('/take-back')) {
        const index = sold.findIndex(({ id }) => path.includes(`/${id}/`))
        sold[index] = { ...sold[index]!, activated: false, takeBackUntil: null, takenBackAt: 'now' }
        return sold[index]
      }
      if (method === 'POST') {
        sent.push(json)
        const next = await answers.shift()!()
        sold.unshift(next)
        return next
      }
      if (path.endsWith('/activations')) return { 'hydra:member': [...sold], 'hydra:totalItems': sold.length }
      throw refusal(404)
    },
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <PointOfSale owner="corner" bookshop="Corner House Books" />
    </QueryClientProvider>,
  )
  const code = screen.getByLabelText<HTMLInputElement>('Activation code')
  await soon(() => expect(client.isFetching()).toBe(0))
  return { sent, code, email: screen.getByLabelText<HTMLInputElement>(/^Buyer email/) }
}

const button = () => screen.getByRole('button', { name: 'Activate card' })
const isOff = () => button().getAttribute('aria-disabled') === 'true'
const result = (name: string) => screen.findByRole('heading', { level: 2, name })
const spoken = () => announced().assertive.trim()

test('RESL-05 RESL-07 ENT-20: a scanned number and Enter activate a card; it is shown, spoken and listed, and the field is ready again', async () => {
  const { sent, code } = await aDesk({ answers: [() => activation('7731')] })
  screen.getByRole('heading', { level: 1, name: 'Activate card' })
  expect(document.activeElement).toBe(code)
  await userEvent.keyboard(`${NUMBER} {Enter}`)
  await result('The card has been activated.')
  expect(sent).toEqual([{ token: NUMBER, buyerEmail: null }])
  expect(spoken()).toBe('The card has been activated. The Salt Ledger, £12.00. It ends 7731.')
  expect(code.value).toBe('')
  expect(document.activeElement).toBe(code)
  const today = within(screen.getByRole('region', { name: 'Today' }))
  today.getByText('ends 7731')
  today.getByText('1 card, £12.00')
})

test('the point of sale shows the support phone number, or the email address if there is none', async () => {
  await aDesk()
  expect(screen.getByRole('link', { name: '0191 496 0142' }).getAttribute('href')).toBe('tel:01914960142')
  cleanup()
  await aDesk({ settings: { ...SETTINGS, bookshopPhone: null } })
  screen.getByRole('link', { name: SETTINGS.bookshopMail })
})

test('RESL-06: where the shop wants the buyer’s address, nothing is activated without one', async () => {
  const { sent, code, email } = await aDesk({ emailRequired: true, answers: [() => activation('7731')] })
  expect(email.getAttribute('aria-required')).toBe('true')
  screen.getByLabelText('Buyer email (required, for the receipt)')
  await userEvent.type(code, `${NUMBER}{Enter}`)
  expect(isOff()).toBe(true)
  expect(sent).toEqual([])
  await userEvent.type(email, ' una@murmur.example {Enter}')
  await result('The card has been activated.')
  expect(sent).toEqual([{ token: NUMBER, buyerEmail: 'una@murmur.example' }])
  expect(email.value).toBe('')
})

test('where it is not asked for, the buyer’s address says that it is optional', async () => {
  const { email } = await aDesk()
  expect(email.getAttribute('aria-required')).toBe('false')
  screen.getByLabelText('Buyer email (optional, for a receipt)')
})

test('RESL-09: the button waits for a code, for a right address, and for the answer', async () => {
  let answer = () => {}
  const { code, email } = await aDesk({
    answers: [() => new Promise((resolve) => (answer = () => resolve(activation('7731'))))],
  })
  expect(isOff()).toBe(true)
  await userEvent.type(code, NUMBER)
  expect(isOff()).toBe(false)
  await userEvent.type(email, 'una')
  expect(isOff()).toBe(true)
  await userEvent.type(email, '@murmur.example')
  expect(isOff()).toBe(false)
  await userEvent.click(button())
  expect(isOff()).toBe(true)
  expect(button().getAttribute('aria-busy')).toBe('true')
  answer()
  await result('The card has been activated.')
})

test('a scanner does not wait: a card that comes while another is on its way follows it, and none is lost or doubled', async () => {
  let answer = () => {}
  const { sent, code } = await aDesk({
    answers: [
      () => new Promise((resolve) => (answer = () => resolve(activation('0001')))),
      () => activation('0002'),
      () => activation('0003'),
    ],
  })
  await userEvent.keyboard('CARD0001{Enter}CARD0002{Enter}CARD0003{Enter}')
  expect(sent).toHaveLength(1)
  answer()
  await soon(() => expect(spoken()).toContain('ends 0003'))
  expect(sent).toMatchObject([{ token: 'CARD0001' }, { token: 'CARD0002' }, { token: 'CARD0003' }])
  expect(code.value).toBe('')
})

test('one buyer’s cards all have their address, and what is typed meanwhile is the next buyer’s, and stays', async () => {
  let answer = () => {}
  const { sent, code, email } = await aDesk({
    answers: [
      () => new Promise((resolve) => (answer = () => resolve(activation('0001')))),
      () => activation('0002'),
      () => activation('0003'),
    ],
  })
  await userEvent.type(email, 'una@murmur.example')
  await userEvent.type(code, 'CARD0001{Enter}CARD0002{Enter}')
  await userEvent.clear(email)
  await userEvent.type(email, 'joost@')
  answer()
  await soon(() => expect(spoken()).toContain('ends 0002'))
  expect(sent).toEqual([
    { token: 'CARD0001', buyerEmail: 'una@murmur.example' },
    { token: 'CARD0002', buyerEmail: 'una@murmur.example' },
  ])
  // The rest of the address is not typed into the code.
  expect(document.activeElement).toBe(email)
  await userEvent.keyboard('murmur.example')
  expect([email.value, code.value]).toEqual(['joost@murmur.example', ''])
  await userEvent.type(code, 'CARD0003{Enter}')
  await soon(() => expect(spoken()).toContain('ends 0003'))
  expect(sent.at(-1)).toEqual({ token: 'CARD0003', buyerEmail: 'joost@murmur.example' })
  expect(email.value).toBe('')
})

test('a refusal stops the queue, and the cards scanned after it are listed', async () => {
  let refuse = () => {}
  const { sent, code } = await aDesk({
    answers: [() => new Promise((_, reject) => (refuse = () => reject(refusal(404, 'Not_found'))))],
  })
  await userEvent.keyboard('CARD0001{Enter}CARD0002{Enter}CARD0003{Enter}')
  refuse()
  await result('Not recognised')
  screen.getByText('Not activated either, so scan again: CARD0002, CARD0003.')
  expect(spoken()).toContain('scan again: CARD0002, CARD0003')
  expect(sent).toHaveLength(1)
  expect(code.value).toBe('CARD0001')
})

test('ERR-19: a refusal is shown under the form in the server’s words, and the code stays selected', async () => {
  const { code } = await aDesk({ answers: [() => Promise.reject(refusal(404, 'Card_Not_Known'))] })
  await userEvent.keyboard(`${NUMBER}{Enter}`)
  await result('Not recognised')
  screen.getByText('card not known')
  expect(spoken()).toMatch(/^Not recognised\. Please check for typos/)
  expect(code.value).toBe(NUMBER)
  await soon(() => expect([code.selectionStart, code.selectionEnd]).toEqual([0, NUMBER.length]))
})

test('an already activated card is reported with its time, and counted once', async () => {
  const earlier = activation('7731', { activatedAt: new Date(2026, 10, 21, 14, 6).toISOString() })
  const { code } = await aDesk({
    today: [earlier],
    answers: [() => Promise.reject(refusal(422, 'card_already_activated'))],
  })
  await userEvent.keyboard('482100577731{Enter}')
  await result('Already activated')
  screen.getByText(/^The Salt Ledger, here at 14:06/)
  screen.getByText('card already activated')
  expect(code.value).toBe('')
  screen.getByText('1 card, £12.00')
})

test('a bookshop that was closed is told so, and why its card was not sold', async () => {
  const { code } = await aDesk({ answers: [() => Promise.reject(refusal(422, 'bookshop_closed'))] })
  await userEvent.keyboard(`${NUMBER}{Enter}`)
  await result('This bookshop is closed')
  screen.getByText(/^It can’t sell cards any more/)
  screen.getByText('bookshop closed')
  expect(spoken()).toContain('Nothing has been sold')
  expect(code.value).toBe(NUMBER)
})

test('without a network the answer is a clear no: nothing waits, and the code stays typed', async () => {
  const { sent, code } = await aDesk({ answers: [() => Promise.reject(new NetProblem('offline', 0))] })
  await userEvent.keyboard(`${NUMBER}{Enter}`)
  await result('No connection')
  screen.getByText(/nothing waits to be sent/)
  expect(code.value).toBe(NUMBER)
  window.dispatchEvent(new Event('online'))
  await Promise.resolve()
  expect(sent).toHaveLength(1)
})

test('a sale is taken back from the result or the list, and is crossed out', async () => {
  const { code } = await aDesk({
    answers: [() => activation('7731')],
    today: [activation('4410', { price: 14 })],
  })
  await userEvent.type(code, `${NUMBER}{Enter}`)
  // Its name stays: it would be read out again with every second.
  const button = await screen.findByRole('button', { name: 'Take back' })
  expect(button.parentElement!.textContent).toMatch(/^Take back9:4\d left$/)
  await userEvent.click(button)
  await screen.findByText('Taken back')
  expect(spoken()).toBe('Taken back: The Salt Ledger, ends 7731.')
  expect(screen.queryByRole('heading', { name: 'The card has been activated.' })).toBeNull()
  screen.getByText('1 card, £14.00')
  await userEvent.click(screen.getByRole('button', { name: 'Take back The Salt Ledger, ends 4410' }))
  await screen.findByText('0 cards, £0.00')
})

test('what is scanned while nothing has the focus goes into the field', async () => {
  const { code, sent } = await aDesk({ answers: [() => activation('7731')] })
  code.blur()
  await userEvent.keyboard(`${NUMBER}{Enter}`)
  await result('The card has been activated.')
  expect(sent).toHaveLength(1)
})
