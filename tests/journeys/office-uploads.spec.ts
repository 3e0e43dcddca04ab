// Covers: office, catalogue
import { writeFile } from 'node:fs/promises'
import JSZip from 'jszip'
import { mp3, TONE } from '#importer/fixtures/owners-folder.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { invited, joinOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

test('office: an upload that broke off goes on after a reload, a ZIP is unpacked, and a wrong guess is corrected in place', async ({
  shop,
  device,
}, info) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await invited(shop, 'orla@uploads.example', 'editor'), 'Orla Quay')
  await page.goto(officeUrl(shop, '/titles/import'))
  await expect(page.getByRole('heading', { level: 1, name: 'Bring in books' })).toBeVisible()
  const files = page.getByLabel('Files', { exact: true })

  await test.step('the line breaks after the first piece, and the next page sends only the rest', async () => {
    // Three pieces. From a disk, because a browser knows the file again by its date.
    const sound = Buffer.concat(
      Array.from({ length: Math.ceil((2.5 * 1024 ** 2) / TONE.length) }, () => TONE),
    )
    const path = info.outputPath('Eelgrass.mp3')
    await writeFile(path, mp3({}, sound))
    let pieces = 0
    await page.route('**/api/office/uploads/*', (route, request) =>
      request.method() === 'PATCH' && ++pieces > 1 ? route.abort() : route.continue(),
    )
    await files.setInputFiles(path)
    await expect(page.getByText('Connection lost. We’ll carry on.')).toBeVisible()
    await page.reload()
    await expect(page.getByText('0 files are here.')).toBeVisible()
    await page.unroute('**/api/office/uploads/*')
    const next = page.waitForRequest((request) => request.method() === 'PATCH')
    await files.setInputFiles(path)
    expect(Number(await (await next).headerValue('upload-offset'))).toBe(1024 ** 2)
    await expect(page.getByText('1 of 1 files here')).toBeVisible()
    await expect(page.getByText('1 found, 0 refused')).toBeVisible()
  })

  await test.step('a folder in a ZIP is found beside it', async () => {
    const zip = new JSZip().file('Salt Pan/1.mp3', mp3({ album: 'Salt Pan', artist: 'Ida Frost' }))
    const buffer = await zip.generateAsync({ type: 'nodebuffer' })
    await files.setInputFiles({ name: 'books.zip', mimeType: 'application/zip', buffer })
    await expect(page.getByText('2 found, 0 refused')).toBeVisible()
  })

  await test.step('what was guessed is corrected, and needs no tick any more', async () => {
    await page.getByRole('button', { name: /^Correct it: Eelgrass/ }).click()
    await expect(page.getByLabel('Title', { exact: true })).toBeFocused()
    await expectAccessible(page)
    await page.getByLabel('Title', { exact: true }).fill('Eelgrass Meadow')
    await page.getByLabel('Authors').fill('Ida Frost')
    await page.getByLabel('Series').fill('Tides #3')
    await page.getByRole('button', { name: 'That’s right now' }).click()
    await expect(page.getByRole('checkbox', { name: /^Bring in: Eelgrass Meadow/ })).toBeChecked()
    await expect(page.getByRole('button', { name: 'Bring in 2 titles' })).toBeVisible()
  })

  // Other journeys count the shop's titles.
  await page.getByRole('button', { name: 'Throw these files away' }).click()
  await expect(page.getByText('The files are thrown away.')).toBeVisible()
})
