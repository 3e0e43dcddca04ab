// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { PlanColumns } from './PlanColumns.tsx'

/** The owner uses different prices. */
vi.mock('#contract/plans.ts', async (original) => {
  const { PLANS, ...rest } = await original<typeof import('#contract/plans.ts')>()
  const dearer = Object.values(PLANS).map((plan) => [plan.id, { ...plan, priceMinor: plan.priceMinor + 150 }])
  return { ...rest, PLANS: Object.fromEntries(dearer) }
})
afterEach(cleanup)

test('MEMB-09: the page shows the monthly and yearly prices of the plan table', () => {
  const words = { title: '', description: '' }
  const { container } = render(
    <PlanColumns
      yearly={false}
      words={{ supporter: words, reader: words, avid: words }}
      action={() => null}
    />,
  )
  const prices = [...container.querySelectorAll('li b')].map(({ textContent }) => textContent)
  expect(prices).toEqual(['£4.50', '£31.50', '£9.50', '£81.50', '£13.50', '£121.50'])
})
