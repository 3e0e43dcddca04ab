import { readFileSync } from 'node:fs'
import bwipjs from 'bwip-js/node'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { barcodeIn, readBarcode } from './read-barcode.ts'

// Files of this project share what is global.
afterAll(() => void vi.unstubAllGlobals())

beforeAll(async () => {
  // As the built app serves it.
  vi.stubGlobal('fetch', async (address: string | URL) => {
    const path = new URL(address, 'http://shop').pathname
    const bytes = readFileSync(path.startsWith('/@fs/') ? path.slice(4) : `.${path}`)
    return new Response(bytes, { headers: { 'content-type': 'application/wasm' } })
  })
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) })
  await readBarcode()
})

/** What a phone sees of it: small, held at a slant, not quite in focus. */
async function seen(text: string, bcid = 'code128', slant = 4): Promise<ImageData> {
  const bars = await bwipjs.toBuffer({
    bcid,
    text,
    scale: 2,
    height: 12,
    padding: 10,
    backgroundcolor: 'FFFFFF',
  })
  const { data, info } = await sharp(bars)
    .rotate(slant, { background: '#808080' })
    .blur(0.8)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height } as ImageData
}

test('the number on a card is read off its bars by the library, also at a slant and upside down', async () => {
  for (const slant of [0, 4, -7, 180])
    expect(await barcodeIn(await seen('482100577731', 'code128', slant)), String(slant)).toBe('482100577731')
  expect(await barcodeIn(await seen('NEWCARD-2345-6789'))).toBe('NEWCARD-2345-6789')
})

test('what a till’s own labels carry is read too, and what is no barcode is nothing', async () => {
  expect(await barcodeIn(await seen('9781234567897', 'ean13'))).toBe('9781234567897')
  expect(await barcodeIn(await seen('a QR code', 'qrcode'))).toBeUndefined()
  const grey = { data: new Uint8ClampedArray(4 * 64 * 64).fill(128), width: 64, height: 64 } as ImageData
  expect(await barcodeIn(grey)).toBeUndefined()
})
