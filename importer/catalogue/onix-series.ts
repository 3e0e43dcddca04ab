import { type FoundSeries, givenSeries } from '../series-names.ts'
import type { Entry } from './entry.ts'
import type { OnixNode } from './onix-node.ts'

/** ONIX list 197: 03 is the order of publication, 05 the order of first publication, 04 the order of the story. */
const PUBLICATION = ['05', '03']
const STORY = ['04']
/** 02 is the order of titles, 01 the publisher's own order. */
const PRINTED = ['02', '01', ...PUBLICATION]

/**
 * The series of a product: its collections, or an element at collection level in its own title. Empty if it names none,
 * so that the hash of products that were imported earlier stays the same.
 *
 * @param line converts to plain text on one line
 */
export function seriesIn(detail: OnixNode, line: (text: string) => string): Pick<Entry, 'series'> {
  const collections = detail.all('Collection').flatMap((collection) => {
    const found = namedIn(collection, ['02', '01'], line)
    if (!found) return []
    const place = (types: readonly string[]) => numberIn(collection, types)
    const number = found.number || place(PRINTED)
    return [
      {
        name: found.name,
        ...(number ? { number } : {}),
        ...differing('published', place(PUBLICATION), number),
        ...differing('story', place(STORY), number),
      },
    ]
  })
  const inTitle = namedIn(detail, ['02', '03'], line)
  const series = givenSeries(collections.length > 0 || !inTitle ? collections : [inTitle])
  return series.length > 0 ? { series } : {}
}

/** ONIX list 149: 02 is the collection, 03 a part of a collection, 01 the product. */
function namedIn(
  node: OnixNode,
  levels: readonly string[],
  line: (text: string) => string,
): FoundSeries | undefined {
  const elements = node.all('TitleDetail', 'TitleElement')
  const element = levels
    .map((level) => elements.find((each) => each.text('TitleElementLevel') === level))
    .find(Boolean)
  const text = (name: string) => line(element?.text(name) ?? '')
  const name =
    text('TitleText') || [text('TitlePrefix'), text('TitleWithoutPrefix')].filter(Boolean).join(' ')
  if (!name) return undefined
  const number = elements.map((each) => line(each.text('PartNumber'))).find(Boolean)
  return number ? { name, number } : { name }
}

const numberIn = (collection: OnixNode, types: readonly string[]): string =>
  types
    .map((type) =>
      collection
        .all('CollectionSequence')
        .find((each) => each.text('CollectionSequenceType') === type)
        ?.text('CollectionSequenceNumber'),
    )
    // Some publishers write a hyphen for an unknown number.
    .find((number) => /\d/.test(number ?? '')) ?? ''

/** Returned only where the place differs from the printed number. */
function differing(as: 'published' | 'story', place: string, number: string) {
  const told = Number.parseFloat(place)
  return Number.isFinite(told) && told !== Number.parseFloat(number) ? { [as]: told } : {}
}
