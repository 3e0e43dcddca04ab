// Covers: office, documents, editorial, home, pages
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { joinOffice, linkToOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

test('OFFICE-40 OFFICE-41 OFFICE-42: an editor’s week: writes a piece, schedules it, puts the home page into order, restores an older page, and can’t reach orders', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await linkToOffice(shop, 'oswin@journal.example', 'editor'), 'Oswin Carr')
  const h1 = (name: string) => page.getByRole('heading', { level: 1, name })
  const saved = page.getByRole('status').filter({ hasText: /^(Draft saved|Saved)/ })

  await test.step('a piece is saved as it is typed, and publishing leads to what is missing', async () => {
    await page.goto(officeUrl(shop, '/journal'))
    await expect(page.getByRole('link', { name: 'The lamplighter’s walk' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Write a piece' }).click()
    await page.getByRole('dialog').getByLabel('Title').fill('A bench in the rain')
    await page.getByRole('button', { name: 'Start writing' }).click()
    await expect(h1('A bench in the rain')).toBeVisible()
    await page.getByRole('button', { name: 'Publish: 3 missing' }).click()
    await expect(page.getByRole('textbox', { name: 'Text' })).toBeFocused()
    await page.keyboard.type('## Wet\n\nIt *rained*.')
    await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Wet' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue('## Wet\n\nIt *rained*.')
    await page.getByLabel(/^Line below it/).fill('And nobody minded.')
    await page.getByRole('link', { name: 'Details' }).click()
    const details = page.getByRole('dialog', { name: 'Details' })
    await details.getByLabel('Written by').selectOption('Oswin Carr')
    await details.getByLabel('Add a title').fill('nine')
    await details.getByRole('button', { name: /Nine Winters/ }).click()
    await expect(details.getByRole('button', { name: 'Take out Nine Winters' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('it gets a time, and is published at once after all', async () => {
    await page.getByRole('button', { name: 'Schedule' }).click()
    const drawer = page.getByRole('dialog', { name: 'When it is published' })
    await drawer.getByLabel('Day and time').fill('2099-11-27T07:00')
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Schedule' }).click()
    await expect(page.getByText('From 27th November 2099 at 07:00')).toBeVisible()
    expect((await page.request.get(`${shop.url}/api/articles/a-bench-in-the-rain`)).status()).toBe(404)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByRole('link', { name: 'In the shop' })).toBeVisible()
    const reader = await (await device()).newPage()
    await reader.goto(`${shop.url}/articles/a-bench-in-the-rain`)
    await expect(reader.getByRole('heading', { name: 'Wet' })).toBeVisible()
    await reader.close()
  })

  await test.step('panels are moved by keyboard, hidden and published', async () => {
    await page.keyboard.press('Escape')
    await page.goto(officeUrl(shop, '/home-page'))
    const grips = page.getByRole('button', { name: /^Move / })
    const second = (await grips.nth(1).getAttribute('aria-label'))!
    await grips.nth(1).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect(grips.first()).toHaveAttribute('aria-label', second)
    await expect(grips.first()).toBeFocused()
    await page.getByRole('link', { name: 'About the shop' }).click()
    const drawer = page.getByRole('dialog', { name: 'About the shop' })
    await drawer.getByLabel('Heading').fill('Who we are')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Publish 2 changes' }).click()
    await expect(page.getByText('Published.')).toBeVisible()
    const home = async () =>
      (await (await page.request.get(`${shop.url}/api/homepage_panels`)).json())['hydra:member'][0]
    const now = await home()
    expect(now.currentHighlights.weight).toBeLessThan(now.curatedIntroPicks.weight)
    expect(now.localShop.title).toBe('Who we are')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(async () => (await home()).localShop.title).toBe('About the shop')
  })

  await test.step('a page is changed, and its older version restored', async () => {
    await page.goto(officeUrl(shop, '/pages'))
    await page.getByRole('link', { name: 'About Murmur', exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Text' })
    const before = await text.inputValue()
    await text.fill('We are gone fishing.')
    await expect(saved).toBeVisible()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByText('Published.')).toBeVisible()
    await page.getByRole('link', { name: 'History' }).click()
    const history = page.getByRole('dialog', { name: 'History' })
    await expectAccessible(page)
    await history
      .getByRole('button', { name: /^Restore/ })
      .last()
      .click()
    await expect(text).toHaveValue(before)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0)
    const shown = await (await page.request.get(`${shop.url}/api/info_pages/about`)).json()
    expect(shown.content).not.toContain('fishing')
  })

  await test.step('a colleague’s later save shows both versions', async () => {
    const other = await withFingerprint(await device())
    await joinOffice(other, await linkToOffice(shop, 'wilf@journal.example', 'editor'), 'Wilf Garrity')
    await page.goto(officeUrl(shop, '/pages/page/support'))
    await expect(h1('Support')).toBeVisible()
    await other.goto(officeUrl(shop, '/pages/page/support'))
    await expect(other.getByText('Oswin Carr is reading this')).toBeVisible()
    await page.getByRole('textbox', { name: 'Title' }).fill('Help')
    await expect(saved).toBeVisible()
    await other.getByRole('textbox', { name: 'Title' }).fill('Ask us')
    const both = other.getByRole('dialog', { name: 'Oswin Carr saved this while you were typing' })
    await expect(both).toContainText('Help')
    await expect(both).toContainText('Ask us')
    await expectAccessible(other)
    await both.getByRole('button', { name: 'Take Oswin Carr’s' }).click()
    await expect(other.getByRole('textbox', { name: 'Title' })).toHaveValue('Help')
  })

  await test.step('orders and emails aren’t for an editor; the newsletter is written, and an owner sends it', async () => {
    await page.goto(officeUrl(shop, '/newsletter'))
    await page
      .getByRole('textbox', { name: 'Newsletter' })
      .fill('# In December\n\nThree books.\n\n[Browse](/browse)')
    await expect(page.getByRole('heading', { name: 'In December' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send a test to myself' }).click()
    await expect(page.getByText('A test is on its way to oswin@journal.example.')).toBeVisible()
    for (const place of ['/pages/faq/faq', '/pages/menus/menus']) {
      await page.goto(officeUrl(shop, place))
      await expect(page.getByRole('button', { name: /^Move / }).first()).toBeVisible()
      await expectAccessible(page)
    }
    await page.goto(officeUrl(shop, '/emails'))
    await expect(page.getByRole('heading', { name: 'This isn’t for your role.' })).toBeVisible()
    await page.goto(officeUrl(shop, '/orders'))
    await expect(page.getByRole('heading', { name: 'This isn’t for your role.' })).toBeVisible()
  })
})

test('OFFICE-46: support looks at an email, sends itself a test, and finds what waits', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await linkToOffice(shop, 'ida@emails.example', 'support'), 'Ida Moss')
  await page.goto(officeUrl(shop, '/emails'))
  await expect(page.getByRole('link', { name: 'Order confirmed' }).last()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Seat kept' }).last().click()
  const drawer = page.getByRole('dialog', { name: 'Seat kept' })
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Send a test to myself' }).click()
  await expect(page.getByText('A test is on its way to ida@emails.example.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /Seat kept ida@emails/ })
    .getByRole('link')
    .first()
    .click()
  const waiting = page.getByRole('dialog', { name: 'Seat kept' })
  await expect(waiting.getByText('To ida@emails.example')).toBeVisible()
  await waiting.getByRole('button', { name: 'Try it now' }).click()
  await expect(page.getByText('It is on its way.')).toBeVisible()
})
