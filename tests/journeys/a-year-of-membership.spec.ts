import type { Page } from '@playwright/test'
import { TRIAL } from '#contract/plans.ts'
import { CARD, fillInBuyer, h1, main, typeCard } from '#tests/support/at-the-till.ts'
import { expect, PHONE, Shop, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 240_000 })

const DAY_MS = 24 * 3_600_000

const startNow = (page: Page) => page.getByRole('checkbox', { name: /^Start now/ }).check()
const details = async (page: Page) => {
  await page.goto('/subscription-details')
  await expect(h1(page, 'Your membership')).toBeVisible()
}

test('MEMB-37 MEMB-36 HDR-12: from the trial on a phone to the first charge, up, a card that expires, another one, away and back', async ({
  browser,
}) => {
  // Its time goes on by months, which is nothing for the others of this shop.
  const shop = await Shop.open()
  const days = async (advance: string) => {
    const answer = await fetch(`${shop.url}/dev/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance }),
    })
    expect(answer.status).toBe(200)
    return new Date(((await answer.json()) as { now: string }).now)
  }
  const context = await browser.newContext({
    baseURL: shop.url,
    viewport: PHONE,
    serviceWorkers: 'block',
  })
  try {
    const page = await context.newPage()
    const email = aNewAddress('trial')
    const reminders = async () => {
      const answer = await fetch(`${shop.url}/dev/mail.json?to=${encodeURIComponent(email)}`)
      const mails = (await answer.json()) as { subject: string }[]
      return mails.filter(({ subject }) => subject.startsWith('Your free trial ends')).length
    }
    await test.step('MEMB-05: a visitor begins the trial with a card that is good for its first charge', async () => {
      // Away from midnight, so that both charges are on the same side of it.
      const now = await days(new Date().getUTCHours() >= 20 ? 'PT6H' : 'PT1H')
      const first = new Date(now.getTime() + TRIAL.days * DAY_MS)
      const [month, year] = [first.getUTCMonth() + 1, first.getUTCFullYear() - 2000]
      await page.goto('/free-trial')
      await fillInBuyer(page, email)
      await typeCard(page, CARD.good, { expiry: `${String(month).padStart(2, '0')} / ${year}` })
      await startNow(page)
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await expect(h1(page, 'Your 30 days have begun.')).toBeVisible()
    })
    await test.step('the credit of the trial brings a highlight', async () => {
      // The provider counts in whole seconds, and the credit is good from its second on: that may be the next one.
      const claim = main(page).getByRole('button', { name: 'Claim with 1 credit' })
      await expect(async () => {
        await page.goto('/audiobooks/salt-road-letters')
        await expect(claim).toBeVisible({ timeout: 5_000 })
      }).toPass()
      await claim.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Use 1 credit' }).click()
      await expect(main(page).getByRole('button', { name: 'ADDED TO LIBRARY!' })).toBeVisible()
    })
    await test.step('it is written about a week and three days before, and charged once', async () => {
      await days('P24D')
      expect(await reminders()).toBe(1)
      await days('P4D')
      expect(await reminders()).toBe(2)
      await days('P3D')
      await details(page)
      await expect(main(page).getByText('£8.00, paid')).toHaveCount(1)
      await expect(main(page).getByText('One free audiobook is waiting')).toBeVisible()
    })
    await test.step('MEMB-16: up to Avid Reader, for the difference that is shown', async () => {
      await main(page).getByRole('button', { name: 'Change plan' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change plan' })
      await dialog.getByRole('radio', { name: /^Avid Reader/ }).check()
      const pay = dialog.getByRole('button', { name: /^Change and pay £/ })
      const sum = /£[\d.]+/.exec(await pay.innerText())![0]
      await pay.click()
      await expect(main(page).getByText('You’re on Avid Reader now.')).toBeVisible()
      await expect(main(page).getByText(`${sum}, paid`)).toBeVisible()
    })
    await test.step('the card has expired by the next renewal: benefits stay, and every page says so', async () => {
      await days('P32D')
      await page.goto('/audiobooks')
      const banner = page.getByRole('complementary', { name: 'Payment failed' })
      await expect(banner).toBeVisible()
      await details(page)
      await expect(main(page).getByText(/Nothing is lost/)).toBeVisible()
      await page.goto('/audiobooks')
      await banner.getByRole('link', { name: 'Update payment details' }).click()
      await expect(page).toHaveURL(/update-card=1/)
      await typeCard(page, CARD.good)
      await page.getByRole('button', { name: 'Update', exact: true }).click()
      await expect(page).toHaveURL(/\/subscription-details$/)
      await expect(main(page).getByText('£12.00, paid')).toHaveCount(1)
    })
    await test.step('MEMB-30: cancelled in two presses; a month later it is over, and the library is as it was', async () => {
      await main(page).getByRole('button', { name: 'Cancel membership' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel membership' }).click()
      await expect(main(page).getByText('Payment has been cancelled')).toBeVisible()
      await days('P31D')
      await details(page)
      await expect(main(page).getByText('You’re not a member just now.')).toBeVisible()
      await page.goto('/library')
      await expect(main(page).getByRole('heading', { name: 'Salt Road Letters' })).toBeVisible()
    })
    await test.step('and comes back, as a new member without another trial', async () => {
      await page.goto('/payment?plan=4')
      await typeCard(page, CARD.good)
      await startNow(page)
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await expect(h1(page, 'You’re a member. Reader monthly, from today.')).toBeVisible()
    })
  } finally {
    await context.close()
    await shop.close()
  }
})
