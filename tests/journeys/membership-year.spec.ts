// Covers: membership, plans, checkout, payments, jobs
import { DAY_MS } from '#contract/durations.ts'
import type { Page } from '@playwright/test'
import { TRIAL } from '#contract/plans.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { answerBank, CARD, fillInBuyer, h1, main, typeCard } from '#tests/support/checkout-page.ts'
import { expect, PHONE, Shop, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

const banner = (page: Page) => page.getByRole('complementary', { name: 'Payment failed' })
const update = (page: Page) => page.getByRole('button', { name: /^Update(,|$)/ })
const startNow = (page: Page) => page.getByRole('checkbox', { name: /^Start my membership now/ }).check()
/** Ends the demo's memberships, because renewing them every month would take most of the time. */
async function endMembershipsOfTheDemo({ sandbox }: Shop): Promise<void> {
  const { subscriptions } = sandbox.billing
  const ids: string[] = []
  for await (const { id, state } of subscriptions.list({})) if (state !== 'ended') ids.push(id)
  await Promise.all(ids.map((id) => subscriptions.end(id)))
  await sandbox.control('webhooks/settled')
}
const details = async (page: Page) => {
  await page.goto('/subscription-details')
  await expect(h1(page, 'Your membership')).toBeVisible()
}

test('MEMB-37 HDR-12 PAY-45: a year of membership: trial, first charge, upgrade, expired card, new card, cancellation, return, and a renewal that needs authentication', async ({
  browser,
}) => {
  test.setTimeout(900_000)
  // A shop for this journey alone, because its time advances by months.
  const shop = await Shop.open()
  await endMembershipsOfTheDemo(shop)
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
    await test.step('MEMB-05: a visitor starts the trial with a valid card', async () => {
      // Away from midnight, so that both charges fall on the same day.
      const now = await days(new Date().getUTCHours() >= 20 ? 'PT6H' : 'PT1H')
      const first = new Date(now.getTime() + TRIAL.days * DAY_MS)
      const [month, year] = [first.getUTCMonth() + 1, first.getUTCFullYear() - 2000]
      await page.goto('/free-trial')
      await fillInBuyer(page, email)
      await typeCard(page, CARD.good, { expiry: `${String(month).padStart(2, '0')} / ${year}` })
      await startNow(page)
      await page.getByRole('button', { name: 'Start my free trial' }).click()
      await expect(h1(page, 'Your 30 days have started.')).toBeVisible()
    })
    await test.step('the trial’s free audiobook is used for a highlight', async () => {
      // The provider counts in whole seconds, and the credit is only valid from its second on, which may be the next one.
      const claim = main(page).getByRole('button', { name: 'Choose as free audiobook' })
      await expect(async () => {
        await page.goto('/audiobooks/salt-road-letters')
        await expect(claim).toBeVisible({ timeout: 5_000 })
      }).toPass()
      await claim.click()
      // A trial's free audiobook needs a confirmed address, and the dialog sends the email again.
      const first = page.getByRole('dialog', { name: 'Confirm your email first' })
      await first.getByRole('button', { name: 'Resend the email' }).click()
      await expect(first.getByRole('status')).toHaveText('A new email is on its way.')
      await expectAccessible(page)
      const mail = await mailTo(shop.url, email, /^Confirm your email/)
      await page.goto(mail.link(/^\/confirm/))
      await expect(page).toHaveURL(/\/settings\?confirmed=1/)
      await page.goto('/audiobooks/salt-road-letters')
      await claim.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Choose it' }).click()
      await expect(main(page).getByRole('button', { name: 'ADDED TO LIBRARY!' })).toBeVisible()
    })
    await test.step('emails are sent a week and three days before, and the card is charged once', async () => {
      await days('P24D')
      expect(await reminders()).toBe(1)
      await days('P4D')
      expect(await reminders()).toBe(2)
      await days('P3D')
      await details(page)
      await expect(main(page).getByText('£8.00, paid')).toHaveCount(1)
      await expect(main(page).getByText('One free audiobook is waiting')).toBeVisible()
    })
    await test.step('MEMB-16: upgrades to Avid Reader for the difference that was shown', async () => {
      await main(page).getByRole('button', { name: 'Change plan' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change plan' })
      await dialog.getByRole('radio', { name: /^Avid Reader/ }).check()
      const pay = dialog.getByRole('button', { name: /^Change and pay £/ })
      const sum = /£[\d.]+/.exec(await pay.innerText())![0]
      await pay.click()
      await expect(main(page).getByText('You’re on Avid Reader now.')).toBeVisible()
      await expect(main(page).getByText(`${sum}, paid`)).toBeVisible()
    })
    await test.step('the card has expired at the next renewal: benefits continue, and every page shows a banner', async () => {
      await days('P32D')
      await details(page)
      await expect(main(page).getByText(/Nothing is lost/)).toBeVisible()
      await page.goto('/')
      await expect(banner(page)).toBeVisible()
      // Only one banner is shown at a time.
      await expect(page.getByRole('complementary', { name: 'An audiobook in a card' })).toHaveCount(0)
    })
    await test.step('PAY-24: another card pays, even with a reload during authentication, and the banner disappears', async () => {
      await banner(page).getByRole('link', { name: 'Use a new card' }).click()
      await expect(page).toHaveURL(/\/payment\?update-card=1&subscription=/)
      await typeCard(page, CARD.authentication)
      await update(page).click()
      await expect(page.locator('iframe[title="Your bank asks for you"]')).toBeVisible()
      await page.reload()
      await expect(update(page)).toBeVisible()
      await typeCard(page, CARD.authentication)
      await update(page).click()
      await answerBank(page, 'Complete authentication')
      await expect(page).toHaveURL(/\/subscription-details$/)
      await expect(main(page).getByText('£12.00, paid')).toHaveCount(1)
      await expect(main(page).getByText('Card ending 3155').first()).toBeVisible()
      // The banner appears after the page has loaded, so check the user's data instead of its absence.
      const told = page.waitForResponse(/\/api\/logged-user/)
      await page.goto('/audiobooks')
      const { subscriptions } = (await (await told).json()) as { subscriptions: { paymentFailed: boolean }[] }
      expect(subscriptions.map(({ paymentFailed }) => paymentFailed)).toEqual([false])
      await expect(banner(page)).toHaveCount(0)
    })
    await test.step('MEMB-30: cancelled in two presses; a month later the membership has ended and the library is unchanged', async () => {
      await details(page)
      await main(page).getByRole('button', { name: 'Cancel membership' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel membership' }).click()
      await expect(main(page).getByText('Payment has been cancelled')).toBeVisible()
      await days('P31D')
      await details(page)
      await expect(main(page).getByText('You’re not a member just now.')).toBeVisible()
      await page.goto('/library')
      await expect(main(page).getByRole('heading', { name: 'Salt Road Letters', exact: true })).toBeVisible()
    })
    await test.step('joins again as a new member without another trial', async () => {
      await page.goto('/payment?plan=4')
      await typeCard(page, CARD.alwaysAsked)
      await startNow(page)
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await answerBank(page, 'Complete authentication')
      await expect(h1(page, /^Welcome, .+ What shall it be\?$|^You’re a member\.$/)).toBeVisible()
    })
    await test.step('a renewal that needs authentication is emailed, and its link completes it with the stored card', async () => {
      await days('P31D')
      await days('PT2H')
      const mail = await mailTo(shop.url, email, /^Your bank would like you to confirm/)
      await page.goto(mail.link(/^\/payment/))
      await expect(
        main(page).getByRole('heading', { name: 'Your bank wants to be sure it’s you' }),
      ).toBeVisible()
      await expectAccessible(page)
      await main(page).getByRole('button', { name: 'Confirm the payment' }).click()
      await answerBank(page, 'Complete authentication')
      await expect(page).toHaveURL(/\/subscription-details$/)
      await expect(main(page).getByText('£8.00, paid')).toHaveCount(2)
    })
  } finally {
    await context.close()
    await shop.close()
  }
})
