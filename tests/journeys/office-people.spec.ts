// Covers: office, account, mails
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { aNewAddress, aNewcomer, opens } from '#tests/support/newcomer.ts'
import { invited, joinOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

test('OFFICE-10 OFFICE-11 OFFICE-12: support’s hour: an apology, an email again, a membership ended, a mistyped address corrected, and an account blocked for a day', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await invited(shop, 'wilf@people.example', 'support'), 'Wilf Garrity')
  const h1 = (name: string) => page.getByRole('heading', { level: 1, name })
  await expect(h1('Today')).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(h1('People')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('rosa lind')
  await expect(page.getByRole('link', { name: 'Rosa Lind' }).first()).toBeVisible()
  await page.goto(officeUrl(shop, '/people?words=gifted@'))
  await page.getByRole('link', { name: 'Gus Adair' }).click()
  await expect(h1('Gus Adair')).toBeVisible()
  await expect(page.getByText('Presents')).toBeVisible()

  await test.step('a free audiobook is given, and taken back', async () => {
    await page.getByRole('link', { name: 'Give a free audiobook' }).click()
    const drawer = page.getByRole('dialog', { name: 'Give free audiobooks' })
    await drawer.getByLabel('How many').fill('2')
    await drawer.getByRole('button', { name: 'Give it' }).click()
    await expect(page.getByText(/Gave 2 free audiobooks until/).first()).toBeVisible()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByText('Took 2 free audiobooks back.')).toBeVisible()
  })

  await test.step('a free copy is found by its title, needs a reason, survives a reload, and is taken back', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Give a free copy of a title' }).click()
    const drawer = page.getByRole('dialog', { name: 'Give a free copy' })
    await drawer.getByLabel('Which title').fill('nine rooms')
    await drawer.getByRole('button', { name: /^Nine Rooms of Rain, e-book/ }).click()
    await drawer.getByRole('button', { name: 'Give it' }).click()
    await expect(drawer.getByLabel('Why')).toHaveAccessibleDescription(/Say why/)
    await drawer.getByLabel('Why').fill('She wrote it')
    await page.reload()
    await expect(drawer.getByLabel('Why')).toHaveValue('She wrote it')
    await expect(drawer.getByText('Nine Rooms of Rain, e-book')).toBeVisible()
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Give it' }).click()
    await expect(page.getByText('Gave Nine Rooms of Rain (e-book).')).toBeVisible()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByText('Took Nine Rooms of Rain (e-book) back.')).toBeVisible()
  })

  await test.step('a note survives a reload before it is saved', async () => {
    await page.getByLabel('Private note').fill('Prefers a phone call.')
    await page.reload()
    await expect(page.getByLabel('Private note')).toHaveValue('Prefers a phone call.')
    await page.getByRole('button', { name: 'Save the note' }).click()
    await expect(page.getByText(/Only the team reads this, but Gus would get it/)).toContainText(
      'Wilf Garrity',
    )
  })

  await test.step('what they listened to is shown once they allow it in their settings', async () => {
    await expect(page.getByText('What Gus listens to isn’t shown here.')).toBeVisible()
    const theirs = await (await device({ of: 'gifted@murmur.example' })).newPage()
    await theirs.goto('/settings')
    const allow = theirs.getByRole('switch', { name: /see what I listened to, for one day/ })
    const answered = theirs.waitForResponse((answer) => answer.url().endsWith('/listening-shown'))
    await allow.check()
    await answered
    await expect(theirs.getByText(/You can switch it off before/)).toBeVisible()
    await expectAccessible(theirs)
    await page.reload()
    await page.getByRole('button', { name: 'Look at it' }).click()
    await expect(page.getByText(/Nothing yet|chapter/)).toBeVisible()
  })

  await test.step('an email is read and sent again', async () => {
    await page
      .getByRole('link', { name: /audiobook/i })
      .filter({ hasText: /given/i })
      .first()
      .click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText('Gus', { exact: false }).first()).toBeVisible()
    await drawer.getByRole('button', { name: 'Send it again' }).click()
    await expect(page.getByText(/On its way to gifted@/)).toBeVisible()
  })

  await test.step('a membership is ended at once, with a reason', async () => {
    await page.getByRole('link', { name: 'End the membership' }).click()
    const drawer = page.getByRole('dialog', { name: 'End the membership' })
    await drawer.getByRole('button', { name: 'End it at once' }).click()
    await expect(drawer.getByLabel('Why')).toHaveAccessibleDescription(/Say why/)
    await drawer.getByLabel('Why').fill('Asked for it by phone')
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'End it at once' }).click()
    await expect(page.getByText('“Asked for it by phone”')).toBeVisible()
    await expect(page.getByRole('link', { name: 'End the membership' })).toHaveCount(0)
  })

  await test.step('a mistyped address is corrected at once; a blocked account can’t log in until support lets it', async () => {
    const email = await aNewcomer(shop.url)
    await page.goto(officeUrl(shop, `/people?words=${encodeURIComponent(email)}`))
    await page.getByRole('link', { name: 'Una Reed' }).click()
    await expect(h1('Una Reed')).toBeVisible()
    const choose = async (act: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: act }).click()
    }
    const right = aNewAddress('una')
    await choose('Correct their address')
    await page.getByLabel('Address', { exact: true }).fill(right)
    await page.getByRole('button', { name: 'Correct it' }).click()
    await expect(page.getByRole('main').getByText(right).first()).toBeVisible()
    expect(await opens(shop.url, right, 'murmur-demo')).toBe(true)

    await choose('Block the account')
    await page.getByLabel('Why').fill('A stranger has the password')
    await page.getByRole('button', { name: 'Block Una' }).click()
    await expect(page.getByText(/they can’t log in/)).toBeVisible()
    expect(await opens(shop.url, right, 'murmur-demo')).toBe(false)
    await choose('Let them log in again')
    await expect(page.getByText('Una can log in again.')).toBeVisible()
    expect(await opens(shop.url, right, 'murmur-demo')).toBe(true)
  })

  await test.step('Ctrl K goes to a person by address and to the orders of a code; members are listed by what is wrong', async () => {
    const search = async (words: string, option: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search the office' }).fill(words)
      await expect(page.getByRole('option', { name: option }).first()).toBeVisible()
      await page.keyboard.press('Enter')
    }
    await search('welcome20', 'WELCOME20')
    await expect(page).toHaveURL(officeUrl(shop, '/orders?code=WELCOME20'))
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await expect(h1('Members')).toBeVisible()
    await page.getByRole('link', { name: 'Payment failing' }).click()
    await expect(page.getByRole('link', { name: 'Lou Brandt' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Give a membership' }).click()
    const drawer = page.getByRole('dialog', { name: 'Give a membership' })
    await drawer.getByLabel('To whom').fill('gifted@')
    await expect(drawer.getByRole('link', { name: 'Gus Adair' })).toBeVisible()
    await expectAccessible(page)
    await drawer.getByRole('link', { name: 'Gus Adair' }).click()
    await expect(page).toHaveURL(/\/people\/[\w-]+\/membership$/)
    await expect(drawer.getByRole('button', { name: 'Give it' })).toBeVisible()
    await page.keyboard.press('Escape')
    await search('gifted@murmur.example', 'Gus Adair')
    await expect(h1('Gus Adair')).toBeVisible()
  })

  await test.step('on a phone the person fits, and closing an account is not for support', async () => {
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Block the account' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Close the account' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })
})
