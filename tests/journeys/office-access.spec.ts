// Covers: staff, activity, office, auth
import { CONFIRM_AGAIN, SHOP_HEADER } from '#contract/limits.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { joinOffice, linkToOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

const LATER = { type: CONFIRM_AGAIN, status: 403, 'hydra:description': 'Please confirm with your passkey.' }

test('OFFICE-01 OFFICE-02 OFFICE-04: an owner joins with a passkey, invites a colleague, confirms after five minutes, undoes, and comes back with a recovery code', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  const h1 = (name: string) => page.getByRole('heading', { level: 1, name })

  await page.goto(officeUrl(shop, '/team'))
  await expect(h1('Come in.')).toBeVisible()
  await expectAccessible(page)

  const codes = await joinOffice(
    page,
    await linkToOffice(shop, 'hana@shop.example', 'owner'),
    'Hana Brodie',
    () => expectAccessible(page),
  )
  expect(codes).toHaveLength(10)
  await page.getByRole('link', { name: 'Team' }).click()
  await expect(page.getByRole('row', { name: /Hana Brodie \(you\)/ })).toContainText('Owner')

  const handedOver =
    await test.step('inviting needs an address, survives a reload, and shows the link once', async () => {
      await page.getByRole('link', { name: 'Invite somebody' }).click()
      const drawer = page.getByRole('dialog', { name: 'Invite somebody' })
      await drawer.getByRole('button', { name: 'Invite them' }).click()
      await expect(drawer.getByLabel('Email address')).toHaveAccessibleDescription('Type their address.')
      await drawer.getByLabel('Email address').fill('wilf@shop.example')
      await page.reload()
      await expect(drawer.getByLabel('Email address')).toHaveValue('wilf@shop.example')
      await drawer.getByRole('button', { name: 'Invite them' }).click()
      const link = await page.getByRole('dialog', { name: 'Invited' }).locator('code').textContent()
      await page.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByRole('row', { name: /wilf@shop.example/ })).toContainText('Invited, until')
      return link!
    })

  const theirs = await withFingerprint(await device({ viewport: PHONE, touch: true }))
  await test.step('on a phone the colleague joins, and finds nothing of the owner’s', async () => {
    await joinOffice(theirs, handedOver, 'Wilf Garrity')
    await theirs.goto(officeUrl(shop, '/more'))
    await expect(theirs.getByRole('link', { name: 'Wilf Garrity' })).toBeVisible()
    await expect(theirs.getByRole('link', { name: 'Team' })).toHaveCount(0)
    await theirs.goto(officeUrl(shop, '/team'))
    await expect(theirs.getByRole('heading', { name: 'This isn’t for your role.' })).toBeVisible()
    await expectAccessible(theirs)
  })

  await test.step('health: the checks, the jobs, and why there is no backup', async () => {
    await page.getByRole('link', { name: 'Health' }).click()
    await expect(page.getByRole('row', { name: /Database .*PostgreSQL/ })).toContainText('Fine')
    await expect(page.getByRole('button', { name: 'Back up now' })).toHaveAccessibleDescription(
      'Set BACKUP_TO on the server.',
    )
    await page.getByRole('link', { name: /^Open the pages: The law asks/ }).click()
    await expect(h1('Pages')).toBeVisible()
  })

  await test.step('settings: found by a word, typed text survives a reload, a change is saved and undone', async () => {
    await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Settings' }).click()
    await expect(h1('Settings')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('sentence')
    const about = page.getByLabel('In one sentence')
    const before = await about.inputValue()
    await about.fill('Books for the quay.')
    await page.reload()
    await expect(about).toHaveValue('Books for the quay.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(about).toHaveValue(before)
    await page.getByLabel('The main button', { exact: true }).fill('#797979')
    await expect(page.getByRole('button', { name: /^Use #/ })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Leave as it was' }).click()
    await page.getByRole('link', { name: 'Team' }).click()
    await expect(h1('Team')).toBeVisible()
  })

  await test.step('after five minutes the passkey is asked for before a role changes, and the change is undone', async () => {
    await page.reload()
    // As the server answers later (server/office/session/routes.test.ts); the journey can't wait for it.
    await page.route(
      '**/api/office/team/*',
      (route) => route.fulfill({ status: 403, json: LATER, headers: { [SHOP_HEADER]: '1' } }),
      {
        times: 1,
      },
    )
    await page.getByRole('link', { name: 'Change Wilf Garrity' }).click()
    const drawer = page.getByRole('dialog', { name: 'Wilf Garrity' })
    await drawer.getByRole('radio', { name: /Editor/ }).check()
    const confirmed = page.waitForResponse((answer) => answer.url().endsWith('/api/office/confirm'))
    await drawer.getByRole('button', { name: 'Make Wilf editor' }).click()
    expect((await confirmed).status()).toBe(200)
    await expect(page.getByText('Wilf Garrity is editor now.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByText('Made Wilf Garrity support again.')).toBeVisible()
    await page.keyboard.press('Escape')
    // The change of the settings was undone above.
    await expect(page.getByText('Undone by Hana Brodie')).toHaveCount(2)
  })

  await test.step('Ctrl K goes somewhere, and Esc closes it', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search the office' }).fill('act')
    await expect(page.getByRole('option', { name: 'Activity' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(h1('Activity')).toBeVisible()
  })

  await test.step('a session that was ended asks over the page; a recovery code lets in to add a passkey', async () => {
    await shop.murmur('office', 'log-out', 'hana@shop.example', '--because', 'a test', '--yes')
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('button', { name: 'Sign in with your passkey' }).click()
    await expect(page.getByRole('link', { name: /^M-/ }).first()).toBeVisible()

    await page.goto(officeUrl(shop, '/you'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Email address').fill('hana@shop.example')
    await page.getByLabel('Recovery code').fill(codes[3]!)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('9 of ten left')).toBeVisible()
    await expectAccessible(page)
  })
})
