import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

interface Picture {
  readonly src: string
  readonly sizes: string
  readonly type: string
  readonly form_factor?: 'narrow' | 'wide'
  readonly label?: string
}

const { icons, screenshots } = JSON.parse(readFileSync(join(ROOT, 'manifest.webmanifest'), 'utf8')) as {
  icons: Picture[]
  screenshots: Picture[]
}
const fileOf = ({ src }: Picture) => join(ROOT, 'public', src)

test.each([...icons, ...screenshots])(
  '$src of the manifest is there, in the size and form it states',
  async (picture) => {
    const { width, height, format } = await sharp(fileOf(picture)).metadata()
    expect(picture.type).toBe(format === 'svg' ? 'image/svg+xml' : `image/${format}`)
    expect(['any', `${width}x${height}`]).toContain(picture.sizes)
  },
)

test('who installs the app sees it first, on a phone and on a desktop', () => {
  for (const form of ['narrow', 'wide']) {
    const shown = screenshots.filter(({ form_factor }) => form_factor === form)
    expect(shown.length).toBeGreaterThan(0)
    // Browsers drop screenshots whose aspect ratio differs from the first one's.
    expect(new Set(shown.map(({ sizes }) => sizes)).size).toBe(1)
    for (const picture of shown) {
      expect(picture.label).toMatch(/\w/)
      expect(statSync(fileOf(picture)).size).toBeLessThan(120_000)
    }
  }
})

test('what is only shown before the app is installed is not stored by its worker', () => {
  const worker = join(ROOT, 'dist/client/service-worker.js')
  if (!existsSync(worker))
    throw new Error('There is no built client to look at. Build it first: npm run build')
  const code = readFileSync(worker, 'utf8')
  expect(code).toContain('index.html')
  expect(code).not.toContain('screenshots/')
})
