import type { Db } from '../../db/open.ts'
import type { OwnersDetails } from '../../settings/owners-details.ts'
import type { Shop } from '../../shop.ts'
import {
  selectBookAddresses,
  selectItemAddresses,
  selectPageSlugs,
  selectPeoplePieces,
  selectPeopleSlugs,
  selectPieceStarts,
} from './queries.ts'

/** The protocol allows 50,000 addresses per file; smaller files are faster to create and send. */
const PIECE = 10_000

const STANDING = [
  '/',
  '/browse',
  '/audiobooks',
  '/ebooks',
  '/editions',
  '/subscriber-selection',
  '/publishers',
  '/astonishing-memoirs',
  '/writers-dilemma',
  '/audiobooks-in-a-card',
  '/murmurations',
  '/articles',
  '/interviews',
  '/discussions',
  '/faq',
  '/subscription',
  '/gift',
  '/xmas',
]
const KINDS = { article: 'articles', interview: 'interviews', discussion: 'discussions' } as const

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

export async function sitemapIndex(db: Db, origin: string): Promise<string> {
  const [books, people] = await Promise.all([selectPieceStarts(db, PIECE), selectPeoplePieces(db, PIECE)])
  const pieces = [
    'pages',
    ...books.map((after) => `books-${after}`),
    ...people.map((after) => `people-${after}`),
  ]
  const entries = pieces.map(
    (piece) => `<sitemap><loc>${escaped(`${origin}/sitemaps/${piece}.xml`)}</loc></sitemap>`,
  )
  return `${HEAD}<sitemapindex ${NAMESPACE}>${entries.join('')}</sitemapindex>`
}

/** One part; undefined for an unknown name or an empty part, because a part must contain at least one address. */
export async function sitemapPiece(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  name: string,
): Promise<string | undefined> {
  const origin = config.publicUrl
  if (name === 'pages') return pagesPiece(db, config)
  const [, kind, after] = /^(books|people)-(\d{1,9})$/.exec(name) ?? []
  if (after === undefined) return undefined
  if (kind === 'people') {
    const slugs = await selectPeopleSlugs(db, Number(after), PIECE)
    return slugs.length > 0
      ? urlset(
          origin,
          slugs.map((slug): [string] => [`/people/${slug}`]),
        )
      : undefined
  }
  const books = await selectBookAddresses(db, Number(after), PIECE)
  if (books.length === 0) return undefined
  return urlset(
    origin,
    books.map(({ format, slug, changed }) => [
      `/${format === 'audio_book' ? 'audiobooks' : 'ebooks'}/${slug}`,
      changed,
    ]),
  )
}

async function pagesPiece(db: Db, { publicUrl: origin, details }: Shop['config']): Promise<string> {
  const [items, { pages, publishers, series }] = await Promise.all([
    selectItemAddresses(db),
    selectPageSlugs(db, details.without),
  ])
  const addresses = [
    ...STANDING.map((path): [string] => [path]),
    ...pages.map((slug): [string] => [`/info/${slug}`]),
    ...publishers.map((slug): [string] => [`/publishers/${slug}`]),
    ...series.map((slug): [string] => [`/series/${slug}`]),
    ...items.map(({ kind, slug, changed }): [string, string] => [`/${KINDS[kind]}/${slug}`, changed]),
  ]
  return urlset(
    origin,
    addresses.filter(([path]) => details.isOpen(path)),
  )
}

function urlset(origin: string, addresses: readonly (readonly [path: string, changed?: string])[]): string {
  const urls = addresses.map(
    ([path, changed]) =>
      `<url><loc>${escaped(origin + path)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}</url>`,
  )
  return `${HEAD}<urlset ${NAMESPACE}>${urls.join('')}</urlset>`
}

/** The contact for security reports (RFC 9116). Reporters ignore a file that has expired. */
export const securityContact = (origin: string, mail: string, now: Date): string =>
  [
    `Contact: mailto:${mail}`,
    `Expires: ${new Date(now.getTime() + CONTACT_VALID_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
const CONTACT_VALID_MS = 180 * 24 * 3600 * 1000

export const robots = (origin: string, details: OwnersDetails): string =>
  [
    'User-agent: *',
    ...[
      '/api/',
      '/dev/',
      '/library',
      '/downloads',
      '/orders',
      '/gifts',
      '/payment',
      '/player/',
      '/sample/',
      '/read/',
      '/settings',
      '/shopping-bag',
      '/you',
      '/subscription-',
      '/free-trial',
      '/get-',
      '/xmas-',
    ].flatMap((path) => (details.isOpen(path) ? [`Disallow: ${path}`] : [])),
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
