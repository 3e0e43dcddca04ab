// Covers: gifts, checkout, membership
import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { answerBank, CARD, h1, main, pressPayNow, typeCard } from '#tests/support/checkout-page.ts'
import { takenOver } from '#tests/support/page-errors.ts'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { expect, PHONE, Shop, test } from '#tests/support/journey.ts'
import { holdCode } from '#tests/support/delayed-scripts.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

const NOTE = 'For the long drives home. <b>🦉</b>'
const startNow = (page: Page) => page.getByRole('checkbox', { name: /^It starts as soon/ }).check()
async function goOn(page: Page) {
  const on = main(page).getByRole('button', { name: 'Continue to payment' })
  await takenOver(page, on)
  await on.click()
  await expect(page).toHaveURL(/\/payment\?/)
}
const opened = (page: Page) => page.getByText('Joost, this is from Nell Hart')
const row = (page: Page) => main(page)

async function whoPays(page: Page, email: string) {
  await page.getByLabel('Email *').fill(email)
  await page.getByLabel('First name').fill('Nell')
  await page.getByLabel('Last name').fill('Hart')
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' })
}
/** Joins through the form that a gift's link opens. */
async function joinAsJoost(page: Page) {
  // As the giver spelt it.
  await expect(main(page).getByLabel('First name')).toHaveValue('Joost')
  await main(page).getByLabel('Last name').fill('Vos')
  await main(page).getByLabel('Country').selectOption({ label: 'Netherlands' })
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await main(page).getByRole('button', { name: 'Create account' }).click()
}
async function forJoost(page: Page, email: string) {
  await page.getByLabel(/^Their first name/).fill('Joost')
  await page.getByLabel('Their email *').fill(email)
  await page.getByLabel(/^In your own words/).fill(NOTE)
}

test('NAV-34 NAV-36 NAV-37: a visitor gives a membership for a chosen day; the bank declines first, and it is given once', async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({
    baseURL: shop.url,
    viewport: PHONE,
    timezoneId: 'Europe/Berlin',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  const [giver, joost] = [aNewAddress('giver'), aNewAddress('joost')]
  await test.step('choices and text entered before hydration stay', async () => {
    const arrive = await holdCode(page)
    await page.goto('/gift', { waitUntil: 'commit' })
    await page.getByRole('radio', { name: /^Supporter, a year/ }).check()
    await page.getByLabel(/^Their first name/).fill('Joost')
    arrive()
    await expect(page).toHaveURL(/[?&]plan=7$/)
    await expect(page.getByRole('radio', { name: /^Supporter, a year/ })).toBeChecked()
    await expect(page.getByRole('heading', { name: 'What Joost will open' })).toBeVisible()
  })
  await page.getByRole('radio', { name: 'Avid Reader, a year, £120' }).check({ force: true })
  await expect(page).toHaveURL(/\/gift\?plan=2$/)
  await forJoost(page, joost)
  await page.getByRole('link', { name: 'Or choose a day over Christmas' }).click()
  await expect(page).toHaveURL(/\/xmas\?plan=2$/)
  const day = new Date(Date.now() + 2 * 86_400_000)
  await page.getByLabel('Delivery date *').fill(typed(day))
  await expect(page.getByText(/8:00 in the morning, Berlin time\.$/)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Their email *')).toHaveValue(joost)
  await expect(page.getByRole('heading', { name: 'What Joost will open' })).toBeVisible()
  await goOn(page)

  const pay = async () => {
    await startNow(page)
    await typeCard(page, CARD.alwaysAsked)
    await pressPayNow(page)
  }
  await test.step('a gift that the bank declined can be tried again', async () => {
    await expect(h1(page, 'Checkout')).toBeVisible()
    await expect(page.getByText(`For Joost, ${joost}`)).toBeVisible()
    await whoPays(page, giver)
    await page.getByLabel('Password *').fill('murmur-demo')
    await pay()
    await answerBank(page, 'Fail authentication')
    await expect(page).toHaveURL(/\/payment-problem$/)
    await main(page).getByRole('link', { name: 'Try again' }).click()
  })
  await expect(page.getByText(`For Joost, ${joost}`)).toBeVisible()
  await pay()
  await answerBank(page, 'Complete authentication')
  await expect(h1(page, 'A year of Avid Reader is wrapped for Joost.')).toBeVisible()
  await expect(page).toHaveURL(/\/xmas-successful-gift\?recipient=Joost&type=2$/)
  await page.getByRole('link', { name: 'See your gifts' }).click()
  await expect(row(page)).toContainText(/Not claimed\. It arrives on .+, 8:00 in the morning, Berlin time\./)
  await expect(row(page).getByText('Not claimed')).toHaveCount(1)
  await context.close()
})

test('ROLE-26 GIFT-01 NAV-39: a visitor gives with PayPal without an account; the recipient opens it, creates an account and is a member', async ({
  shop,
  device,
}) => {
  const page = await (await device()).newPage()
  const [giver, joost] = [aNewAddress('giver'), aNewAddress('joost')]
  await page.goto('/gift')
  await forJoost(page, joost)
  await goOn(page)
  await expect(h1(page, 'Checkout')).toBeVisible()
  await whoPays(page, giver)
  await page.getByRole('checkbox', { name: /^Make me an account/ }).uncheck()
  await startNow(page)
  await page.frameLocator('iframe[title="Secure card number input frame"]').getByRole('textbox').waitFor()
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(h1(page, 'A year of Reader is on its way to Joost.')).toBeVisible()
  await test.step('the link in the giver’s email corrects the gift without a log-in', async () => {
    const own = (await mailTo(shop.url, giver, /Your gift for Joost/)).link(/^\/gifts/)
    await page.goto(own)
    await expect(h1(page, 'Your gift')).toBeVisible()
    await main(page).getByRole('button', { name: 'Send again, the gift for Joost' }).click()
    await expect(page.getByText(`It’s on its way to ${joost} once more.`)).toBeVisible()
  })
  const link = (await mailTo(shop.url, joost, /Nell Hart has given you/)).link(/^\/get-subscription/)
  const theirs = await (await device()).newPage()
  await theirs.goto(link)
  await expect(opened(theirs)).toBeVisible()
  await expect(h1(theirs, 'A year of Reader')).toBeVisible()
  await expect(main(theirs).getByText(NOTE)).toBeVisible()
  await expectAccessible(theirs)
  await theirs.getByRole('link', { name: 'Create an account to keep it' }).click()
  await expect(main(theirs).getByLabel('Email', { exact: true })).toHaveValue(joost)
  await joinAsJoost(theirs)
  await expect(h1(theirs, 'A year of Reader')).toBeVisible()
  await expect(main(theirs).getByRole('link', { name: 'Choose your first audiobook' })).toBeVisible()
  await expectAccessible(theirs)
  await main(theirs).getByRole('link', { name: 'Your membership' }).click()
  await expect(main(theirs).getByRole('heading', { name: /^Reader until/ })).toBeVisible()
  await expect(main(theirs).getByRole('link', { name: 'Choose your audiobook' })).toBeVisible()
})

/** The day when clocks in Berlin are set back, at least a week from now. */
function lastSundayOfOctober(now = new Date()): Date {
  for (let year = now.getUTCFullYear(); ; year++) {
    const day = new Date(Date.UTC(year, 9, 31))
    day.setUTCDate(31 - day.getUTCDay())
    if (day.getTime() > now.getTime() + 7 * 86_400_000) return day
  }
}

// Advances a whole shop by months, which is slow.
if (process.env.LONG)
  test('trap 31: a gift for the last Sunday of October arrives at 8 a.m. winter time, and its book can be played', async ({
    browser,
  }) => {
    test.setTimeout(900_000)
    const shop = await Shop.open()
    const sunday = lastSundayOfOctober()
    const clockTo = async (to: Date) => {
      const { now } = (await (await fetch(`${shop.url}/dev/clock`)).json()) as { now: string }
      for (let left = to.getTime() - Date.parse(now); left > 0; left -= 30 * 86_400_000) {
        const advance = `PT${Math.ceil(Math.min(left, 30 * 86_400_000) / 1000)}S`
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(`${shop.url}/dev/clock`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ advance }),
        })
        expect(answer.status).toBe(200)
      }
    }
    const timezoneId = 'Europe/Berlin'
    const options = { baseURL: shop.url, viewport: PHONE, timezoneId, serviceWorkers: 'block' } as const
    const [context, other] = [await browser.newContext(options), await browser.newContext(options)]
    try {
      await clockTo(new Date(sunday.getTime() - 2 * 86_400_000 + 12 * 3_600_000))
      const page = await context.newPage()
      const joost = aNewAddress('joost')
      await page.goto('/xmas?plan=2')
      await expect(async () => {
        await forJoost(page, joost)
        await page.getByLabel('Delivery date *').fill(typed(sunday))
        await expect(page.getByText(/8:00 in the morning, Berlin time\.$/)).toBeVisible({ timeout: 1_000 })
      }).toPass()
      await goOn(page)
      await expect(h1(page, 'Checkout')).toBeVisible()
      await whoPays(page, aNewAddress('giver'))
      await page.getByLabel('Password *').fill('murmur-demo')
      await startNow(page)
      await typeCard(page, CARD.good)
      await pressPayNow(page)
      await expect(h1(page, 'A year of Avid Reader is wrapped for Joost.')).toBeVisible()

      // 7:00 UTC is 8:00 in Berlin again; the day before it would have been 9:00.
      await clockTo(new Date(sunday.getTime() + 6 * 3_600_000 + 59 * 60_000))
      const mails = await fetch(`${shop.url}/dev/mail.json?to=${encodeURIComponent(joost)}`)
      expect(await mails.json()).toEqual([])
      await clockTo(new Date(sunday.getTime() + 7 * 3_600_000 + 60_000))
      const link = (await mailTo(shop.url, joost, /Nell Hart has given you/)).link(/^\/get-subscription/)

      const theirs = await other.newPage()
      await theirs.goto(link)
      await expect(opened(theirs)).toBeVisible()
      await theirs.getByRole('link', { name: 'Create an account to keep it' }).click()
      await joinAsJoost(theirs)
      await main(theirs).getByRole('link', { name: 'Your membership' }).click()
      await expect(main(theirs).getByRole('heading', { name: /^Avid Reader until/ })).toBeVisible()
      await theirs.goto('/audiobooks/salt-road-letters')
      await main(theirs).getByRole('button', { name: 'Choose as free audiobook' }).click()
      await theirs.getByRole('dialog').getByRole('checkbox').check()
      await theirs.getByRole('dialog').getByRole('button', { name: 'Choose it' }).click()
      await expect(main(theirs).getByRole('button', { name: 'ADDED TO LIBRARY!' })).toBeVisible()
      await theirs.goto('/player/salt-road-letters')
      const player = new AtThePlayer(theirs)
      await player.press('Play')
      await player.expectSound()
    } finally {
      await Promise.all([context.close(), other.close()])
      await shop.close()
    }
  })

const typed = (day: Date) =>
  [day.getDate(), day.getMonth() + 1].map((part) => String(part).padStart(2, '0')).join('/') +
  `/${day.getFullYear()}`
