import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere, expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { AtThePlayer } from '#tests/support/at-the-player.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 120_000 })

const OUTLET = 'corner@murmur.example'
const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const code = (page: Page) => main(page).getByLabel('Redemption Code')
const redeem = async (page: Page, typed: string) => {
  await code(page).fill(typed)
  await main(page).getByRole('button', { name: 'Redeem your audiobook' }).click()
}
const expectTooLate = async (page: Page) => {
  await expect(h1(page, 'Oops!')).toBeVisible()
  await expect(main(page).getByText(/has already been redeemed/)).toBeVisible()
  await expectAccessibleEverywhere(page)
}
const logIn = async (page: Page, email: string) => {
  await main(page).getByLabel('Email', { exact: true }).fill(email)
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await main(page).getByRole('button', { name: 'Log in' }).click()
}

test('RESL-04 RDM-25 NAV-41 NAV-56: sold at a till, read off the card by a phone that nobody is signed in on, and heard', async ({
  device,
}) => {
  const card = 'NEWCARD-2345-0001'
  const till = await (await device({ of: OUTLET, viewport: PHONE })).newPage()
  await till.goto('/activation')
  await till.getByLabel('Activation code').fill(card)
  await till.keyboard.press('Enter')
  await expect(till.getByRole('heading', { name: 'The card has been activated.' })).toBeVisible()

  const phone = await device({ viewport: PHONE })
  const page = await phone.newPage()
  await page.goto(`/redemption#${card}`)
  await expect(h1(page, 'Someone handed you a story.')).toBeVisible()
  await expect(code(page)).toHaveValue(card)
  await expect(page).toHaveURL('/redemption')
  const banner = page.getByRole('banner')
  for (const role of ['link', 'button'] as const)
    await expect(banner.getByRole(role, { name: /log in|join|sign/i })).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expectAccessibleEverywhere(page)

  await page.setViewportSize(PHONE)
  await main(page).getByRole('button', { name: 'Redeem your audiobook' }).click()
  await expect(h1(page, 'Congratulations')).toBeVisible()
  await page.reload()
  await expect(h1(page, 'Congratulations')).toBeVisible()
  await expect(main(page).getByText('Tin Whistle Winter, from Corner House Books')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await page.setViewportSize(PHONE)

  await main(page).getByRole('link', { name: 'Create an account' }).click()
  await main(page).getByLabel('Email', { exact: true }).fill(aNewAddress('una'))
  await main(page).getByLabel('First name').fill('Una')
  await main(page).getByLabel('Last name').fill('Reed')
  await main(page).getByLabel('Country').fill('united king')
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await expectAccessibleEverywhere(page)
  await page.setViewportSize(PHONE)
  await main(page).getByRole('button', { name: 'Create account' }).click()
  await expect(h1(page, 'Welcome Una')).toBeVisible()
  await expect(page).toHaveURL('/redemption/welcome')
  await expectAccessibleEverywhere(page)
  await page.setViewportSize(PHONE)

  await main(page).getByRole('link', { name: 'Open your library' }).click()
  await expect(
    main(page)
      .getByRole('link', { name: /Tin Whistle Winter/ })
      .first(),
  ).toBeVisible()
  await page.goto('/player/tin-whistle-winter')
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.expectSound()

  // Whoever else holds the card's code is too late.
  const late = await (await device()).newPage()
  await late.goto('/redemption')
  await redeem(late, card.toLowerCase().replaceAll('-', ' '))
  await expectTooLate(late)
})

test('RDM-19 RDM-29 NAV-42: a title’s own wizard takes its own codes, from log-in to welcome; a second card is passed on, a used one refused', async ({
  shop,
  device,
}) => {
  const base = '/redemption/9001000000017'
  const page = await (await device()).newPage()
  await page.goto(base)
  await expect(h1(page, 'Someone handed you Tin Whistle Winter.')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await redeem(page, 'WRONGT-2345-6789')
  await expect(page).toHaveURL(`${base}/error`)
  await expect(main(page).getByText(/has not been recognised/)).toBeVisible()
  await main(page).getByRole('button', { name: 'Try again' }).click()
  await expect(code(page)).toHaveValue('WRONGT-2345-6789')

  await redeem(page, 'TITLE-2345-0001')
  await expect(page).toHaveURL(`${base}/confirmation`)
  await main(page).getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(`${base}/login`)
  await expectAccessibleEverywhere(page)
  await logIn(page, shop.someone('avid'))
  await expect(h1(page, /^Welcome /)).toBeVisible()
  await expect(page).toHaveURL(`${base}/welcome`)

  await page.goto(base)
  await redeem(page, 'TITLE-2345-0002')
  await expect(h1(page, 'You already have Tin Whistle Winter.')).toBeVisible()
  await expectAccessibleEverywhere(page)

  // It was not spent.
  const other = await (await device({ of: shop.someone('avid') })).newPage()
  await other.goto('/redemption')
  await redeem(other, 'TITLE-2345-0002')
  await expect(h1(other, /^Welcome /)).toBeVisible()

  const late = await (await device()).newPage()
  await late.goto(base)
  await redeem(late, 'title 2345 0001')
  await expect(late).toHaveURL(`${base}/error`)
  await expectTooLate(late)
})

test('in both wizards form and code stay without a network, after too many tries and a server’s error; an unknown code has its own words', async ({
  shop,
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: shop.someone('reader') })
  const page = await phone.newPage()
  for (const base of ['/redemption', '/redemption/9001000000017']) {
    const card = 'NOBODY-2345-6789'
    await page.goto(base)
    const keeps = async (words: string | RegExp) => {
      await redeem(page, card)
      await expect(main(page).getByRole('alert')).toHaveText(words)
      await expect(code(page)).toHaveValue(card)
      await expect(page).toHaveURL(base)
    }
    // The page is alive, and has its parts, before the network goes.
    await code(page).fill(card)
    await expect(main(page).getByRole('button', { name: 'Redeem your audiobook' })).toBeEnabled()
    await phone.setOffline(true)
    await keeps('This needs a connection. Your code is safe here; try again when you’re back.')
    await phone.setOffline(false)
    const answer = { status: 503, json: {} }
    await page.route(/\/api\/(audiobook-cards|redemption)/, (route) => route.fulfill(answer))
    await keeps(/went wrong/i)
    answer.status = 429
    await keeps(/too many|a lot of tries/i)
    await expectAccessibleInBoth(page)
    await page.unrouteAll()
    await redeem(page, card)
    await expect(page).toHaveURL(`${base}/error`)
    await expect(main(page).getByText(/has not been recognised/)).toBeVisible()
  }
})

test('RDM-20: the wizard of a title that does not exist is not found', async ({ page }) => {
  const answer = await page.goto('/redemption/9001000000000')
  expect(answer?.status()).toBe(404)
})
