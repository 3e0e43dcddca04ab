import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bwipjs from 'bwip-js/node'
import sharp from 'sharp'
import { expect, PHONE, test } from '#tests/support/journey.ts'

const CARD = 'NEWCARD-2345-0016'

/** A camera that looks at a card on the counter, from now on and for ever. */
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

test('RESL-05 RESL-07: a phone’s camera reads the bars of a card, and it is activated without a key being pressed', async ({
  device,
}) => {
  const page = await (await device({ of: 'corner@murmur.example', viewport: PHONE })).newPage()
  await page.goto('/activation')
  const library = page.waitForRequest(/zxing_reader.*\.wasm$/)
  await page.getByRole('button', { name: 'Scan' }).click()
  await library
  await expect(page.getByRole('heading', { name: 'The card has been activated.' })).toBeVisible()
  await expect(page.getByRole('main').getByText('It ends 0016.')).toBeVisible()
  await expect(page.getByLabel(/^Camera picture/)).toHaveCount(0)
  await expect(page.getByLabel('Activation code')).toHaveValue('')
})

/** One frame of bare video: brightness, and no colour. */
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
