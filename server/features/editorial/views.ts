import type { EditorialLink } from '#contract/catalogue.ts'
import type { LinkRow } from './rows.ts'

/** Pictures of articles lie beside the covers and are named alike. */
export const pictureAddress = (id: string | null): string | null =>
  id === null ? null : `/media/covers/${id.slice(0, 2)}/${id}-900.webp`

export const linkView = (row: LinkRow): EditorialLink => ({
  slug: row.slug,
  title: row.title,
  shortDescription: row.short_description,
  image: pictureAddress(row.picture_id),
  altText: row.alt_text,
})
