import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { h1, line, main, ordersOf, payByCard, putIntoBag, shelfOf } from '#tests/support/at-the-till.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 150_000 })

const ferry = (page: Page) => line(page, 'The Quiet Ferry')
const asGift = (page: Page, title = 'The Quiet Ferry') =>
  page.getByRole('checkbox', { name: `Send as a gift, ${title}` })
const theirEmail = (page: Page) => ferry(page).getByLabel('Their email')
const pay = (page: Page) => main(page).getByRole('button', { name: 'Pay now' })

/** Does it, and waits until the server has kept it. */
const saved = (page: Page, act: () => Promise<void>) =>
  Promise.all([page.waitForResponse((answer) => answer.request().method() === 'PATCH'), act()])

async function bagOf(page: Page, ...paths: string[]) {
  for (const path of paths) await putIntoBag(page, path)
  await page.goto('/shopping-bag')
}

test('BAG-06 GIFT-09 GIFT-04 GIFT-10 BAG-21: each item can be a gift; no gift has no fields, forgets who and what, and waits for no address', async ({
  page,
}) => {
  await bagOf(page, '/audiobooks/the-quiet-ferry', '/audiobooks/nine-winters')
  await expect(asGift(page, 'Nine Winters')).not.toBeChecked()
  await expect(theirEmail(page)).toHaveCount(0)
  await expect(pay(page)).toBeEnabled()
  await saved(page, () => asGift(page).check())
  await expect(pay(page)).toBeDisabled()
  await expect(main(page).getByText('Add an email address for each gift first.')).toBeVisible()
  await theirEmail(page).fill('mina@harbour')
  await theirEmail(page).blur()
  await expect(ferry(page).getByText('Invalid email')).toBeVisible()
  await expect(pay(page)).toBeDisabled()
  await expectAccessibleEverywhere(page)
  await theirEmail(page).fill('mina@harbour.example')
  await expect(pay(page)).toBeEnabled()
  await saved(page, () => ferry(page).getByLabel('Your message').fill('For the crossing. <b>🦉</b>'))

  await test.step('taking another gift out leaves this one as it is', async () => {
    await saved(page, () => asGift(page, 'Nine Winters').check())
    await line(page, 'Nine Winters').getByLabel('Their email').fill('otto@harbour')
    await expect(pay(page)).toBeDisabled()
    await main(page).getByRole('button', { name: 'Remove Nine Winters' }).click()
    await expect(line(page, 'Nine Winters')).toHaveCount(0)
    await expect(asGift(page)).toBeChecked()
    await expect(theirEmail(page)).toHaveValue('mina@harbour.example')
    await expect(pay(page)).toBeEnabled()
  })

  // It stands on the server: another load shows it again.
  await page.reload()
  await expect(theirEmail(page)).toHaveValue('mina@harbour.example')
  await expect(ferry(page).getByLabel('Your message')).toHaveValue('For the crossing. <b>🦉</b>')
  await saved(page, () => asGift(page).uncheck())
  await expect(theirEmail(page)).toHaveCount(0)
  await expect(pay(page)).toBeEnabled()
  await saved(page, () => asGift(page).check())
  await expect(theirEmail(page)).toHaveValue('')
  await expect(ferry(page).getByLabel('Your message')).toHaveValue('')
  await page.reload()
  await expect(theirEmail(page)).toHaveValue('')
})

test('GIFT-11 GIFT-13: what is in the buyer’s library already can only be given, to somebody who does not have it', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: shop.someone('nell') })).newPage()
  await page.goto('/audiobooks/the-lamplighters-ledger')
  await expect(main(page).getByRole('button', { name: 'Gift, £14.99' })).toBeVisible()
  await bagOf(page, '/audiobooks/the-lamplighters-ledger')
  await expect(asGift(page, 'The Lamplighter’s Ledger')).toBeChecked()
  await expect(asGift(page, 'The Lamplighter’s Ledger')).toBeDisabled()
  await expect(pay(page)).toBeDisabled()
  const ledger = line(page, 'The Lamplighter’s Ledger')
  await ledger.getByLabel('Their email').fill('nell@murmur.example')
  await expect(ledger.getByText('Already have this book')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await ledger.getByLabel('Their email').fill(aNewAddress('friend'))
  await expect(pay(page)).toBeEnabled()
  await pay(page).click()
  await payByCard(page)
  await expect(h1(page, 'Thank you. It’s on its way.')).toBeVisible()
})

test('ORDER-09: two gifts go to their owners’ libraries and not to the giver’s, by the link of the mail or, in the installed app, by its code', async ({
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
  await expect(main(page).getByText(/1 book is in your library now/)).toBeVisible()
  expect(await shelfOf(page)).toEqual(['ebooks/nine-winters'])
  expect((await ordersOf(page))[0]!.orderItems.filter(({ gift }) => gift)).toHaveLength(2)

  const link = (await mailTo(shop.url, friend, /has given you The Quiet Ferry/)).link(/^\/get-book/)
  const theirs = await (await device()).newPage()
  await theirs.goto(link)
  // Who gave it, what it is and the giver's words come before any form.
  await expect(h1(theirs, 'The Quiet Ferry')).toBeVisible()
  await expect(main(theirs).getByText(/^A gift from /)).toBeVisible()
  await expect(main(theirs).getByText('For the crossing.')).toBeVisible()
  await expectAccessibleEverywhere(theirs)
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
  await expect(theirs).toHaveURL(/\/library/)
  await expect(main(theirs).getByRole('heading', { name: 'The Quiet Ferry' })).toBeVisible()

  await test.step('trap 23: where the link opens elsewhere the code of the mail is typed', async () => {
    const { text } = await mailTo(shop.url, other, /has given you Nine Winters/)
    const code = /enter this code instead:\s+(\S+)/.exec(text)?.[1] ?? ''
    expect(code.length).toBeGreaterThan(8)
    const app = await (await device({ of: other })).newPage()
    await app.goto('/library')
    await main(app).getByRole('button', { name: 'Use a gift code' }).click()
    await main(app).getByLabel('Gift code').fill('NONE-OF-OURS')
    await main(app).getByRole('button', { name: 'Claim' }).click()
    await expect(main(app).getByText('We don’t know this code.')).toBeVisible()
    await expectAccessibleEverywhere(app)
    await main(app).getByLabel('Gift code').fill(` ${code.toLowerCase()} `)
    await main(app).getByRole('button', { name: 'Claim' }).click()
    await expect(main(app).getByRole('heading', { name: 'Nine Winters' })).toBeVisible()
  })
})

test('ACC-27: the gift of another address says whose account may claim it', async ({ shop, device }) => {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await page.goto('/get-book?email=somebody%40harbour.example&token=none')
  await expect(main(page).getByText(/log in or register with somebody@harbour.example/)).toBeVisible()
  await expectAccessibleEverywhere(page)
  await main(page).getByRole('button', { name: 'Use another account' }).click()
  await expect(page).toHaveURL(/\/login\?.*email=somebody/)
  await expect(main(page).getByLabel('Email', { exact: true })).toHaveValue('somebody@harbour.example')
})

test('a gift that waits for an address is unwrapped in the library', async ({ device }) => {
  const page = await (await device({ of: 'giftee@murmur.example' })).newPage()
  await page.goto('/library')
  // A membership waits for her as well.
  await expect(main(page).getByRole('region', { name: 'Gifts are waiting for you' })).toBeVisible()
  await expectAccessibleEverywhere(page)
  const book = main(page).getByRole('button', { name: 'Unwrap Nine Rooms of Rain' })
  await book.click()
  await expect(book).toHaveCount(0)
  await expect(main(page).getByRole('region', { name: 'A gift is waiting for you' })).toBeVisible()
  expect(await shelfOf(page)).toHaveLength(1)
})
