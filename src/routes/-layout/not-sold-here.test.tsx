// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configureNet, settings } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import { nellIsIn, openApp } from '#tests/support/app.tsx'

const NOBODY = settings.tokens
beforeEach(() => {
  configureNet({ tokens: NOBODY })
  becomeVisitor()
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

const sellsTo = (to: readonly string[], from: string) => ({
  '/api/payment_settings': { publishableKey: 'pk_test_1', scriptUrl: null, test: true, sells: { to, from } },
})
const BEFORE_ANYTHING = ['/payment?plan=4', '/payment?plan=4&gift=gift', '/free-trial', '/gift', '/xmas']

test.each(BEFORE_ANYTHING)(
  'at %s whoever is in a country that is not sold to is told so, and has nothing to fill in',
  async (address) => {
    await openApp(address, sellsTo(['GB', 'IE'], 'FR'))
    const note = await screen.findByText(/We’re sorry, we don’t sell to your country yet \(France\)\./)
    expect(note.getAttribute('role')).toBe('note')
    const main = within(screen.getByRole('main'))
    expect(main.queryAllByRole('button', { name: /pay|subscribe|trial|code/i })).toEqual([])
    expect(main.queryByLabelText(/^(First name|Country|Cardholder|Their email)/)).toBeNull()
  },
)

test('the account’s country counts too; without a restriction nothing is shown', async () => {
  nellIsIn({ countryCode: 'FR', currentSubscription: null, subscriptions: [] })
  await openApp('/gift', sellsTo(['GB'], 'GB'))
  await screen.findByText(/\(France\)/)
  cleanup()
  nellIsIn({ countryCode: 'GB', currentSubscription: null, subscriptions: [] })
  await openApp('/gift', sellsTo(['GB'], 'GB'))
  await screen.findByLabelText(/^Their email/)
  expect(screen.queryByText(/don’t sell to your country/)).toBeNull()
})
