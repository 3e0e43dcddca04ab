// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { OwnersPlan } from '#contract/plans.ts'
import { givenPlan, offered } from '#features/gifts/occasions.ts'
import { askForShop, openLinks, shop, trialOffer } from '#features/shop-details/shop.ts'
import { benefits, hasBothRhythms, planOf, promiseInShort, promisesOf, simplerChoice } from './model.ts'
import { BillingToggle, PlanColumns } from './PlanColumns.tsx'

const demo = shop()
afterEach(() => {
  cleanup()
  askForShop(() => demo)
})

const MONTH: OwnersPlan = { id: 4, type: 'Deckhand', priceMinor: 799, creditsPerMonth: 1 }
const YEAR: OwnersPlan = { ...MONTH, id: 5, priceMinor: 7990 }
const CAPTAIN: OwnersPlan = {
  id: 1,
  type: 'Captain',
  priceMinor: 1449,
  creditsPerMonth: 3,
  texts: ['Three at once', 'Two seats at every evening'],
}
const sells = (...plans: OwnersPlan[]) => askForShop(() => ({ ...demo, plans, memberDiscount: 15 }))

const show = (yearly: boolean, kept?: { plan: number; priceMinor: number }) => {
  const words = { title: 'of the demo', description: '' }
  cleanup()
  const { container } = render(
    <PlanColumns
      yearly={yearly}
      kept={kept}
      words={{ supporter: words, reader: words, avid: words }}
      action={(plan) => <a href={`/payment?plan=${plan.id}`}>Get {plan.type}</a>}
    />,
  )
  return {
    names: screen.getAllByRole('heading').map(({ textContent }) => textContent),
    ways: screen.getAllByRole('link').map((link) => link.getAttribute('href')),
    prices: [...container.querySelectorAll('b')].map(({ textContent }) => textContent),
    says: container.textContent,
  }
}

test('the page shows an owner’s plans with their names, prices and benefits; a tier not for sale has no column', () => {
  sells(MONTH, YEAR, CAPTAIN)
  const byMonth = show(false)
  expect(byMonth.names).toEqual(['Deckhand', 'Captain'])
  expect(byMonth.prices).toEqual(['£7.99', '£79.90', '£14.49'])
  expect(byMonth.ways).toEqual(['/payment?plan=4', '/payment?plan=1'])
  expect(byMonth.says).toContain('1 free audiobook every month')
  expect(byMonth.says).toContain('Up to 15% off the collection')
  expect(byMonth.says).toContain('Three at onceTwo seats at every evening')
  expect(byMonth.says).not.toMatch(/Supporter|of the demo/)
  expect(show(false, { plan: 4, priceMinor: 650 }).prices).toEqual(['£6.50', '£79.90', '£14.49'])
  expect(show(true).ways).toEqual(['/payment?plan=5', '/payment?plan=1'])
  expect(promiseInShort(planOf('avid', true))).toBe('Three at once')

  render(<BillingToggle yearly={false} onChange={() => undefined} />)
  expect(screen.getByText('2 months free on annual')).toBeTruthy()
  cleanup()
  sells(MONTH, { ...YEAR, priceMinor: 7000 })
  render(<BillingToggle yearly={false} onChange={() => undefined} />)
  expect(screen.queryByText(/free on annual/)).toBeNull()
})

test('a plan closed to new members is neither offered nor given, and the default is a plan on sale', () => {
  sells({ ...MONTH, kept: true }, CAPTAIN)
  expect(hasBothRhythms()).toBe(false)
  expect(show(false).names).toEqual(['Captain'])
  expect([offered('gift'), offered('xmas')]).toEqual([[1], [1]])
  expect([givenPlan('4', 'gift'), givenPlan(undefined, 'xmas')]).toEqual([1, 1])
  expect([simplerChoice('month'), simplerChoice('year')]).toEqual([1, undefined])
})

test('a shop lists only benefits that it has, no menu links to an empty list, and the trial uses the owner’s plan name', () => {
  const details = {
    ...demo,
    plans: [MONTH, CAPTAIN],
    trial: { plan: 4, days: 14 } as const,
    trialName: 'Deckhand',
  }
  askForShop(() => ({ ...details, empty: ['/murmurations', '/subscriber-selection', '/editions'] }))
  expect(benefits()).toEqual(['Up to 20% off the collection', 'Free audiobooks each month'])
  expect(promisesOf(planOf('reader', false)).ticks).toEqual(['Chosen by you', 'Up to 20% off the collection'])
  expect(openLinks([{ to: '/browse' }, { to: '/editions' }])).toEqual([{ to: '/browse' }])
  expect(trialOffer()).toBe('Start 14-day Deckhand trial')
  askForShop(() => demo)
  expect(trialOffer()).toBe('Start 30-day Premium trial')
})
