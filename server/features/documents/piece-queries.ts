import { asc, eq, sql } from 'drizzle-orm'
import { type Missing, PieceContent } from '#contract/office/documents.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'
import { bookEditorial, editorialAuthors } from '../../db/schema/editorial.ts'
import { covers, mediaFiles } from '../../db/schema/media.ts'
import type { EditorialKind } from '../editorial/queries.ts'
import { findOrInsertTerm, hideItem, selectItem, writeItem } from '../editorial/write-queries.ts'
import { type DocumentType, isAddress, isBlank } from './document-type.ts'
import { htmlOf, missingPictures } from './picture-queries.ts'

const PATHS = { article: 'articles', interview: 'interviews', discussion: 'discussions' } as const

export const pieceType = (kind: EditorialKind): DocumentType<PieceContent> => ({
  schema: PieceContent,
  read: (db, key) => readPiece(db, kind, key),
  write: (db, key, content, at) => writePiece(db, kind, key, content, at),
  remove: (db, key) => hideItem(db, kind, key),
  missing: (db, content) => missingOf(db, kind, content),
  titleOf: ({ title }) => title,
  addressOf: (key) => `/${PATHS[kind]}/${key}`,
})

export const emptyPiece = (title: string): PieceContent => ({
  title,
  summary: '',
  shortDescription: '',
  body: '',
  author: null,
  hideAuthor: false,
  category: null,
  type: null,
  books: [],
  featured: false,
  special: false,
  memberOnly: false,
  minimumTier: null,
  pictureId: null,
  altText: '',
  audioId: null,
  parts: null,
  videoLink: null,
  link: null,
  linkTitle: null,
  metaDescription: null,
  metaKeywords: null,
  publishedAt: null,
  startsAt: null,
  endsAt: null,
  place: null,
  placeNote: null,
  admission: null,
  goodToKnow: [],
  seats: null,
  colours: { background: null, container: null, text: null },
})

async function readPiece(db: Db, kind: EditorialKind, slug: string) {
  const row = await selectItem(db, kind, slug)
  if (!row) return undefined
  const linked = await db
    .select({ slug: books.slug })
    .from(bookEditorial)
    .innerJoin(books, eq(books.id, bookEditorial.bookId))
    .where(eq(bookEditorial.itemId, row.item.id))
    .orderBy(asc(bookEditorial.position), asc(books.id))
  const { item, author, category, type } = row
  const { htmlToMarkdown } = await import('./html-to-markdown.ts')
  const content: PieceContent = {
    title: item.title,
    summary: item.summary,
    shortDescription: item.shortDescription,
    body: htmlToMarkdown(item.main),
    author,
    hideAuthor: item.hideAuthor,
    category,
    type,
    books: [...new Set(linked.map((book) => book.slug))],
    featured: item.featured,
    special: item.special,
    memberOnly: item.memberOnly,
    minimumTier: item.minimumTier,
    pictureId: item.pictureId,
    altText: item.altText,
    audioId: item.audioId,
    parts: item.parts && [...item.parts],
    videoLink: item.videoLink,
    link: item.link,
    linkTitle: item.linkTitle,
    metaDescription: item.metaDescription,
    metaKeywords: item.metaKeywords,
    publishedAt: item.publishedAt.toISOString(),
    startsAt: item.startsAt?.toISOString() ?? null,
    endsAt: item.endsAt?.toISOString() ?? null,
    place: item.place,
    placeNote: item.placeNote,
    admission: item.admission,
    goodToKnow: item.goodToKnow,
    seats: item.seats,
    colours: {
      background: item.backgroundColour,
      container: item.containerColour,
      text: item.textColour,
    },
  }
  return { content, isShown: item.published }
}

async function writePiece(
  db: Db,
  kind: EditorialKind,
  slug: string,
  content: PieceContent,
  at: RealTime,
): Promise<void> {
  const {
    body,
    author,
    category,
    type,
    books: slugs,
    colours,
    publishedAt,
    startsAt,
    endsAt,
    ...same
  } = content
  const [by] =
    author === null
      ? []
      : await db
          .select({ id: editorialAuthors.id })
          .from(editorialAuthors)
          .where(eq(editorialAuthors.nameKey, author))
  await writeItem(
    db,
    { kind, slug },
    {
      ...same,
      minimumTier: same.memberOnly ? same.minimumTier : null,
      main: await htmlOf(db, body),
      published: true,
      authorId: by?.id ?? null,
      categoryId: category === null ? null : await findOrInsertTerm(db, 'editorial_categories', category),
      typeId: type === null ? null : await findOrInsertTerm(db, 'murmuration_types', type),
      publishedAt: publishedAt === null ? at : new Date(publishedAt),
      startsAt: startsAt === null ? null : new Date(startsAt),
      endsAt: endsAt === null ? null : new Date(endsAt),
      backgroundColour: colours.background,
      containerColour: colours.container,
      textColour: colours.text,
    },
    slugs,
  )
}

async function missingOf(db: Db, kind: EditorialKind, content: PieceContent) {
  const { title, body, author, hideAuthor, shortDescription, summary, pictureId, altText, link, startsAt } =
    content
  const known = new Set(
    content.books.length === 0
      ? []
      : (
          await db
            .selectDistinct({ slug: books.slug })
            .from(books)
            .where(sql`${books.slug} = any(${sql.param(content.books)}::text[])`)
        ).map(({ slug }) => slug),
  )
  return [
    ...(isBlank(title) ? [{ field: 'title', words: 'It needs a title.' }] : []),
    ...(isBlank(body) ? [{ field: 'body', words: 'There’s no text yet.' }] : []),
    ...(await missingPictures(db, body)),
    ...(isBlank(shortDescription) && isBlank(summary)
      ? [{ field: 'shortDescription', words: 'Lists show a line under the title.' }]
      : []),
    ...(author === null && !hideAuthor && kind !== 'discussion'
      ? [{ field: 'author', words: 'Say who wrote it, or hide the author.' }]
      : []),
    ...(await missingMedia(db, content)),
    ...(pictureId !== null && isBlank(altText)
      ? [{ field: 'altText', words: 'Describe the picture for people who can’t see it.' }]
      : []),
    ...(link !== null && !isAddress(link)
      ? [{ field: 'link', words: 'A link begins with https:// or /.' }]
      : []),
    ...(kind === 'discussion' && startsAt === null ? [{ field: 'startsAt', words: 'Say when it is.' }] : []),
    ...content.books
      .filter((slug) => !known.has(slug))
      .map((slug) => ({ field: 'books', words: `The shop has no title “${slug}”.` })),
  ]
}

/** A draft can name what was swept since. */
async function missingMedia(db: Db, { pictureId, audioId }: PieceContent): Promise<Missing[]> {
  const [picture] =
    pictureId === null ? [true] : await db.select().from(covers).where(eq(covers.id, pictureId))
  const [sound] =
    audioId === null ? [true] : await db.select().from(mediaFiles).where(eq(mediaFiles.sha256, audioId))
  return [
    ...(picture ? [] : [{ field: 'pictureId', words: 'The shop doesn’t have its picture any more.' }]),
    ...(sound ? [] : [{ field: 'audioId', words: 'The shop doesn’t have its recording any more.' }]),
  ]
}
