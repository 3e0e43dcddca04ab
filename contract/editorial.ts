import Type, { type Static } from 'typebox'
import { AudioBookCard } from './catalogue.ts'
import { embedded, Ids, Instant, NullableInteger, NullableString, nullable, paging, Slug } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'

export const EDITORIAL_PAGE = 5

export const EditorialAuthor = Type.Object({
  firstName: Type.String(),
  lastName: Type.String(),
  image: NullableString,
  biography: NullableString,
})
export const EditorialCategory = Type.Object({ name: Type.String() })
export const MurmurationType = embedded('MurmurationType', { id: Type.Integer(), title: Type.String() })

/**
 * Whether audio, video and link are available: `open` to everyone, `member` for members only, `upgrade` if the reader's
 * plan is below the item's `minimumTier` (OP-16). The answer does not contain unavailable ones.
 */
export const Access = Type.Union([Type.Literal('open'), Type.Literal('member'), Type.Literal('upgrade')])

/** The fields of a list entry; a full item has them too. `image` is a WebP URL like a cover's `-900.webp`. */
const cardFields = {
  id: Type.Integer(),
  slug: Slug,
  title: Type.String(),
  summary: Type.String(),
  shortDescription: Type.String(),
  image: NullableString,
  imagePlaceholder: NullableString,
  altText: Type.String(),
  featured: Type.Boolean(),
  memberOnly: Type.Boolean(),
  minimumTier: nullable(Type.Union([Type.Literal('supporter'), Type.Literal('reader')])),
  hideAuthor: Type.Boolean(),
  /** Null if the author is hidden (EDIT-10). */
  author: nullable(EditorialAuthor),
  category: nullable(EditorialCategory),
  type: nullable(MurmurationType),
  publishedAt: Instant,
  startsAt: nullable(Instant),
  hasAudio: Type.Boolean(),
  hasVideo: Type.Boolean(),
}

export const ArticleCard = embedded('Article', { entityType: Type.Literal('article'), ...cardFields })
export const InterviewCard = embedded('Interview', { entityType: Type.Literal('interview'), ...cardFields })
export const DiscussionCard = embedded('Discussion', {
  entityType: Type.Literal('discussion'),
  ...cardFields,
})
export type EditorialCard =
  | Static<typeof ArticleCard>
  | Static<typeof InterviewCard>
  | Static<typeof DiscussionCard>

const itemFields = {
  ...cardFields,
  /** Sanitised HTML; complete for every reader (EDIT-05). */
  main: Type.String(),
  access: Access,
  /** Null unless `access` is `open`. `audioFile` is signed if the item is for members. */
  audioFile: NullableString,
  audioSeconds: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  videoLink: NullableString,
  link: NullableString,
  linkTitle: NullableString,
  endsAt: nullable(Instant),
  /** An event is over. The answer may be cached, so that an app knows it earlier. */
  over: Type.Boolean(),
  place: NullableString,
  placeNote: NullableString,
  /** What it costs to come, in words. */
  admission: NullableString,
  goodToKnow: Type.Array(Type.String()),
  /** How many there are; null if the shop keeps none for it (`contract/seats.ts`). */
  seats: NullableInteger,
  backgroundColour: NullableString,
  containerColour: NullableString,
  textColour: NullableString,
  /** Parts of the recording, in its order. */
  parts: Type.Array(Type.Object({ seconds: Type.Integer({ minimum: 0 }), title: Type.String() })),
  metaDescription: NullableString,
  metaKeywords: NullableString,
  relatedBooks: Type.Array(AudioBookCard),
}
export const Article = item('Article', { entityType: Type.Literal('article'), ...itemFields })
export const Interview = item('Interview', { entityType: Type.Literal('interview'), ...itemFields })
export const Discussion = item('Discussion', { entityType: Type.Literal('discussion'), ...itemFields })
export type EditorialItem = Static<typeof Article> | Static<typeof Interview> | Static<typeof Discussion>

/** Exactly one of the three is set (ENT-04). */
export const Murmuration = embedded('Murmuration', {
  article: nullable(ArticleCard),
  interview: nullable(InterviewCard),
  discussion: nullable(DiscussionCard),
})
export type Murmuration = Static<typeof Murmuration>

const list = Type.Object(paging(EDITORIAL_PAGE))
/** `{id}` is the slug. */
const BySlug = Type.Object({ id: Type.String({ maxLength: 160 }) })

export const listArticles = endpoint({
  method: 'GET',
  path: '/api/articles',
  summary: 'Articles, newest first',
  access: 'public',
  part: 'journal',
  query: list,
  reply: collection(ArticleCard),
})
export const getArticle = endpoint({
  method: 'GET',
  path: '/api/articles/{id}',
  summary: 'One article',
  access: 'public',
  part: 'journal',
  params: BySlug,
  reply: Article,
})
export const listInterviews = endpoint({
  method: 'GET',
  path: '/api/interviews',
  summary: 'Podcasts, newest first',
  access: 'public',
  part: 'journal',
  query: list,
  reply: collection(InterviewCard),
})
export const getInterview = endpoint({
  method: 'GET',
  path: '/api/interviews/{id}',
  summary: 'One podcast',
  access: 'public',
  part: 'journal',
  params: BySlug,
  reply: Interview,
})
export const listDiscussions = endpoint({
  method: 'GET',
  path: '/api/discussions',
  summary: 'Events, newest first',
  access: 'public',
  part: 'journal',
  query: list,
  reply: collection(DiscussionCard),
})
export const getDiscussion = endpoint({
  method: 'GET',
  path: '/api/discussions/{id}',
  summary: 'One event',
  access: 'public',
  part: 'journal',
  params: BySlug,
  reply: Discussion,
})

const Kind = Type.Union([Type.Literal('articles'), Type.Literal('interviews'), Type.Literal('discussions')])

/**
 * For results whose title doesn't have a word of the keyword, but whose text does: the part of the text around it, by
 * the result's id.
 */
export const Excerpts = Type.Record(Type.String(), Type.String())

/** All three kinds; `search[]` selects kinds, `types` selects murmuration types (API-40). Also the article search. */
export const listMurmurations = endpoint({
  method: 'GET',
  path: '/api/murmurations',
  summary: 'Articles, podcasts and events together',
  access: 'public',
  part: 'journal',
  query: Type.Object({
    ...paging(EDITORIAL_PAGE),
    keyword: Type.Optional(Type.String({ maxLength: 200 })),
    'search[]': Type.Optional(Type.Array(Kind)),
    sort: Type.Optional(
      Type.Union([Type.Literal('publishedAt'), Type.Literal('relevance'), Type.Literal('title')]),
    ),
    direction: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
    types: Type.Optional(Ids),
  }),
  reply: Type.Object({
    ...collection(Murmuration).properties,
    /** For a keyword. */
    excerpts: Type.Optional(Excerpts),
    /** For a keyword without results: the corrected keyword. */
    didYouMean: Type.Optional(NullableString),
  }),
})
export const listMurmurationTypes = endpoint({
  method: 'GET',
  path: '/api/types/murmurations',
  summary: 'Murmuration types',
  access: 'public',
  part: 'journal',
  reply: collection(MurmurationType),
})

const RelatedKind = Type.Object({ slug: Type.String({ maxLength: 160 }) })
export const listRelatedEditorial = endpoint({
  method: 'GET',
  path: '/api/audio_books/{slug}/murmurations',
  summary: 'What has been written about a book',
  access: 'public',
  part: 'journal',
  params: RelatedKind,
  reply: collection(Murmuration),
})
