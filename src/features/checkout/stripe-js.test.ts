// @vitest-environment happy-dom
import type { StripeConstructor } from '@stripe/stripe-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configureNet } from '#net/settings.ts'
import { soon } from '#tests/support/wait-for.ts'
import { openProvider } from './stripe-js.ts'

/** The script elements added to the page. Tests fire their load events; nothing is downloaded. */
let scripts: HTMLScriptElement[] = []
const settings = { publishableKey: 'pk_test_1', scriptUrl: 'http://127.0.0.1:4120/stripe.js', test: true }
let answer: object = settings

beforeEach(() => {
  answer = settings
  configureNet({
    tokens: { read: () => Promise.resolve(null) },
    exchange: () => Promise.resolve(answer),
  } as unknown as Parameters<typeof configureNet>[0])
  vi.spyOn(document.head, 'append').mockImplementation((node) => void scripts.push(node as HTMLScriptElement))
})
afterEach(() => {
  scripts = []
  delete (window as { Stripe?: unknown }).Stripe
  vi.restoreAllMocks()
})

const asked = (times = 1) => soon(() => expect(scripts).toHaveLength(times))
function defineStripe(): { made: string[] } {
  const made: string[] = []
  const Stripe = Object.assign((key: string) => (made.push(key), { key }), { version: 'endive' })
  window.Stripe = Stripe as unknown as StripeConstructor
  return { made }
}

test('loads the shop’s script URL once, and opens Stripe with the publishable key', async () => {
  const [first, second] = [openProvider(), openProvider()]
  await asked()
  expect(scripts[0]!.src).toBe(settings.scriptUrl)
  const { made } = defineStripe()
  scripts[0]!.dispatchEvent(new Event('load'))
  await Promise.all([first, second])
  expect(made).toEqual(['pk_test_1', 'pk_test_1'])
  await openProvider()
  expect(scripts).toHaveLength(1)
})

test('a script that failed to load is loaded again by the next attempt', async () => {
  const first = openProvider()
  await asked()
  scripts[0]!.dispatchEvent(new Event('error'))
  await expect(first).rejects.toThrow(settings.scriptUrl)

  const second = openProvider()
  await asked(2)
  defineStripe()
  scripts[1]!.dispatchEvent(new Event('load'))
  await expect(second).resolves.toMatchObject({ key: 'pk_test_1' })
})

test('a shop without keys takes no payments', async () => {
  answer = { publishableKey: null, scriptUrl: null, test: true }
  await expect(openProvider()).rejects.toThrow('no payments')
})
