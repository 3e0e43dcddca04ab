import type { PieceKind } from '#contract/office/documents.ts'

export const KIND_WORDS: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  article: { one: 'Article', many: 'Articles' },
  interview: { one: 'Podcast', many: 'Podcasts' },
  discussion: { one: 'Event', many: 'Events' },
} satisfies Record<PieceKind, unknown>
