import { type CompositionName, compositionsFor, type Subject } from './covers/choose-composition.ts'
import { isDeliverable, type DesiredBook, type Plan, type PlannedCover } from './desired.ts'
import type { Format, FoundTitle, FoundEbook } from './found.ts'
import { ImportRefused } from './refused.ts'
import { fullName, slugOf } from '#server/features/catalogue/names.ts'
import { lengthOf, plannedPrice, publishedAt, plannedState } from './plan-fields.ts'
import { byName, missing, type PlannedSound, planSound } from './plan-chapters.ts'
import { saidOf } from './plan-sources.ts'
import { isbnIn } from './catalogue/isbn.ts'
import { cover, thumbnail } from './covers/draw-cover.ts'
import { coloursFor } from './covers/palette.ts'
import { coverId } from './covers/render.ts'

/** Paths of the shop's own lists (docs/product.md, Names and addresses). */
const RESERVED = new Set(['latest', 'second_editions', 'claim', 'tag_related', 'zip'])

export interface OfShop {
  /** In the demo a sample is enough for an audiobook to be sold. */
  readonly demo?: boolean | undefined
  /** In per cent. */
  readonly memberDiscount?: number | undefined
}

/** Pure. @throws `ImportRefused` with all reasons at once */
export function planTitle(
  found: FoundTitle,
  compositionFor: CompositionFor = (subject) => compositionsFor(subject)[0]!,
  { demo: isDemo = false, memberDiscount }: OfShop = {},
): Plan {
  const { book } = found
  const first = found.sounds.find(({ tags }) => tags.album) ?? found.sounds[0]
  const warnings = [...found.warnings]

  const isAudio = book?.audiobook !== undefined || hasChapters(found)
  const isEbook = book?.ebook !== undefined || hasEpub(found)
  if (!isAudio && !isEbook)
    throw new ImportRefused(
      found.otherFormats?.[0]
        ? `holds ${found.otherFormats[0]}, and no MP3, M4B or EPUB file: convert it to one of these.`
        : 'holds no MP3, M4B or EPUB file, and no book.json says what it is.',
    )

  const sound: PlannedSound = isAudio ? planSound(found) : { chapters: [], sample: undefined, warnings: [] }
  warnings.push(...sound.warnings)
  const epub = isEbook ? epubOf(found) : undefined

  if (book?.title === undefined && found.beside?.title === undefined) refuseAlbums(sound)
  const said = saidOf(found, first, epub)
  if (said.guessed.length > 0)
    warnings.push(`Guessed from the names of the folders: ${listed.format(said.guessed)}.`)
  const { title, authors, narrators, translator, publisher, series } = said
  const slug = slugFor(book?.slug, said.shortTitle)
  const audioPrice = isAudio ? plannedPrice('audiobook', book?.audiobook, memberDiscount) : undefined
  const ebookPrice = isEbook ? plannedPrice('ebook', book?.ebook, memberDiscount) : undefined
  const isbns = isbnsOf(found, epub, { isAudio, isEbook })
  if (isbns.warning) warnings.push(isbns.warning)
  const unpriced = new Map<Format, string>()
  if (audioPrice?.warning) unpriced.set('audio_book', audioPrice.warning)
  if (ebookPrice?.warning) unpriced.set('e_book', ebookPrice.warning)

  const state = plannedState(book)
  const nothing = { chapters: 0, hasFile: false, hasSample: false, madeAfterPurchase: false, isDemo }
  const hasSound = isDeliverable({
    ...nothing,
    chapters: sound.chapters.length,
    hasSample: sound.sample !== undefined,
    withoutFile: book?.audiobook?.withoutFile ?? false,
  })
  const hasText = isDeliverable({
    ...nothing,
    hasFile: epub !== undefined,
    madeAfterPurchase: book?.ebook?.madeAfterPurchase ?? false,
    withoutFile: book?.ebook?.withoutFile ?? false,
  })
  if (state === 'on-sale' && book?.preorder === undefined) {
    if (isAudio && !hasSound) warnings.push(lacks('audiobook', 'sound'))
    if (isEbook && !hasText) warnings.push(lacks('ebook', 'text'))
  }

  const measured = sound.chapters.reduce((sum, chapter) => sum + chapter.sound.durationMs, 0)
  const author = authors.map(fullName).join(', ')
  const cover = planCover({
    found,
    subject: { slug, title, tags: said.tags, locations: book?.locations ?? [] },
    author,
    epub,
    isAudio,
    isEbook,
    compositionFor,
  })

  const shared = {
    slug,
    title,
    state,
    preorder: book?.preorder ?? null,
    embargoed: book?.embargoed ?? false,
    blockedCountries: [...new Set(book?.blockedCountries)].sort(),
    violence: book?.violence ?? false,
    summary: said.summary,
    sampleText: book?.sampleText || null,
    booksellerWords: book?.bookseller?.words ?? null,
    booksellerName: book?.bookseller?.name ?? null,
    coverAlt: author ? `Cover of ${title} by ${author}` : `Cover of ${title}`,
    ...cover.colours,
    publisherBookLink: book?.publisherBook?.link ?? null,
    publisherBookName: book?.publisherBook?.name ?? null,
    metaDescription: book?.metaDescription || null,
    metaKeywords: book?.metaKeywords || null,
    firstPublished: said.firstPublished,
    language: said.language,
    style: book?.style ?? null,
    category: book?.category ?? null,
    publisher: publisher?.slug ?? null,
    translator: translator ? fullName(translator) : null,
    authors: authors.map(fullName),
    locations: [...new Set(book?.locations)].sort(),
    tags: said.tags,
    series: series.map(({ title: _title, ...place }) => place),
  }
  // Highlights show the audiobook; the e-book only if there is no audiobook.
  const shelves = {
    edition: book?.edition ?? false,
    secondEdition: book?.currentHighlight ?? false,
    memoir: book?.memoir ?? false,
    writersDilemma: book?.writersDilemma ?? false,
    featuredPosition: book?.featuredPosition ?? null,
  }
  const noShelves = {
    edition: false,
    secondEdition: false,
    memoir: false,
    writersDilemma: false,
    featuredPosition: null,
  }

  const books: DesiredBook[] = []
  if (isAudio && audioPrice)
    books.push({
      ...shared,
      ...shelves,
      format: 'audio_book',
      ...publishedAt(audioPrice, state),
      deliverable: hasSound,
      coverId: cover.idOf('audio_book'),
      availableAsCard: book?.audiobook?.availableAsCard ?? false,
      hideDownload: book?.audiobook?.hideDownload ?? false,
      lengthMinutes: lengthOf(book?.audiobook, measured),
      pages: null,
      accessibility: [],
      accessibilitySummary: null,
      spiSin: book?.audiobook?.spiSIN ?? null,
      isbn: isbns.audiobook,
      narrators: narrators.map(fullName),
      sampleId: sound.sample?.sha256 ?? null,
      fileId: null,
      madeAfterPurchase: false,
      downloadable: true,
      chapters: sound.chapters.map((chapter) => ({
        title: chapter.title,
        durationMs: chapter.sound.durationMs,
        soundId: chapter.sound.sha256,
      })),
    })
  if (isEbook && ebookPrice)
    books.push({
      ...shared,
      ...(isAudio ? noShelves : shelves),
      format: 'e_book',
      ...publishedAt(ebookPrice, state),
      deliverable: hasText,
      coverId: cover.idOf('e_book'),
      availableAsCard: false,
      hideDownload: false,
      lengthMinutes: null,
      pages: book?.ebook?.pages ?? null,
      accessibility: epub?.accessibility.codes ?? [],
      accessibilitySummary: epub?.accessibility.summary ?? null,
      spiSin: null,
      isbn: isbns.ebook,
      narrators: [],
      sampleId: null,
      fileId: epub?.sha256 ?? null,
      madeAfterPurchase: book?.ebook?.madeAfterPurchase ?? false,
      downloadable: book?.ebook?.downloadable ?? true,
      chapters: [],
    })

  return {
    slug,
    isOwnSlug: book?.slug !== undefined,
    title,
    books,
    people: [...authors, ...narrators, ...(translator ? [translator] : [])],
    publisher,
    series: series.map(({ slug: address, title: name }) => ({ slug: address, title: name })),
    files: [
      ...sound.chapters.map((chapter) => chapter.sound),
      ...(sound.sample ? [sound.sample] : []),
      ...(epub ? [{ ...epub, extension: 'epub' as const, durationMs: null }] : []),
    ].map(({ path, sha256, bytes, extension, durationMs }) => ({
      path,
      sha256,
      bytes,
      extension,
      durationMs,
    })),
    covers: cover.covers,
    captions: new Map(
      [...sound.chapters.map((chapter) => chapter.sound), ...(sound.sample ? [sound.sample] : [])].flatMap(
        ({ sha256, captions }) => (captions ? [[sha256, captions]] : []),
      ),
    ),
    unpriced,
    warnings,
  }
}

const hasChapters = ({ sounds, broken }: FoundTitle): boolean =>
  sounds.some(({ name }) => !/^sample\./i.test(name)) ||
  [...broken.keys()].some((name) => /\.(mp3|m4a|m4b)$/i.test(name))

const hasEpub = ({ ebooks, broken }: FoundTitle): boolean =>
  ebooks.length > 0 || [...broken.keys()].some((name) => /\.epub$/i.test(name))

const lacks = (format: 'audiobook' | 'ebook', what: string): string =>
  `No ${what}: the ${format === 'ebook' ? 'e-book' : format} is listed but not sold. Add its files, or say in book.json when it comes out ("preorder") or that you sell it without (${format}.withoutFile).`

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** Several albums would be sold as one title. */
function refuseAlbums({ chapters }: PlannedSound): void {
  const albums = new Map<string, string>()
  for (const { sound } of chapters) {
    const album = sound.tags.album && withoutDisc(sound.tags.album)
    if (album && !albums.has(album.toLowerCase())) albums.set(album.toLowerCase(), album)
  }
  if (albums.size > 1)
    throw new ImportRefused(
      `holds sound of several albums: ${[...albums.values()].join(', ')}. Give each title a folder of its own, or say in book.json what the "title" of all of it is.`,
    )
}

/** `The Hobbit (CD 2)` belongs to the album `The Hobbit`. */
const withoutDisc = (album: string): string =>
  album
    .replace(/[\s,:;([–—-]*\b(?:cd|dis[ck]|part|side|tape)[\s.#]*\d+(?:\s*(?:of|\/)\s*\d+)?[)\]]?\s*$/i, '')
    .trim()

function epubOf(found: FoundTitle) {
  const asked = found.book?.ebook?.file
  if (asked !== undefined) {
    const epub = byName(found.ebooks, asked)
    if (!epub) throw new ImportRefused(missing(found, asked))
    return epub
  }
  const problems = [...found.broken].filter(([name]) => /\.epub$/i.test(name))
  if (problems.length > 0) throw new ImportRefused(...problems.map(([name, why]) => `${name} ${why}.`))
  if (found.ebooks.length > 1)
    throw new ImportRefused(
      `holds ${found.ebooks.length} EPUB files: name the one to sell in book.json as ebook.file.`,
    )
  return found.ebooks[0]
}

function slugFor(given: string | undefined, title: string): string {
  const slug = given ?? slugOf(title)
  if (!slug) throw new ImportRefused(`No address can be made from “${title}”: give it a "slug" in book.json.`)
  if (RESERVED.has(slug))
    throw new ImportRefused(
      `“${slug}” is one of the shop’s own addresses: give the title another "slug" in book.json.`,
    )
  if (slug.includes('_'))
    throw new ImportRefused(`"slug" in book.json has hyphens, no underscores: ${slug.replaceAll('_', '-')}`)
  return slug
}

interface Isbns {
  readonly audiobook: string | null
  readonly ebook: string | null
  readonly warning?: string
}

/**
 * With two formats, the other files of the folder do not say which one their ISBN means.
 * @throws `ImportRefused` for a mistyped ISBN in `book.json`
 */
export function isbnsOf(
  { book, beside }: Pick<FoundTitle, 'book' | 'beside'>,
  epub: Pick<FoundEbook, 'isbn'> | undefined,
  { isAudio, isEbook }: { isAudio: boolean; isEbook: boolean },
): Isbns {
  const own = { audiobook: ownOf('audiobook', book?.audiobook), ebook: ownOf('ebook', book?.ebook) }
  const told = beside?.isbn
  const isOfEbook = told !== undefined && told === epub?.isbn
  const isOpen = isAudio && isEbook && !isOfEbook && !own.audiobook && !own.ebook
  return {
    audiobook: own.audiobook ?? (isEbook ? null : (told ?? null)),
    ebook: own.ebook ?? (isAudio ? undefined : told) ?? epub?.isbn ?? null,
    ...(told && isOpen
      ? {
          warning: `The ISBN ${told} may be the audiobook’s or the e-book’s, so it is left out: give audiobook.isbn or ebook.isbn in book.json.`,
        }
      : {}),
  }
}

function ownOf(name: string, given: { isbn?: string } | undefined): string | undefined {
  const isbn = isbnIn(given?.isbn)
  if (given?.isbn !== undefined && isbn === undefined)
    throw new ImportRefused(
      `${name}.isbn ${given.isbn} in book.json is mistyped: its last digit does not fit.`,
    )
  return isbn
}

interface CoverFor {
  readonly found: FoundTitle
  readonly subject: Subject
  readonly author: string
  readonly epub: FoundEbook | undefined
  readonly isAudio: boolean
  readonly isEbook: boolean
  readonly compositionFor: CompositionFor
}

/** Called once for a title: its formats share a drawing. */
export type CompositionFor = (subject: Subject) => CompositionName

export function planCover({ found, subject, author, epub, isAudio, isEbook, compositionFor }: CoverFor) {
  const embedded = found.sounds.find(({ tags }) => tags.picture)?.tags.picture
  const pictures: Record<Format, Uint8Array | undefined> = {
    audio_book: found.cover ?? embedded ?? epub?.cover,
    e_book: found.ebookCover ?? epub?.cover ?? found.cover,
  }
  const formats: Format[] = [
    ...(isAudio ? (['audio_book'] as const) : []),
    ...(isEbook ? (['e_book'] as const) : []),
  ]
  const drawn = formats.some((format) => !pictures[format])
  const given = found.book?.colours
  const colours = drawn && !given?.background ? coloursFor(subject.slug) : given

  const composition = drawn ? compositionFor(subject) : undefined

  const covers = formats.map((format): PlannedCover => {
    const picture = pictures[format]
    if (picture) return { format, id: coverId({ picture }), source: { picture }, composition: undefined }
    const drawing = { ...subject, author, format, colours: colours ?? {}, composition }
    const source = { picture: Buffer.from(cover(drawing)), thumbnail: Buffer.from(thumbnail(drawing)) }
    return { format, id: coverId(source), source, composition }
  })
  return {
    covers,
    colours: {
      backgroundColour: colours?.background ?? null,
      containerColour: colours?.container ?? null,
      textColour: colours?.text ?? null,
    },
    idOf: (format: Format): string => covers.find((each) => each.format === format)!.id,
  }
}
