// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useLayoutEffect, useState, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { forgetGiftDraft, writeGiftDraft } from '#features/gifts/draft.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { followUserScopes } from '#session/user-scope.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { GiveMembershipScreen } from './GiveMembershipScreen.tsx'

const navigate = vi.fn(async (_to: { to: string; search: object }) => undefined)
vi.mock('@tanstack/react-router', () => {
  const Link = ({ to, search, children }: { to: string; search?: object; children?: ReactNode }) => (
    <a href={`${to}${JSON.stringify(search ?? {})}`}>{children}</a>
  )
  return { Link, createLink: () => Link, useNavigate: () => navigate }
})
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))

const exchange = vi.fn(async (_asked: Exchange): Promise<unknown> => ({ purchased: false }))
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-12-09T10:00:00Z') })
  vi.clearAllMocks()
  exchange.mockResolvedValue({ purchased: false })
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeVisitor()
  forgetGiftDraft()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function At({ occasion, from }: { occasion: 'gift' | 'xmas'; from?: string | undefined }) {
  const [plan, setPlan] = useState(from)
  navigate.mockImplementation(async ({ search }) => void setPlan((search as { plan: string }).plan))
  const [queries] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={queries}>
      <GiveMembershipScreen occasion={occasion} plan={plan} />
    </QueryClientProvider>
  )
}
const show = (occasion: 'gift' | 'xmas', from?: string) => render(<At occasion={occasion} from={from} />)
const plans = () => screen.getAllByRole<HTMLInputElement>('radio')
const chosen = () => plans().find(({ checked }) => checked)?.value
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string | RegExp, value: string) => fireEvent.change(field(label), { target: { value } })
const rest = () => act(() => vi.advanceTimersByTimeAsync(400))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const said = (words: string) => screen.queryByText(words) !== null

test('PLAN-01 PLAN-02 PLAN-04: seven plans in their order, the fourth as default; a choice replaces the URL’s plan', async () => {
  show('gift')
  expect(plans().map(({ value }) => value)).toEqual(['6', '7', '4', '5', '1', '2', '3'])
  expect(chosen()).toBe('5')
  await act(async () => fireEvent.click(plans()[6]!))
  expect(navigate).toHaveBeenCalledWith(
    expect.objectContaining({ to: '/gift', search: { plan: '3' }, replace: true, resetScroll: false }),
  )
  expect(chosen()).toBe('3')
})

test('PLAN-03: at Christmas two plans, the first as default', () => {
  show('xmas', '5')
  expect(plans().map(({ value }) => value)).toEqual(['1', '2'])
  expect(chosen()).toBe('1')
})

test.each(['gift', 'xmas'] as const)(
  'GIFT-02 GIFT-04: on /%s the toggle is on at first, and the form is there only while it is',
  (occasion) => {
    show(occasion, '2')
    const toggle = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Send as a gift' })
    expect(toggle.checked).toBe(true)
    type(/^Their email/, 'joost@harbour.example')
    fireEvent.click(toggle)
    expect(screen.queryByLabelText(/^Their email/)).toBeNull()
    press('Continue to payment')
    expect(navigate).toHaveBeenLastCalledWith({ to: '/payment', search: { plan: 2 } })
  },
)

test('the six-month plan is sold only as a gift', () => {
  show('gift', '3')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Send as a gift' }))
  expect(said('Six months are only sold as a gift.')).toBe(true)
})

test('GIFT-06: shows that a recipient is a member, and allows another gift', async () => {
  exchange.mockResolvedValue({ purchased: true })
  show('gift')
  type(/^Their email/, 'reader@murmur.example')
  await rest()
  expect(said('Already have a subscription')).toBe(true)
  press('Continue to payment')
  expect(navigate).toHaveBeenLastCalledWith({ to: '/payment', search: { plan: 5, gift: 'gift' } })
})

test('GIFT-17: a malformed address is reported and never looked up', async () => {
  show('gift')
  type(/^Their email/, 'joost@harbour')
  await rest()
  fireEvent.blur(field(/^Their email/))
  expect(said('Invalid email')).toBe(true)
  press('Continue to payment')
  expect(navigate).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(field(/^Their email/))
  expect(exchange.mock.calls.filter(([{ path }]) => !path.endsWith('/payment_settings'))).toEqual([])
})

test('in a shop without payment keys a gift membership needs a code', async () => {
  exchange.mockResolvedValue({ publishableKey: null })
  show('gift')
  await rest()
  expect(screen.getByRole('note').textContent).toMatch(/^We can’t take payments yet. With a code/)
  type(/^Their email/, 'joost@harbour.example')
  await rest()
  press('I have a code')
  expect(navigate).toHaveBeenLastCalledWith({
    to: '/payment',
    search: expect.objectContaining({ gift: 'gift' }),
  })
})

test('PAY-07 GIFT-07 GIFT-21: at Christmas name, address and day are marked as required, and lead to the checkout', async () => {
  show('xmas')
  press('Continue to payment')
  for (const words of ['Fill in their first name', 'Fill in their email', 'Choose the day'])
    expect(said(words)).toBe(true)
  expect(document.activeElement).toBe(field('Their first name *'))
  type('Their first name *', 'J')
  type('Their email *', 'joost@harbour.example')
  type('Delivery date *', '08/12/2026')
  press('Continue to payment')
  expect(said('Choose today or a later day')).toBe(true)
  expect(navigate).not.toHaveBeenCalled()
  type('Delivery date *', '25/12/2026')
  expect(screen.getByText(/^Friday 25th December, 8:00 in the morning, .+\.$/)).toBeTruthy()
  press('Continue to payment')
  expect(navigate).toHaveBeenLastCalledWith({ to: '/payment', search: { plan: 1, gift: 'xmas' } })
})

test('the preview of the gift updates after a pause in typing', async () => {
  becomeUser({ uuid: 'u1', firstName: 'Nell', fullName: 'Nell Hart' }, null)
  show('gift')
  type(/^Their first name/, 'Joost')
  type(/^In your own words/, '<b>For the</b> long drives')
  expect(said('For Joost, from Nell')).toBe(false)
  await act(() => vi.advanceTimersByTimeAsync(150))
  expect(said('For Joost, from Nell')).toBe(true)
  expect(screen.getAllByText('<b>For the</b> long drives')).toHaveLength(2)
  expect(screen.getByRole('heading', { name: 'What Joost will open' })).toBeTruthy()
})

test('the draft survives a reload, and is cleared for the next user', () => {
  const stop = followUserScopes()
  becomeUser({ uuid: 'u1', firstName: 'Nell', fullName: 'Nell Hart' }, null)
  show('gift')
  type(/^Their email/, 'joost@harbour.example')
  cleanup()
  show('xmas')
  expect(field(/^Their email/).value).toBe('joost@harbour.example')
  act(() => becomeVisitor())
  expect(field(/^Their email/).value).toBe('')
  stop()
})

test('a press during hydration uses the stored draft', async () => {
  vi.useRealTimers()
  const page = document.body.appendChild(document.createElement('div'))
  const Pressed = ({ press }: { press: () => void }) => {
    useLayoutEffect(press)
    return <At occasion="gift" from="2" />
  }
  page.innerHTML = renderToString(<Pressed press={() => undefined} />)
  writeGiftDraft({ firstName: 'Joost', email: 'joost@harbour.example' })
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  onTestFinished(() => void vi.unstubAllGlobals())
  await new Promise<void>((resolve) => {
    // The first render is the server's, without the stored draft; the second follows shortly after.
    const press = () => {
      navigate.mockClear()
      page.querySelector<HTMLElement>('button[type=submit]')!.click()
      resolve()
    }
    onTestFinished(() => root.unmount())
    const root = hydrateRoot(page, <Pressed press={() => queueMicrotask(press)} />)
  })
  expect(navigate.mock.calls[0]?.[0]).toEqual({ to: '/payment', search: { plan: 2, gift: 'gift' } })
  page.remove()
})
