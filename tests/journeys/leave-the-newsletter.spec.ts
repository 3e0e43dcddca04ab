import { expect, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, expectAccessibleEverywhere } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 90_000 })

test('the welcome to the newsletter carries the way out of it, which asks before it does', async ({
  shop,
  page,
}) => {
  const email = aNewAddress('subscriber')
  await page.goto('/newsletter-signup')
  await page.getByRole('main').getByLabel('Your email').fill(email)
  await page.getByRole('main').getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('main').getByText('Thank you for subscribing to our newsletter.')).toBeVisible()

  await page.goto((await mailTo(shop.url, email, /list/)).link(/\/newsletter\/unsubscribe\//))
  await expect(page.getByRole('heading', { level: 1, name: 'Leave the newsletter?' })).toBeVisible()
  await expect(page).toHaveTitle('Leave the newsletter | Murmur')
  await expectAccessibleEverywhere(page)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You are off the list' })).toBeVisible()
})

test('a mail program may end it by itself, and the same link afterwards still says so', async ({
  shop,
  page,
}) => {
  const email = aNewAddress('subscriber')
  await page.request.post('/api/newsletters', { data: { email } })
  const path = (await mailTo(shop.url, email, /list/)).link(/\/newsletter\/unsubscribe\//)
  const pressed = await page.request.post(path, { form: { 'List-Unsubscribe': 'One-Click' } })
  expect(pressed.status()).toBe(204)
  await page.goto(path)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You are off the list' })).toBeVisible()
})
