// Covers: pages
import { expect, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

test('FTR-03: a visitor subscribes to the newsletter in the footer, confirms by email, and unsubscribes by the next one', async ({
  shop,
  page,
}) => {
  const email = aNewAddress('subscriber')
  const footer = page.getByRole('contentinfo')
  await page.goto('/faq')
  // The footer hydrates after the page has loaded; repeat what was typed and pressed before that.
  await expect(async () => {
    await footer.getByLabel('Your email').fill(email)
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await expect(footer.getByText('Thank you for subscribing to our newsletter.')).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()

  await page.goto((await mailTo(shop.url, email, /Do you want/)).link(/\/newsletter-signup/))
  await expect(page.getByText('You’re on the list.')).toBeVisible()
  await page.goto((await mailTo(shop.url, email, /on Murmur’s list/)).link(/\/newsletter\/unsubscribe\//))
  await expect(page.getByRole('heading', { level: 1, name: 'Leave the newsletter?' })).toBeVisible()
  await expect(page).toHaveTitle('Leave the newsletter | Murmur')
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You’re off the list' })).toBeVisible()
})
