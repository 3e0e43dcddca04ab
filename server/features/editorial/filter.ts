export type Kind = 'article' | 'interview' | 'discussion'

/** Conditions that narrow a list. Absent means any. */
export interface EditorialFilter {
  readonly kinds?: readonly Kind[]
  readonly types?: readonly number[]
  readonly featured?: true
  readonly special?: true
  readonly ids?: readonly number[]
}
