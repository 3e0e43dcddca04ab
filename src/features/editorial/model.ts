import type { EditorialCard, EditorialItem, Murmuration } from '#contract/editorial.ts'
import { addressesOf } from '#features/catalogue/model.ts'
import type { CoverPicture } from '#ui/Cover.tsx'
import { titleTheme, type TitleTheme } from '#ui/title-theme.ts'

export const EDITORIAL_KINDS = ['articles', 'interviews', 'discussions'] as const
export type EditorialKind = (typeof EDITORIAL_KINDS)[number]

/** Names of each kind on the screen (EDIT-01). */
export const KIND_WORDS: Readonly<Record<EditorialKind, { title: string; one: string; lead: string }>> = {
  articles: {
    title: 'Articles',
    one: 'Article',
    lead: 'Essays from the shop: on reading aloud, and on what stays when the voice stops.',
  },
  interviews: {
    title: 'Podcasts',
    one: 'Podcast',
    lead: 'Writers and readers, recorded in rooms with good acoustics.',
  },
  discussions: {
    title: 'Events',
    one: 'Event',
    lead: 'Evenings in the shop and online. Bring a book, or just an ear.',
  },
}

export const kindOf = ({ entityType }: Pick<EditorialCard, 'entityType'>): EditorialKind =>
  entityType === 'article' ? 'articles' : entityType === 'interview' ? 'interviews' : 'discussions'

export const itemIn = ({ article, interview, discussion }: Murmuration): EditorialCard | null =>
  article ?? interview ?? discussion

/** As props of `<Link>`. */
export const linkTo = (item: Pick<EditorialCard, 'entityType' | 'slug'>) => linkOf(kindOf(item), item.slug)

export function linkOf(kind: EditorialKind, slug: string) {
  const params = { slug }
  if (kind === 'articles') return { to: '/articles/$slug', params } as const
  return kind === 'interviews'
    ? ({ to: '/interviews/$slug', params } as const)
    : ({ to: '/discussions/$slug', params } as const)
}

/** The colours of its picture, else those of the first book that it is about. */
export function itemTheme({ relatedBooks: [book], ...item }: EditorialItem): TitleTheme {
  if (item.backgroundColour || !book)
    return titleTheme(item.backgroundColour, item.containerColour, item.textColour)
  return titleTheme(book.bookBackgroundColour, book.containerBackgroundColour, book.textColour)
}

export const authorOf = ({ author }: Pick<EditorialCard, 'author'>): string =>
  author ? `${author.firstName} ${author.lastName}`.trim() : ''

/** Pictures are 3 by 2; their files are named like those of covers. */
export function pictureOf(item: Pick<EditorialCard, 'image' | 'imagePlaceholder'>): CoverPicture | undefined {
  if (!item.image) return undefined
  return {
    ...addressesOf(item.image.replace(/-900\.webp$/, '-330.webp'), item.image),
    width: 900,
    height: 600,
    ...(item.imagePlaceholder ? { placeholder: item.imagePlaceholder } : {}),
  }
}

export type Video =
  | { kind: 'embed'; address: string }
  | { kind: 'link'; address: string }
  | { kind: 'invalid' }

/**
 * What to do with a video link (EDIT-06). Links to the known hosts are embedded by an address that we build; other
 * addresses that contain their names become plain links.
 */
export function videoOf(link: string): Video {
  const url = parsed(link)
  if (!url || !/vimeo|youtu/i.test(link)) return { kind: 'invalid' }
  const host = url.hostname.replace(/^(www|m)\./, '')
  const youtube =
    host === 'youtu.be'
      ? url.pathname.slice(1)
      : host === 'youtube.com' || host === 'youtube-nocookie.com'
        ? (url.searchParams.get('v') ?? /^\/(?:embed|shorts|live)\/([^/]+)/.exec(url.pathname)?.[1] ?? '')
        : undefined
  if (youtube !== undefined && /^[\w-]{5,20}$/.test(youtube))
    return { kind: 'embed', address: `https://www.youtube-nocookie.com/embed/${youtube}` }
  // Unlisted films need the key after their number.
  const [, vimeo, word] =
    (host === 'vimeo.com' || host === 'player.vimeo.com'
      ? /^(?:\/.*\/videos?|\/channels\/[^/]+|\/video)?\/(\d+)(?:\/([\da-f]+))?\/?$/.exec(url.pathname)
      : null) ?? []
  const key = word ?? url.searchParams.get('h')
  if (vimeo)
    return {
      kind: 'embed',
      address: `https://player.vimeo.com/video/${vimeo}${/^[\da-f]+$/.test(key ?? '') ? `?h=${key}` : ''}`,
    }
  return { kind: 'link', address: url.href }
}

function parsed(link: string): URL | undefined {
  try {
    const url = new URL(link)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
  } catch {
    return undefined
  }
}
