import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawing, drawingOf, DRAWINGS, portrait } from './pictures.ts'

const NIGHT = { background: '#2B5A5E', text: '#F7EEDB', accents: ['#F0B08A'] }

describe('a drawing', () => {
  test.each(DRAWINGS)('%s is 3:2, has no type and is the same each time', (name) => {
    const one = drawing(name, NIGHT, 'article a-voice')
    expect(one).toBe(drawing(name, NIGHT, 'article a-voice'))
    expect(one).toContain('viewBox="0 0 600 400"')
    expect(one).not.toMatch(/<text|NaN|undefined/)
  })

  // A door and a lighthouse differ in their colours only.
  test.each(DRAWINGS.filter((name) => name !== 'door' && name !== 'lamp'))(
    '%s differs between two items',
    (name) => {
      expect(drawing(name, NIGHT, 'article a-voice')).not.toBe(drawing(name, NIGHT, 'article another'))
    },
  )

  test.each(DRAWINGS)('%s shows more than its background', async (name) => {
    const { data, info } = await sharp(Buffer.from(drawing(name, NIGHT, 'article a-voice')))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colours = new Set<string>()
    for (let at = 0; at < data.length; at += 7 * info.channels) colours.add(data.toString('hex', at, at + 3))
    expect(colours.size).toBeGreaterThan(2)
  })

  test('differs between items, and all drawings occur', () => {
    const drawn = new Set(Array.from({ length: 60 }, (_, n) => drawingOf(`article number ${n}`)))
    expect(drawn).toEqual(new Set(DRAWINGS))
  })

  test('of a person is the first letter of the name, in any script', () => {
    expect(portrait('Jory Pask', NIGHT)).not.toBe(portrait('Hana Brodie', NIGHT))
    for (const name of ['Æsa', 'élan', '张伟', '']) expect(portrait(name, NIGHT)).not.toMatch(/NaN|undefined/)
  })
})
