// Covers: ui, app, layout
import type { BrowserContext, Page } from '@playwright/test'
import { SHOP_HEADER } from '#contract/limits.ts'
import {
  expectAccessibleNow,
  expectAccessibleScreen,
  type Look,
  LOOKS,
  wear,
} from '#tests/support/accessible.ts'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { fillInBuyer, h1, line, main, expectCheckout, putIntoBag } from '#tests/support/checkout-page.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

// What opens on the screens of the matrix (`accessibility`) after a press or a mistake: menus, dialogs, sheets and
// form errors. What has its own components is checked in light and dark mode, what combines them in one of the two.
const [DAY, NIGHT] = LOOKS

for (const look of LOOKS)
  test.describe(look.name, () => {
    test('dialogs and menus over a page pass axe', async ({ device }) => {
      const page = await seen(device, look)
      await page.goto('/faq')
      const banner = page.getByRole('banner')
      await banner.getByRole('button', { name: 'Menu', exact: true }).click()
      await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible()
      await expectAccessibleNow(page)
      await page.keyboard.press('Escape')
      const dialog = (name: string) => page.getByRole('dialog', { name })
      await banner.getByRole('link', { name: 'Log in' }).click()
      for (const [name, next] of [
        ['Log in', 'Join Murmur'],
        ['Join Murmur', 'I have an account'],
      ] as const) {
        await expect(dialog(name)).toBeVisible()
        await expectAccessibleNow(page)
        await dialog(name).getByRole('button', { name: next }).click()
      }
      await dialog('Log in').getByRole('button', { name: 'Forgotten your password?' }).click()
      await expect(dialog('Forgotten your password?')).toBeVisible()
      await expectAccessibleNow(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)

      const footer = page.getByRole('contentinfo')
      await footer.getByRole('button', { name: 'That’s fine' }).click()
      await expect(footer.getByRole('switch', { name: /^Count which books/ })).toBeChecked()
      // Scroll to the top, where the tab bar cuts no link of the footer.
      await page.evaluate(() => window.scrollTo(0, 0))
      await expectAccessibleNow(page)

      await page.goto('/search-articles')
      await banner.getByRole('button', { name: 'Search' }).click()
      await expect(page.getByRole('list', { name: 'Group 2' }).getByRole('link').first()).toBeVisible()
      await expectAccessibleNow(page)
      await page.getByRole('combobox', { name: 'Search books and articles' }).fill('harbour')
      await expect(page.getByRole('option')).toHaveCount(6)
      await expectAccessibleNow(page)
    })

    test('filters and a book’s dialogs pass axe', async ({ device }) => {
      const page = await seen(device, look)
      await page.goto('/audiobooks')
      const onPhone = look.viewport.width < 768
      const panel = onPhone
        ? page.getByRole('dialog', { name: 'Filters' })
        : page.getByRole('complementary', { name: 'Filters' })
      // A press before hydration is lost, so repeat it as a user would.
      await expect(async () => {
        if (!(await panel.isVisible()))
          await main(page)
            .getByRole('button', { name: /filters/i })
            .click()
        await expect(panel).toBeVisible({ timeout: 3_000 })
      }).toPass()
      await panel.getByRole('checkbox', { name: 'Lyrical', exact: true }).check()
      await expect(page).toHaveURL(/\?styles\[\]=\d+$/)
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectAccessibleNow(page)

      await page.goto('/audiobooks/nine-winters')
      await main(page).getByRole('button', { name: 'Read a sample' }).click()
      await expect(page.getByRole('dialog', { name: 'From Nine Winters' })).toContainText('Sedlo')
      await expectAccessibleNow(page)
      await page.keyboard.press('Escape')
      await page.route('**/api/cart_items', (route) =>
        route.fulfill({ status: 500, json: {}, headers: { [SHOP_HEADER]: '1' } }),
      )
      await main(page).getByRole('button', { name: 'Add to bag' }).click()
      await expect(main(page).getByRole('alert')).toContainText('didn’t go into your bag')
      await expectAccessibleNow(page)
    })

    test('a full bag and the checkout pass axe, with their error messages', async ({ device }) => {
      const page = await seen(device, look)
      await putIntoBag(page, '/audiobooks/the-quiet-ferry')
      await page.getByRole('banner').getByRole('button', { name: 'Shopping bag, 1 item' }).click()
      await expect(page.getByRole('banner').getByRole('link', { name: 'Checkout' })).toBeVisible()
      await expectAccessibleNow(page)
      await page.goto('/shopping-bag')
      const asGift = page.getByRole('checkbox', { name: 'Send as a gift, The Quiet Ferry' })
      const saved = () => page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await Promise.all([saved(), asGift.check()])
      const ferry = line(page, 'The Quiet Ferry')
      await ferry.getByLabel('Their email').fill('mina@harbour')
      await ferry.getByLabel('Their email').blur()
      await expect(ferry.getByText('Invalid email')).toBeVisible()
      await expectAccessibleNow(page)
      await Promise.all([saved(), asGift.uncheck()])

      await page.goto('/payment')
      await expectCheckout(page)
      await fieldsOf(page)
      const summary = page.getByRole('complementary', { name: 'Your bag' })
      if (await summary.getByLabel('Discount code').isHidden())
        await summary.getByRole('button').first().click()
      const enterCode = async (code: string) => {
        await summary.getByLabel('Discount code').fill(code)
        await summary.getByRole('button', { name: 'Apply' }).click()
      }
      await enterCode('NOSUCHCODE')
      await expect(summary.getByText('This discount code is not valid')).toBeVisible()
      await expectAccessibleNow(page)
      await enterCode('BOOKGIFT')
      await expect(page.getByRole('button', { name: 'Complete free order' })).toBeVisible()
      await expect(page.getByLabel('Name on card')).toBeHidden()
      await fillInBuyer(page, 'nell@murmur.example')
      await page.getByRole('button', { name: 'Complete free order' }).click()
      await expect(page.getByRole('alert').filter({ hasText: 'already exists' })).toBeVisible()
      await expectAccessibleNow(page)

      await page.goto('/gift')
      await page.getByLabel(/^Their first name/).fill('Joost')
      await page.getByLabel('Their email *').fill('joost@post.example')
      await main(page).getByRole('button', { name: 'Continue to payment' }).click()
      await expect(page.getByText('For Joost, joost@post.example')).toBeVisible()
      await fieldsOf(page)
      await fillInBuyer(page, 'nobody')
      await page.getByLabel('First name').focus()
      await expectAccessibleNow(page)
    })

    test('trap 35: the player and its sheets pass axe', async ({ device }) => {
      const page = await seen(device, look, 'shelf')
      await page.goto('/player/tin-whistle-winter')
      const player = new AtThePlayer(page)
      await player.chooseChapter('Grace notes')
      await player.press('Pause')
      await player.press('Bookmark this place')
      const entry = async (name: string) => {
        await player.press('More')
        await page.getByRole('menuitem', { name }).click()
      }
      for (const open of [
        // A desktop has the chapters on the screen.
        () => player.press(look.viewport === PHONE ? 'Chapters' : /^(What comes next|Next, )/),
        () => player.press(/Speed$/),
        () => player.press('Sleep timer'),
        () => entry('Bookmarks'),
        () => entry('Keys'),
      ]) {
        await open()
        await expect(page.getByRole('dialog')).toBeVisible()
        await expectAccessibleNow(page)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      await player.press('More')
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessibleNow(page)
      await page.keyboard.press('Escape')
      await player.press('Minimise player')
      await expect(player.screen).toHaveAttribute('data-display', 'mini')
      await expectAccessibleNow(page)
    })
  })

test('the end of a book passes axe', async ({ device, shop }) => {
  const page = await seen(device, DAY, shop.someone('reader').replace(/@.*/, ''))
  await page.goto('/library')
  await main(page).getByRole('button', { name: 'More for The Lamplighter’s Ledger' }).click()
  await page.getByRole('menuitem', { name: 'Mark as finished' }).click()
  await expect(page.getByText('The Lamplighter’s Ledger is marked as finished.').first()).toBeVisible()
  await page.goto('/player/the-lamplighters-ledger')
  const { screen } = new AtThePlayer(page)
  await expect(screen.getByRole('heading', { level: 1, name: /^You’ve finished/ })).toBeVisible()
  await expect(screen.getByRole('button', { name: 'Play What the Starlings Kept' })).toBeVisible()
  await expectAccessibleScreen(page)
})

test('forms with errors pass axe', async ({ device }) => {
  const page = await seen(device, DAY)
  await page.goto('/login')
  const password = main(page).getByLabel('Password', { exact: true })
  await main(page).getByLabel('Email').fill('nobody')
  await password.focus()
  await password.blur()
  await expect(main(page).getByText('Email must be valid')).toBeVisible()
  await expect(main(page).getByText('Password is required')).toBeVisible()
  await expectAccessibleNow(page)
  await main(page).getByLabel('Email').fill('nobody@murmur.example')
  await password.fill('not the password')
  await main(page).getByRole('button', { name: 'Log in' }).click()
  await expect(main(page).getByRole('alert')).toHaveText('Invalid credentials')
  await expectAccessibleNow(page)

  await page.goto('/forgot-password')
  await main(page).getByLabel('Email', { exact: true }).fill('not-an-address')
  await main(page).getByRole('button', { name: 'Send the link' }).click()
  await expect(main(page).getByText('Email must be valid')).toBeVisible()
  await expectAccessibleNow(page)
  await main(page).getByLabel('Email', { exact: true }).fill(aNewAddress('nobody'))
  await main(page).getByRole('button', { name: 'Send the link' }).click()
  await expect(main(page).getByText('Please check your email')).toBeVisible()
  await expectAccessibleNow(page)
})

test('the steps of redeeming a card pass axe', async ({ device }) => {
  const page = await seen(device, DAY)
  const redeem = async (code: string, typedBefore = '') => {
    await page.goto('/redemption')
    const field = main(page).getByLabel('Redemption Code')
    // The code typed before returns with hydration; text typed at that very moment would be added to it.
    await expect(field).toHaveValue(typedBefore)
    await field.fill(code)
    await main(page).getByRole('button', { name: 'Redeem your audiobook' }).click()
  }
  await page.route(/\/api\/redemption|\/api\/audiobook-cards/, (route) =>
    route.fulfill({ status: 429, json: {}, headers: { [SHOP_HEADER]: '1' } }),
  )
  await redeem('REDEEM-2345-6789')
  await expect(main(page).getByRole('alert')).toHaveText(/too many|a lot of tries/i)
  await expectAccessibleNow(page)
  await page.unrouteAll()
  await redeem('USEDUP-2345-6789', 'REDEEM-2345-6789')
  await expect(main(page).getByText(/has already been redeemed/)).toBeVisible()
  await expectAccessibleNow(page)
  await redeem('REDEEM-2345-6789', 'USEDUP-2345-6789')
  await expect(h1(page, 'Congratulations')).toBeVisible()
  await expectAccessibleNow(page)
  await main(page).getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/redemption/login')
  await expectAccessibleNow(page)
  await main(page).getByRole('link', { name: 'Create an account' }).click()
  await main(page).getByLabel('Country').fill('united king')
  await expectAccessibleNow(page)

  const owner = await seen(device, DAY, 'shelf')
  await owner.goto('/redemption')
  await main(owner).getByLabel('Redemption Code').fill('REDEEM-2345-6789')
  await main(owner).getByRole('button', { name: 'Redeem your audiobook' }).click()
  await expect(h1(owner, 'You already have Tin Whistle Winter.')).toBeVisible()
  await expectAccessibleNow(owner)
})

test('dialogs of library, settings and orders pass axe', async ({ device }) => {
  const page = await seen(device, NIGHT, 'shelf')
  await page.goto('/orders')
  await main(page)
    .getByRole('link', { name: /^Receipt for order/ })
    .first()
    .click()
  await expect(h1(page, 'Receipt')).toBeVisible()
  await expect(main(page).getByRole('article')).toContainText(/VAT \d+%/)
  await expectAccessibleNow(page)
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Library' })).toBeVisible()
  await expectAccessibleNow(page)
  await page.getByRole('menuitem', { name: 'Peek at your shelf' }).click()
  const drawer = page.getByRole('dialog', { name: 'Your shelf' })
  // More load when the end is near.
  await expect(drawer.getByRole('listitem').nth(9)).toBeVisible()
  await expectAccessibleNow(page)

  await page.goto('/settings')
  await main(page).getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete your account for good?' })).toBeVisible()
  await expectAccessibleNow(page)

  await page.goto('/library')
  await main(page).getByRole('button', { name: 'Use a gift code' }).click()
  await main(page).getByLabel('Gift code').fill('NONE-OF-OURS')
  await main(page).getByRole('button', { name: 'Claim' }).click()
  await expect(main(page).getByText('We don’t know this code.')).toBeVisible()
  await expectAccessibleNow(page)

  // The user's own shelf, and the queue.
  await main(page).getByRole('searchbox', { name: 'Search your library' }).fill('tin whistle')
  const more = main(page).getByRole('button', { name: 'More for Tin Whistle Winter' }).first()
  await more.click()
  // It opens a moment after the press.
  await expect(page.getByRole('menu', { name: 'Tin Whistle Winter' })).toBeFocused()
  await expectAccessibleNow(page)
  await page.getByRole('menuitem', { name: 'Put on a shelf' }).click()
  const shelves = page.getByRole('dialog', { name: 'Your own shelves' })
  await shelves.getByLabel('A new shelf').fill('For the winter')
  await shelves.getByRole('button', { name: 'Save shelf' }).click()
  await expect(shelves.getByRole('checkbox', { name: 'For the winter' })).toBeChecked()
  await expectAccessibleNow(page)
  await page.keyboard.press('Escape')
  await main(page).getByRole('button', { name: 'For the winter' }).click()
  await main(page).getByRole('button', { name: 'Arrange this shelf' }).click()
  await expect(page.getByRole('dialog', { name: 'This shelf' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessibleNow(page)
  await page.keyboard.press('Escape')
  await more.click()
  await page.getByRole('menuitem', { name: 'Add to queue' }).click()
  await main(page)
    .getByRole('button', { name: /^What comes next/ })
    .click()
  await expect(
    page.getByRole('dialog', { name: 'What comes next' }).getByRole('listitem').first(),
  ).toBeVisible()
  await expectAccessibleNow(page)

  const nell = await seen(device, NIGHT, 'nell')
  await nell.goto('/ebooks/letters-without-paper')
  await nell.getByRole('button', { name: 'Read', exact: true }).click()
  await expect(nell.getByRole('dialog', { name: 'This e-book has no file to open.' })).toBeVisible()
  await expectAccessibleNow(nell)
})

test('dialogs of membership and point of sale pass axe', async ({ device }) => {
  const joined = await seen(device, NIGHT, 'joined')
  await joined.goto('/subscription-details')
  await main(joined).getByRole('button', { name: 'Withdraw from contract here' }).click()
  await expect(joined.getByRole('dialog', { name: /^Cancel and get/ })).toBeVisible()
  await expectAccessibleNow(joined)
  await joined.keyboard.press('Escape')
  await main(joined).getByRole('button', { name: 'Change plan' }).click()
  await expect(joined.getByRole('dialog', { name: 'Change plan' })).toBeVisible()
  await expectAccessibleNow(joined)

  const giver = await seen(device, NIGHT, 'giver')
  await giver.goto('/gifts')
  await main(giver)
    .getByRole('button', { name: /^Edit the gift for/ })
    .first()
    .click()
  await expect(giver.getByRole('dialog')).toBeVisible()
  await expectAccessibleNow(giver)

  // Through the banner about a failed payment.
  const lapsed = await seen(device, NIGHT, 'lapsed')
  await lapsed.goto('/faq')
  const banner = lapsed.getByRole('complementary', { name: 'Payment failed' })
  await expect(banner).toBeVisible()
  await expectAccessibleNow(lapsed)
  await banner.getByRole('link', { name: 'Use a new card' }).click()
  await expect(lapsed.getByRole('button', { name: /^Update(,|$)/ })).toBeVisible()
  await fieldsOf(lapsed)
  await expectAccessibleNow(lapsed)

  const bookseller = await seen(device, DAY)
  await bookseller.goto('/reseller')
  const name = main(bookseller).getByLabel('Your bookshop')
  // A press before hydration is lost, so repeat it as a user would.
  await expect(async () => {
    if (!(await name.isVisible()))
      await main(bookseller).getByRole('button', { name: 'Ask for a starter pack' }).click()
    await expect(name).toBeVisible({ timeout: 3_000 })
  }).toPass()
  const send = main(bookseller).getByRole('button', { name: 'Send', exact: true })
  await send.click()
  await expect(main(bookseller).getByText('Fill in your name')).toBeVisible()
  await expectAccessibleNow(bookseller)
  await name.fill('The Tide Table')
  await main(bookseller).getByLabel('Your name').fill('Una Reed')
  await main(bookseller).getByLabel('Your email').fill(aNewAddress('bookseller'))
  await main(bookseller).getByLabel('Postal town').fill('Whitby')
  await send.click()
  await expect(main(bookseller).getByText(/^Thank you\. We’ve emailed a copy/)).toBeFocused()
  await expectAccessibleNow(bookseller)

  const desk = await seen(device, NIGHT, 'corner')
  await desk.goto('/activation')
  for (const [code, result] of [
    ['NEWCARD-2345-0020', 'The card has been activated.'],
    ['REDEEM-2345-6789', 'Already activated'],
    ['NEWCARD-2345-OOOO', 'Not recognised'],
  ] as const) {
    await desk.getByLabel('Activation code').fill(code)
    await desk.getByLabel('Activation code').press('Enter')
    await expect(desk.getByRole('heading', { level: 2, name: result })).toBeVisible()
    await expectAccessibleNow(desk)
  }
})

type Device = (wish: { viewport: Look['viewport']; of?: string }) => Promise<BrowserContext>

async function seen(device: Device, look: Look, of?: string): Promise<Page> {
  const { viewport } = look
  const page = await (await device({ viewport, ...(of && { of: `${of}@murmur.example` }) })).newPage()
  await wear(page, look)
  return page
}

/** The provider's fields are in frames, which load after the page. */
const fieldsOf = (page: Page) =>
  expect(page.frameLocator('iframe[title="Secure CVC input frame"]').getByRole('textbox')).toBeVisible()
