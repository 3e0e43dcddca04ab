import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 90_000 })

test('a mail asks whether the newsletter is wanted; the welcome after it carries the way out, which asks too', async ({
  shop,
  page,
}) => {
  const email = aNewAddress('subscriber')
  await page.goto('/newsletter-signup')
  await page.getByRole('main').getByLabel('Your email').fill(email)
  await page.getByRole('main').getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('main').getByText('Thank you for subscribing to our newsletter.')).toBeVisible()

  await page.goto((await mailTo(shop.url, email, /Do you want/)).link(/\/newsletter-signup/))
  await expect(page.getByText('You’re on the list.')).toBeVisible()
  await page.goto((await mailTo(shop.url, email, /on Murmur’s list/)).link(/\/newsletter\/unsubscribe\//))
  await expect(page.getByRole('heading', { level: 1, name: 'Leave the newsletter?' })).toBeVisible()
  await expect(page).toHaveTitle('Leave the newsletter | Murmur')
  await expectAccessibleEverywhere(page)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You’re off the list' })).toBeVisible()
})

test('a mail program may end it by itself, and the same link afterwards still says so', async ({
  shop,
  page,
}) => {
  const email = aNewAddress('subscriber')
  await page.request.post('/api/newsletters', { data: { email } })
  const asking = (await mailTo(shop.url, email, /Do you want/)).link(/\/newsletter-signup/)
  const token = new URL(asking, shop.url).searchParams.get('confirm')!
  await page.request.post(`/api/newsletters/confirm/${token}`)
  const path = (await mailTo(shop.url, email, /on Murmur’s list/)).link(/\/newsletter\/unsubscribe\//)
  const pressed = await page.request.post(path, { form: { 'List-Unsubscribe': 'One-Click' } })
  expect(pressed.status()).toBe(204)
  await page.goto(path)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You’re off the list' })).toBeVisible()
})
