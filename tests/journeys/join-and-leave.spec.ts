import { expectAccessibleEverywhere, expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { answerBank, CARD, h1, main, typeCard } from '#tests/support/at-the-till.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'
import type { Page } from '@playwright/test'

test.describe.configure({ timeout: 180_000 })

const startNow = (page: Page) => page.getByRole('checkbox', { name: /^Start now/ }).check()
const subscribe = (page: Page) => page.getByRole('button', { name: /^Subscribe/ })

test('MEMB-20 PAY-23 ORDER-05 MEMB-44: a visitor gets a plan, is a member at once, moves up for the difference, cancels and comes back', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await page.goto('/subscription')
  await main(page).getByRole('link', { name: 'Get plan, Reader' }).click()
  await expect(page).toHaveURL(/\/payment\?plan=4$/)
  await test.step('PAY-07 PAY-38 DISC-07: the till marks its fields, and a code that is none says so', async () => {
    await expect(page.getByText('Email *', { exact: true })).toBeVisible()
    await expectAccessibleInBoth(page)
    await page.getByRole('button', { name: /^Reader monthly/ }).click()
    await page.getByLabel('Discount code').fill('NOSUCHCODE')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('This discount code is not valid')).toBeVisible()
  })
  const email = aNewAddress('member')
  await page.getByLabel('Email *').fill(email)
  await page.getByLabel('First name').fill('Una')
  await page.getByLabel('Last name').fill('Reed')
  await page.getByLabel('Password *').fill('murmur-demo')
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' })
  await typeCard(page, CARD.good)
  await startNow(page)
  await subscribe(page).click()
  await expect(h1(page, 'You’re a member. Reader monthly, from today.')).toBeVisible()
  await expect(page).toHaveURL(/\/subscription-successful$/)
  await expectAccessibleEverywhere(page)

  await main(page).getByRole('link', { name: 'Your membership' }).click()
  await expect(h1(page, 'Your membership')).toBeVisible()
  await expect(main(page).getByText('One free audiobook is waiting')).toBeVisible()
  await expect(main(page).getByText('£8.00, paid')).toBeVisible()
  await expect(main(page).getByRole('link', { name: /^Invoice of/ })).toHaveAttribute('href', /^\/orders\//)
  await expectAccessibleInBoth(page)

  await test.step('MEMB-16 MEMB-19 MEMB-40: up a tier, for the sum that the dialog names', async () => {
    await page.goto('/subscription')
    await main(page).getByRole('button', { name: 'Upgrade to Avid Reader' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change plan' })
    await expect(dialog).toContainText('Avid Reader begins at once')
    await dialog.getByRole('button', { name: /^Change and pay £/ }).click()
    await expect(page).toHaveURL(/\/subscription-details$/)
    await expect(main(page).getByText(/^Avid Reader monthly/)).toBeVisible()
  })
  await test.step('MEMB-30 MEMB-34: two presses cancel; a failure keeps the question', async () => {
    await page.route('**/cancel', (route) => route.abort(), { times: 1 })
    await main(page).getByRole('button', { name: 'Cancel membership' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel membership' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Something went wrong, please try again')
    await expectAccessibleEverywhere(page)
    await dialog.getByRole('button', { name: 'Cancel membership' }).click()
    await expect(dialog).toBeHidden()
    await expect(main(page).getByText('Payment has been cancelled')).toBeVisible()
    await expect(main(page).getByRole('heading', { name: /^Yours until/ })).toBeVisible()
    await expect(main(page).getByRole('button', { name: 'Cancel membership' })).toHaveCount(0)
  })
  await main(page).getByRole('button', { name: 'Resume membership' }).click()
  await expect(main(page).getByText(/goes on as before/)).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Cancel membership' })).toBeVisible()

  await test.step('PAY-24 PAY-39 PAY-45 HDR-08: another card, by the account’s menu, and back', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Your membership' }).click()
    await main(page).getByRole('link', { name: 'Update payment' }).click()
    await expect(page).toHaveURL(/update-card=1/)
    await page.reload()
    await typeCard(page, CARD.authentication)
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await answerBank(page, 'Complete authentication')
    await expect(page).toHaveURL(/\/subscription-details$/)
    await expect(main(page).getByText('Card ending 3155').first()).toBeVisible()
  })
})

test('ERR-09 PAY-22 ORDER-14 MEMB-28 ROLE-24: the trial begins with PayPal and a code, costs nothing, and says when it ends', async ({
  device,
}) => {
  const page = await (await device()).newPage()
  await page.goto('/subscription-successful-trial')
  await expect(page).toHaveURL(/\/access-denied/)
  await page.goto('/free-trial?code=NOSUCHCODE')
  await expect(page.getByText('No discount applied! Full price will be charged!')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Subscribe for £8.00' })).toBeVisible()
  await page.goto('/free-trial?code=PROMOTRIAL')
  await expect(page.getByText('Rest assured no payment will be taken for the first month.')).toBeVisible()
  await page.getByLabel('Email *').fill(aNewAddress('trial'))
  await page.getByLabel('First name').fill('Una')
  await page.getByLabel('Last name').fill('Reed')
  await page.getByLabel('Password *').fill('murmur-demo')
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' })
  await startNow(page)
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(h1(page, 'Your 30 days have begun.')).toBeVisible()
  await expect(main(page)).toContainText(/lasts until \d+(st|nd|rd|th) \w+ \d{4}/)
  await expectAccessibleEverywhere(page)
  await main(page).getByRole('link', { name: 'Your membership' }).click()
  await expect(main(page).getByRole('heading', { name: /^Reader, £0.00 until/ })).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Update payment' })).toHaveCount(0)
})

test('PAY-46 HDR-12: a refused card makes no member; a failed payment says so on every page, and where to mend it', async ({
  device,
}) => {
  const page = await (await device({ of: 'empty@murmur.example' })).newPage()
  await page.goto('/payment?plan=6')
  await typeCard(page, CARD.declined)
  await startNow(page)
  await subscribe(page).click()
  await expect(h1(page, 'Oops, looks like there was a problem with your payment.')).toBeVisible()
  await main(page).getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/payment\?plan=6$/)
  await page.goto('/subscription-details')
  await expect(main(page).getByText('You’re not a member just now.')).toBeVisible()

  const lapsed = await (await device({ of: 'lapsed@murmur.example' })).newPage()
  await lapsed.goto('/audiobooks')
  await lapsed.getByRole('link', { name: 'Update payment details' }).click()
  await expect(lapsed).toHaveURL(/\/payment\?update-card=1&subscription=/)
  await expect(lapsed.getByRole('button', { name: 'Update', exact: true })).toBeVisible()
})
