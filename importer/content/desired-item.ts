export type Kind = 'article' | 'interview' | 'discussion'

/** An item as the shop should store it. Compared with its rows, and written where they differ. */
export interface DesiredItem {
  readonly title: string
  readonly summary: string
  readonly shortDescription: string
  readonly main: string
  readonly pictureId: string | null
  readonly altText: string
  readonly published: boolean
  readonly featured: boolean
  readonly special: boolean
  readonly memberOnly: boolean
  readonly minimumTier: 'supporter' | 'reader' | null
  readonly hideAuthor: boolean
  readonly videoLink: string | null
  readonly audioId: string | null
  readonly link: string | null
  readonly linkTitle: string | null
  readonly metaDescription: string | null
  readonly metaKeywords: string | null
  readonly author: string | null
  readonly category: string | null
  readonly type: string | null
  readonly books: readonly string[]
  /** Hash of the file's dates and times. While it stays the same, a date counted in days keeps its value. */
  readonly timing: string
}

export interface Timing {
  readonly publishedAt?: string
  readonly publishedDaysAgo?: number
  readonly startsAt?: string
  readonly startsInDays?: number
}
