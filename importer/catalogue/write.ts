import { basename } from 'node:path'
import type { Transaction } from '#server/db/open.ts'
import { coloursFor } from '../covers/palette.ts'
import { nameKey, slugOf } from '#server/features/catalogue/names.ts'
import { changedValues, type FieldValues } from '#server/features/catalogue/owners-fields.ts'
import {
  selectFieldValues,
  updateSourceValues,
  writeFieldValues,
} from '#server/features/catalogue/owners-fields-queries.ts'
import { coverAltOf, identityOf } from './entry.ts'
import {
  type BookColumns,
  insertBooks,
  insertPeopleOfBooks,
  insertPictureSteps,
  insertSeriesOfBooks,
  insertWordsOfBooks,
  linkFormats,
  type Named,
  type SeriesOfBook,
  updateBooks,
} from './queries.ts'
import type { Decided } from './resolve-entries.ts'
import { peopleIds, publisherIds, seriesIds, wordIds } from './words.ts'

export async function writeBatch(
  tx: Transaction,
  batch: readonly Decided[],
  { now, file }: { readonly now: Date; readonly file: string },
): Promise<void> {
  if (batch.length === 0) return
  const entries = batch.map(({ entry }) => entry)
  const languages = await wordIds(
    tx,
    'languages',
    entries.map(({ language }) => language),
  )
  const styles = await wordIds(
    tx,
    'styles',
    entries.map(({ style }) => style),
  )
  const categories = await wordIds(
    tx,
    'categories',
    entries.map(({ category }) => category),
  )
  const locations = await wordIds(
    tx,
    'locations',
    entries.flatMap((entry) => entry.locations),
  )
  const tags = await wordIds(
    tx,
    'tags',
    entries.flatMap((entry) => entry.tags),
  )
  const publishers = await publisherIds(
    tx,
    entries.map(({ publisher }) => publisher),
  )
  const people = await peopleIds(
    tx,
    entries.flatMap(({ authors, narrators, translator }) => authors.concat(narrators, translator ?? [])),
  )
  const series = await seriesIds(
    tx,
    entries.flatMap((entry) => entry.series ?? []),
  )
  const of = (ids: ReadonlyMap<string, number>, word: string | null) =>
    word === null ? null : (ids.get(word) ?? null)

  const columns = batch.map(({ entry, slug, hash, existing }): BookColumns => {
    const colours = coloursFor(slug)
    return {
      id: existing?.id ?? null,
      format: entry.format,
      slug,
      title: entry.title,
      // A row without a number keeps the stored one.
      isbn: entry.isbn ?? existing?.isbn ?? null,
      source_id: entry.sourceId ?? existing?.sourceId ?? null,
      imported_from: `${basename(file)}#${identityOf(entry)}`,
      price_minor: entry.priceMinor,
      member_price_minor: entry.memberPriceMinor,
      published: entry.published,
      priced_by_owner: entry.pricedByOwner ?? false,
      withheld: entry.withheld ?? false,
      state: entry.state ?? 'on-sale',
      preorder: entry.preorder ?? null,
      without_file: entry.withoutFile ?? false,
      blocked_countries: entry.blockedCountries,
      summary: entry.summary,
      cover_alt: coverAltOf(entry),
      background_colour: colours.background!,
      container_colour: colours.container!,
      text_colour: colours.text!,
      meta_keywords: entry.metaKeywords,
      first_published: entry.firstPublished,
      length_minutes: entry.lengthMinutes,
      pages: entry.pages,
      accessibility: entry.accessibility?.codes ?? [],
      accessibility_summary: entry.accessibility?.summary ?? null,
      language_id: of(languages, entry.language),
      translator_id: entry.translator ? of(people, nameKey(entry.translator)) : null,
      publisher_id: entry.publisher ? of(publishers, slugOf(entry.publisher)) : null,
      category_id: of(categories, entry.category),
      style_id: of(styles, entry.style),
      import_hash: hash,
    }
  })
  const owned = new Map<number, FieldValues>()
  for (const { existing } of batch)
    if (existing && existing.setByOwner.length > 0)
      owned.set(existing.id, pick((await selectFieldValues(tx, existing.id)) ?? {}, existing.setByOwner))
  await updateBooks(
    tx,
    columns.filter(({ id }) => id !== null),
    now,
  )
  const made = await insertBooks(
    tx,
    columns.filter(({ id }) => id === null),
    now,
  )

  const named: Named[] = []
  const tagged: [number, number][] = []
  const placed: [number, number][] = []
  const pictures: [number, string][] = []
  const inSeries: SeriesOfBook[] = []
  const ids: number[] = []
  for (const { entry, slug, existing } of batch) {
    const bookId = existing?.id ?? made.get(`${entry.format}/${slug}`)!
    ids.push(bookId)
    for (const [role, persons] of [
      ['author', entry.authors],
      ['narrator', entry.narrators],
    ] as const)
      for (const [position, person] of persons.entries())
        named.push({ bookId, role, position, personId: people.get(nameKey(person))! })
    for (const tag of entry.tags) tagged.push([bookId, tags.get(tag)!])
    for (const place of entry.locations) placed.push([bookId, locations.get(place)!])
    for (const [position, { slug: address, title: _title, ...place }] of (entry.series ?? []).entries())
      inSeries.push({ book_id: bookId, series_id: series.get(address)!, position, ...place })
    for (const picture of entry.pictures) pictures.push([bookId, picture])
  }
  await insertPeopleOfBooks(tx, named)
  await insertWordsOfBooks(tx, 'tag', tagged)
  await insertWordsOfBooks(tx, 'location', placed)
  await insertSeriesOfBooks(tx, inSeries)
  await insertPictureSteps(tx, pictures)
  await linkFormats(tx, ids)
  for (const [bookId, values] of owned) await keepOwnersFields(tx, bookId, values)
}

const pick = (values: FieldValues, fields: readonly string[]): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)))

/** Writes back what the owner set, and stores what the row says. A price and texts were left alone in SQL. */
async function keepOwnersFields(tx: Transaction, bookId: number, values: FieldValues): Promise<void> {
  const says = pick((await selectFieldValues(tx, bookId)) ?? {}, Object.keys(values))
  const changed = changedValues(says, values)
  if (Object.keys(changed).length === 0) return
  await updateSourceValues(tx, bookId, pick(says, Object.keys(changed)))
  await writeFieldValues(tx, bookId, changed)
}
