// Covers: office, in-step
import { epub, mp3, OwnersFolder, picture, STEREO } from '#importer/fixtures/owners-folder.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { invited, joinOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

test('in step: an owner has a title analysed by the running shop, reads the report, evens its loudness and goes back', async ({
  shop,
  device,
}) => {
  const folder = new OwnersFolder()
  const text = `<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Slack</h1><p>The water stood. Nobody rowed.</p></body></html>`
  folder
    // As a draft, because other journeys count what the lists of this shop show.
    .put('slack/book.json', {
      title: 'Slack Water',
      authors: ['Ida Frost'],
      state: 'draft',
      audiobook: { price: '5.00' },
      ebook: { price: '3.00' },
    })
    .put('slack/cover.png', await picture('#446688'))
    .put('slack/slack.epub', await epub({ title: 'Slack Water', files: { 'OEBPS/text/one.xhtml': text } }))
    .put('slack/1.mp3', mp3({ title: 'Slack' }, STEREO))
    .put(
      'slack/1.srt',
      '1\n00:00:00,100 --> 00:00:00,400\nThe water stood.\n\n2\n00:00:00,400 --> 00:00:00,700\nNobody rowed.\n',
    )
  await shop.murmur('import', folder.path)
  folder.remove()

  const page = await withFingerprint(await device())
  await joinOffice(page, await invited(shop, 'sora@sound.example', 'editor'), 'Sora Lind')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await page.goto(officeUrl(shop, '/titles/slack-water'))
  await expect(page.getByRole('heading', { name: 'Sound and sentences' })).toBeVisible()
  await expect(page.getByText('It isn’t analysed yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Analyse now' }).click()
  await expect(page.getByText('100.0% of 2 sentences are certain')).toBeVisible()
  await expect(page.getByText(/Its loudness is −\d+\.\d LUFS/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Even the loudness' }).click()
  await expect(page.getByText('1 chapter evened.')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the originals' }).click()
  await expect(page.getByText('1 chapter back to the original.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Even the loudness' })).toBeVisible()
})
