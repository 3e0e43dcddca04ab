// Covers: gifts, bag, checkout, integrations
import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { h1, line, main, ordersOf, payByCard, putIntoBag, shelfOf } from '#tests/support/checkout-page.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer, fillInRegistration } from '#tests/support/newcomer.ts'
import { AtThePlayer } from '#tests/support/player-page.ts'

const ferry = (page: Page) => line(page, 'The Quiet Ferry')
const asGift = (page: Page, title = 'The Quiet Ferry') =>
  page.getByRole('checkbox', { name: `Send as a gift, ${title}` })
const theirEmail = (page: Page) => ferry(page).getByLabel('Their email')
const pay = (page: Page) => main(page).getByRole('button', { name: 'Pay now' })

/** Does something, and waits until the server has stored it. */
const saved = (page: Page, act: () => Promise<void>) =>
  Promise.all([page.waitForResponse((answer) => answer.request().method() === 'PATCH'), act()])

async function bagOf(page: Page, ...paths: string[]) {
  for (const path of paths) await putIntoBag(page, path)
  await page.goto('/shopping-bag')
}

test('ORDER-09: two gifts arrive in the recipients’ libraries, by the email’s link or, in the installed app, by its code', async ({
  shop,
  device,
}) => {
  const [giver, friend, other] = [await aNewcomer(shop.url), aNewAddress('friend'), await aNewcomer(shop.url)]
  const page = await (await device({ of: giver })).newPage()
  await bagOf(page, '/audiobooks/the-quiet-ferry', '/audiobooks/nine-winters', '/ebooks/nine-winters')
  await saved(page, () => asGift(page).check())
  await theirEmail(page).fill(friend)
  await expect(pay(page)).toBeEnabled()
  await saved(page, () => ferry(page).getByLabel('Your message').fill('For the crossing.'))
  // They are stored on the server, so they are still there after a reload.
  await page.reload()
  await expect(theirEmail(page)).toHaveValue(friend)
  await expect(ferry(page).getByLabel('Your message')).toHaveValue('For the crossing.')
  const winters = main(page)
    .getByRole('listitem')
    .filter({ hasText: 'Audiobook, ' })
    .filter({ hasText: 'Nine Winters' })
  await saved(page, () => winters.getByRole('checkbox').check())
  await winters.getByLabel('Their email').fill(other)
  await expect(pay(page)).toBeEnabled()
  await pay(page).click()
  await payByCard(page)
  await expect(h1(page, /Thank you/)).toBeVisible()
  await expect(main(page).getByText(/It’s in your library now/)).toBeVisible()
  expect(await shelfOf(page)).toEqual(['ebooks/nine-winters'])
  expect((await ordersOf(page))[0]!.orderItems.filter(({ gift }) => gift)).toHaveLength(2)

  const link = (await mailTo(shop.url, friend, /has given you The Quiet Ferry/)).link(/^\/get-book/)
  const theirs = await (await device()).newPage()
  await theirs.goto(link)
  // The giver, the title and the message are shown before any form.
  await expect(h1(theirs, 'The Quiet Ferry')).toBeVisible()
  await expect(main(theirs).getByText(/^A gift from /)).toBeVisible()
  await expect(main(theirs).getByText('For the crossing.')).toBeVisible()
  await expectAccessible(theirs)
  await expect(main(theirs).getByRole('link', { name: 'Create an account to keep it' })).toHaveAttribute(
    'href',
    /^\/sign-up\?/,
  )
  await main(theirs).getByRole('link', { name: 'I have an account' }).click()
  await expect(theirs).toHaveURL(/\/login/)
  await aNewcomer(shop.url, { email: friend })
  await theirs.getByRole('main').getByLabel('Email', { exact: true }).fill(friend)
  await theirs.getByRole('main').getByLabel('Password', { exact: true }).fill('murmur-demo')
  await theirs.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(theirs).toHaveURL(/\/get-book/)
  await main(theirs).getByRole('button', { name: 'Add it to my library' }).click()
  await expect(main(theirs).getByRole('button', { name: 'Listen now' })).toBeFocused()
  await main(theirs).getByRole('link', { name: 'Go to your library' }).click()
  await expect(main(theirs).getByRole('heading', { name: 'The Quiet Ferry' })).toBeVisible()
  await mailTo(shop.url, giver, /has opened your gift/)

  await test.step('trap 23: the email’s code is typed where its link would open another browser', async () => {
    const { text } = await mailTo(shop.url, other, /has given you Nine Winters/)
    const code = /enter this code instead:\s+(\S+)/.exec(text)?.[1] ?? ''
    expect(code.length).toBeGreaterThan(8)
    const app = await (await device({ of: other })).newPage()
    await app.goto('/library')
    await main(app).getByRole('button', { name: 'Use a gift code' }).click()
    await main(app).getByLabel('Gift code').fill('NONE-OF-OURS')
    await main(app).getByRole('button', { name: 'Claim' }).click()
    await expect(main(app).getByText('We don’t know this code.')).toBeVisible()
    await main(app).getByLabel('Gift code').fill(` ${code.toLowerCase()} `)
    await main(app).getByRole('button', { name: 'Claim' }).click()
    await expect(main(app).getByRole('heading', { name: 'Nine Winters' })).toBeVisible()
  })
})

test('month: a stranger who joins from a gift’s link arrives in the opened present and plays it; a known customer opens one with 2 presses', async ({
  shop,
  device,
}) => {
  const [stranger, known] = [aNewAddress('stranger'), await aNewcomer(shop.url)]
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await bagOf(
    page,
    '/audiobooks/the-quiet-ferry',
    '/audiobooks/nine-winters',
    '/audiobooks/salt-road-letters',
  )
  for (const [title, email] of [
    ['Salt Road Letters', stranger],
    ['Nine Winters', known],
  ] as const) {
    await saved(page, () => asGift(page, title).check())
    await line(page, title).getByLabel('Their email').fill(email)
    await expect(pay(page)).toBeEnabled()
  }
  await pay(page).click()
  await payByCard(page)
  await expect(h1(page, /Thank you/)).toBeVisible()

  const theirs = await (await device({ viewport: PHONE })).newPage()
  await theirs.goto((await mailTo(shop.url, stranger, /Salt Road Letters/)).link(/^\/get-book/))
  await main(theirs).getByRole('link', { name: 'Create an account to keep it' }).click()
  await expect(main(theirs).getByLabel('Email', { exact: true })).toHaveValue(stranger)
  await fillInRegistration(main(theirs), {})
  await main(theirs).getByRole('button', { name: 'Create account' }).click()
  await expect(h1(theirs, 'Salt Road Letters')).toBeVisible()
  await expect(main(theirs).getByLabel(/^Thank .+ in one line$/)).toBeVisible()
  await main(theirs).getByRole('button', { name: 'Listen now' }).click()
  await new AtThePlayer(theirs).expectSound()

  const link = (await mailTo(shop.url, known, /Nine Winters/)).link(/^\/get-book/)
  const phone = await (await device({ viewport: PHONE, of: known })).newPage()
  const presses = [
    () => phone.goto(link),
    () => main(phone).getByRole('button', { name: 'Add it to my library' }).click(),
  ]
  for (const press of presses) await press()
  await expect(main(phone).getByRole('button', { name: 'Listen now' })).toBeVisible()
  expect(presses).toHaveLength(2)
})
