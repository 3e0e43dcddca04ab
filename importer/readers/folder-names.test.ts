import { expect, test } from 'vitest'
import { describePlace } from './title-folder.ts'
import { describeNfo } from './sidecar-files.ts'

test.each([
  ['A/S/6. Ebb', 'Ebb', '6'],
  ['A/S/Ebb - A Tale - Vol 12', 'Ebb - A Tale', '12'],
  ['A/S/Vol. 3 Ebb', 'Ebb', '3'],
  ['A/S/0.5 - Ebb', 'Ebb', '0.5'],
  ['A/S/101 Nights', '101 Nights', undefined],
  ['Shelf/A/S/02 - Ebb', 'Ebb', '2'],
])('listening: the folder %s is the title %s', (path, title, number) => {
  expect(describePlace(path)).toMatchObject({ title, authors: ['A'], series: [{ name: 'S', number }] })
})

test('listening: an unknown .nfo supplies only the fields that it has', () => {
  expect(describeNfo('A note: see http://example.org\nDrawn by: nobody')).toEqual({
    ...{ title: undefined, subtitle: undefined, authors: [], narrators: [], publisher: undefined },
    ...{ published: undefined, language: undefined, series: [], tags: [], description: undefined },
  })
})
