import { isOver } from '#contract/calculations/event-time.ts'
import type { AudioBookCard } from '#contract/catalogue.ts'
import type { EditorialCard, EditorialItem, Murmuration } from '#contract/editorial.ts'
import { linkView, pictureAddress } from '../catalogue/serializers.ts'
import type { CardRow, ItemRow } from './queries.ts'
import { reaches, type Tier } from '#contract/plans.ts'

const NAMES = {
  article: { path: 'articles', type: 'Article' },
  interview: { path: 'interviews', type: 'Interview' },
  discussion: { path: 'discussions', type: 'Discussion' },
} as const

export const cardView = (row: CardRow): EditorialCard =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind that was asked for decides which it is
  ({
    '@id': `/api/${NAMES[row.kind].path}/${row.slug}`,
    '@type': NAMES[row.kind].type,
    entityType: row.kind,
    ...linkView(row),
    id: row.id,
    summary: row.summary,
    imagePlaceholder: row.placeholder,
    featured: row.featured,
    memberOnly: row.member_only,
    minimumTier: row.member_only ? (row.minimum_tier ?? 'supporter') : null,
    hideAuthor: row.hide_author,
    author:
      row.hide_author || row.last_name === null
        ? null
        : {
            firstName: row.first_name ?? '',
            lastName: row.last_name,
            image: pictureAddress(row.author_picture_id),
            biography: row.biography,
          },
    category: row.category === null ? null : { name: row.category },
    type: row.type_id === null || row.type === null ? null : typeView({ id: row.type_id, title: row.type }),
    publishedAt: row.published_at,
    startsAt: row.starts_at,
    hasAudio: row.has_audio,
    hasVideo: row.has_video,
  }) as EditorialCard

export const typeView = ({ id, title }: { id: number; title: string }) => ({
  '@id': `/api/types/murmurations/${id}`,
  '@type': 'MurmurationType' as const,
  id,
  title,
})

/** Puts the item under the name of its kind (ENT-04). */
export function murmurationView(row: CardRow): Murmuration {
  const card = cardView(row)
  return {
    '@id': `/api/murmurations/${row.id}`,
    '@type': 'Murmuration',
    article: card.entityType === 'article' ? card : null,
    interview: card.entityType === 'interview' ? card : null,
    discussion: card.entityType === 'discussion' ? card : null,
  }
}

export function itemView(
  row: ItemRow,
  access: Access,
  audio: string | null,
  relatedBooks: AudioBookCard[],
  now: Date,
): EditorialItem {
  const open = access === 'open'
  return {
    '@context': `/api/contexts/${NAMES[row.kind].type}`,
    ...cardView(row),
    main: row.main,
    access,
    audioFile: audio,
    audioSeconds: row.audio_ms === null ? null : row.audio_ms / 1000,
    videoLink: open ? row.video_link : null,
    link: open ? row.link : null,
    linkTitle: open ? row.link_title : null,
    endsAt: row.ends_at,
    over: isOver({ startsAt: row.starts_at, endsAt: row.ends_at }, now),
    place: row.place,
    placeNote: row.place_note,
    admission: row.admission,
    goodToKnow: row.good_to_know,
    seats: row.seats,
    backgroundColour: row.background_colour,
    containerColour: row.container_colour,
    textColour: row.text_colour,
    parts: row.parts ?? [],
    metaDescription: row.meta_description,
    metaKeywords: row.meta_keywords,
    relatedBooks,
  }
}

type Access = 'open' | 'member' | 'upgrade'

/** For an item's audio, video and link (OP-16); its text is public. Member-only means at least `supporter`. */
export function accessOf(
  item: { readonly member_only: boolean; readonly minimum_tier: Tier | null },
  tier: Tier | null,
): Access {
  if (!item.member_only) return 'open'
  if (tier === null) return 'member'
  return reaches(tier, item.minimum_tier ?? 'supporter') ? 'open' : 'upgrade'
}
