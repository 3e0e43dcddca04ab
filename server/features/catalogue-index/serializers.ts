import type { IndexedBook, IndexedText } from '#contract/catalogue-index.ts'
import type { BookCard } from '#contract/catalogue.ts'
import type { EditorialItem } from '#contract/editorial.ts'
import type { DetailsRow } from './queries.ts'

/** `cardOf` in `contract/calculations` restores the card. */
export function indexedBook(card: BookCard, row: DetailsRow): IndexedBook {
  const colours = [card.bookBackgroundColour, card.containerBackgroundColour, card.textColour]
  return {
    id: card.id,
    ...onlyIf('eBook', card.entityType === 'eBook'),
    slug: card.slug,
    title: card.title,
    price: card.price,
    member: card.subscriptionPrice,
    ...some('cover', /([^/]+)-330\.webp$/.exec(card.cover330)?.[1]),
    ...some('alt', card.coverAlt),
    ...some('placeholder', card.coverPlaceholder),
    ...(colours.some((colour) => colour !== null) ? { colours } : {}),
    ...(card.lengthHours === null ? {} : { minutes: card.lengthHours * 60 + (card.lengthMin ?? 0) }),
    ...some('pages', card.pages),
    ...some('style', card.style?.id),
    ...some('category', card.category?.id),
    ...some('publisher', card.publisher?.id),
    ...filled('authors', row.author_ids),
    ...filled('narrators', row.narrator_ids),
    ...some('translator', row.translator_id),
    ...filled(
      'series',
      card.series.map(({ id, number }) => ({ id, number })),
    ),
    ...filled('locations', row.location_ids),
    ...filled('tags', row.tag_ids),
    ...some('other', row.other_id),
    ...onlyIf('unsold', !card.published),
    ...onlyIf('blocked', card.geoBlocked),
    ...onlyIf('edition', card.edition),
    ...onlyIf('highlighted', card.secondEdition),
    ...onlyIf('asCard', card.availableAsCard),
    ...onlyIf('inStep', card.inStep),
    ...onlyIf('memoir', row.memoir),
    ...onlyIf('writersDilemma', row.writers_dilemma),
    ...onlyIf('violence', row.violence),
    ...onlyIf('noDownload', row.no_download),
    ...some('featured', row.featured_position),
    ...some('editionPlace', row.edition_position),
    ...some('highlightPlace', row.highlight_position),
    ...some('spiSIN', row.spi_sin),
    ...some('preorder', row.preorder),
    ...some('firstPublished', row.first_published),
    ...some('language', row.language),
    ...some('keywords', row.meta_keywords),
    ...(card.bookseller && { bookseller: card.bookseller }),
    ...filled('articles', row.article_ids),
    ...some('summary', row.summary),
  }
}

export const indexedText = (item: EditorialItem): IndexedText => ({
  id: item.id,
  main: item.main,
  access: item.access,
  audioFile: item.audioFile,
  audioSeconds: item.audioSeconds,
  videoLink: item.videoLink,
  link: item.link,
  linkTitle: item.linkTitle,
  metaDescription: item.metaDescription,
  metaKeywords: item.metaKeywords,
  endsAt: item.endsAt,
  place: item.place,
  placeNote: item.placeNote,
  admission: item.admission,
  goodToKnow: item.goodToKnow,
  seats: item.seats,
  backgroundColour: item.backgroundColour,
  containerColour: item.containerColour,
  textColour: item.textColour,
  parts: item.parts,
  books: item.relatedBooks.map(({ id }) => id),
})

// Omit null and empty values but keep 0: a featured title can have position 0.

const some = <K extends string, V extends string | number>(name: K, value: V | null | undefined) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key, the given one
  (value === null || value === undefined || value === '' ? {} : { [name]: value }) as { [N in K]?: V }

const filled = <K extends string, V>(name: K, values: V[]) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key, the given one
  (values.length === 0 ? {} : { [name]: values }) as { [N in K]?: V[] }

const onlyIf = <K extends string>(name: K, is: boolean) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key, the given one
  (is ? { [name]: true } : {}) as { [N in K]?: true }
