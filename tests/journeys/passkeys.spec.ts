// Covers: account, settings
import { main } from '#tests/support/checkout-page.ts'
import { expect, logIn, test } from '#tests/support/journey.ts'
import { aNewcomer } from '#tests/support/newcomer.ts'
import { withFingerprint } from '#tests/support/office.ts'

test('paying: a passkey is offered after a password log-in, listed in Settings, and logs its owner in', async ({
  shop,
  browser,
}) => {
  const email = await aNewcomer(shop.url)
  // Browsers keep passkeys for localhost, and for no IP address.
  const baseURL = shop.url.replace('127.0.0.1', 'localhost')
  const context = await browser.newContext({ baseURL, serviceWorkers: 'block' })
  const page = await withFingerprint(context)
  await logIn(page, email)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Your passkey is added.').first()).toBeVisible()
  await page.goto('/settings')
  await expect(main(page).getByRole('button', { name: /^Remove Chrome on / })).toBeVisible()

  // Another browser of the same person, with the same authenticator.
  await page.evaluate(() => localStorage.clear())
  // Without the suggestion in the email field, which this authenticator would accept before the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  await page.goto('/login')
  await main(page).getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).not.toHaveURL(/\/login/)
  await page.goto('/settings')
  await expect(main(page).getByText(/^Last used on /)).toBeVisible()
  await context.close()
})
