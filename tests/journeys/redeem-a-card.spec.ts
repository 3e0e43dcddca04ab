// Covers: cards, outlets, codes, account, library, player
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import bwipjs from 'bwip-js/node'
import sharp from 'sharp'
import { expectAccessible } from '#tests/support/accessible.ts'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

const OUTLET = 'corner@murmur.example'
const CARD = 'NEWCARD-2345-0001'
const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const code = (page: Page) => main(page).getByLabel('Redemption Code')

/** The video of a fake camera that shows one card all the time. */
const picture = join(mkdtempSync(join(tmpdir(), 'murmur-camera-')), 'card.y4m')
writeFileSync(picture, await film(CARD))

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [
        ...(launchOptions.args ?? []),
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${picture}`,
      ],
    }),
})

test('RESL-04 RDM-25 NAV-56: a bookseller activates a card with the camera, and a new customer scans it, signs up and listens', async ({
  device,
}) => {
  await test.step('RESL-07: the camera reads the barcode and activates the card without a key press', async () => {
    const till = await (await device({ of: OUTLET, viewport: PHONE })).newPage()
    // Start elsewhere: this document has no camera permission, so the app has to load the desk's own document.
    await till.goto('/reseller')
    await main(till).getByRole('link', { name: 'Activate a card' }).click()
    await expect(h1(till, 'Activate card')).toBeVisible()
    const library = till.waitForRequest(/zxing_reader.*\.wasm$/)
    await till.getByRole('button', { name: 'Scan' }).click()
    await library
    await expect(till.getByRole('heading', { name: 'The card has been activated.' })).toBeVisible()
    await expect(main(till).getByText('It ends 0001.')).toBeVisible()
    await expect(till.getByLabel(/^Camera picture/)).toHaveCount(0)
    await expect(till.getByLabel('Activation code')).toHaveValue('')
  })

  const page = await (await device({ viewport: PHONE })).newPage()
  await page.goto(`/redemption#${CARD}`)
  await expect(h1(page, 'Someone handed you a story.')).toBeVisible()
  await expect(code(page)).toHaveValue(CARD)
  await expect(page).toHaveURL('/redemption')
  const banner = page.getByRole('banner')
  for (const role of ['link', 'button'] as const)
    await expect(banner.getByRole(role, { name: /log in|join|sign/i })).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)

  await page.setViewportSize(PHONE)
  await main(page).getByRole('button', { name: 'Redeem your audiobook' }).click()
  await expect(h1(page, 'Congratulations')).toBeVisible()
  await page.reload()
  await expect(h1(page, 'Congratulations')).toBeVisible()
  await expect(main(page).getByText('Tin Whistle Winter, from Corner House Books')).toBeVisible()
  await page.setViewportSize(PHONE)

  await main(page).getByRole('link', { name: 'Create an account' }).click()
  await main(page).getByLabel('Email', { exact: true }).fill(aNewAddress('una'))
  await main(page).getByLabel('First name').fill('Una')
  await main(page).getByLabel('Last name').fill('Reed')
  await main(page).getByLabel('Country').fill('united king')
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await page.setViewportSize(PHONE)
  await main(page).getByRole('button', { name: 'Create account' }).click()
  await expect(h1(page, 'Welcome Una')).toBeVisible()
  await expect(page).toHaveURL('/redemption/welcome')
  await expectAccessible(page)
  await page.setViewportSize(PHONE)

  await main(page).getByRole('link', { name: 'Open your library' }).click()
  await expect(
    main(page)
      .getByRole('link', { name: /Tin Whistle Winter/ })
      .first(),
  ).toBeVisible()
  await page.goto('/player/tin-whistle-winter')
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.expectSound()
})

/** One uncompressed video frame in greyscale. */
async function film(text: string): Promise<Uint8Array> {
  const [width, height] = [640, 480]
  const bars = await bwipjs.toBuffer({
    bcid: 'code128',
    text,
    scale: 2,
    height: 14,
    padding: 12,
    backgroundcolor: 'FFFFFF',
  })
  const grey = await sharp({ create: { width, height, channels: 3, background: '#3a3f45' } })
    .composite([{ input: await sharp(bars).rotate(3, { background: '#3a3f45' }).toBuffer() }])
    .greyscale()
    .raw()
    .toBuffer()
  const brightness =
    grey.length === width * height
      ? grey
      : grey.filter((_, at) => at % (grey.length / (width * height)) === 0)
  const frame = [Buffer.from('FRAME\n'), brightness, Buffer.alloc((width * height) / 2, 128)]
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`),
    ...frame,
    ...frame,
  ])
}
